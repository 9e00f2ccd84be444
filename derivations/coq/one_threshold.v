(* SigLIP's bias: where it converges, and the limits of one threshold for a whole batch. *)

(* The derivative of softplus. *)
Lemma d_softplus : forall (g : R -> R) x a, is_derive g x a ->
  is_derive (fun y => ln (1 + exp (g y))) x (a * (exp (g x) / (1 + exp (g x)))).
Proof.
  intros g x a D. assert (E := exp_pos (g x)). apply d_eq with ((0 + exp (g x) * a) * / (1 + exp (g x))); [|field; lra].
  apply (d_ln (fun y => 1 + exp (g y))); [|lra]. apply d_plus; [apply d_const|]. apply d_exp, D.
Qed.

Lemma slope : forall B nu b (L : nat -> nat -> R), (0 < nu)%nat -> is_derive (fun b =>
  (sum B (fun i => ln (1 + exp (- (b) - L i i))) + sum B (fun i => sum B (fun j => differ i j * ln (1 + exp (b + L i j))))) / INR nu)
  b ((sum B (fun i => sum B (fun j => exp (b + L i j) / (1 + exp (b + L i j)))) - INR B) / INR nu).
Proof.
  intros B nu b L N. pose (sigma := fun x => exp x / (1 + exp x)).
  apply (d_over (fun b => sum B (fun i => ln (1 + exp (- (b) - L i i))) + sum B (fun i => sum B (fun j => differ i j * ln (1 + exp (b + L i j)))))).
  apply d_eq with (sum B (fun i => -1 * sigma (- (b) - L i i)) + sum B (fun i => sum B (fun j => differ i j * (1 * sigma (b + L i j))))).
  - apply (d_plus (fun b => sum B (fun i => ln (1 + exp (- (b) - L i i))))).
    + apply (d_sum B (fun i b => ln (1 + exp (- (b) - L i i)))). intros i _. apply (d_softplus (fun b => - (b) - L i i)).
      apply d_eq with (- (1) - 0); [diff|ring].
    + apply (d_sum B (fun i b => sum B (fun j => differ i j * ln (1 + exp (b + L i j))))). intros i _.
      apply (d_sum B (fun j b => differ i j * ln (1 + exp (b + L i j)))). intros j _.
      apply (d_scale (fun b => ln (1 + exp (b + L i j)))), (d_softplus (fun b => b + L i j)).
      apply d_eq with (1 + 0); [diff|ring].
  - rewrite <- (sum_one B), <- sum_plus, <- sum_minus. apply sum_ext. intros i I_.
    rewrite (sum_ext B _ (fun j => sigma (b + L i j) - delta j i * sigma (b + L i j)))
      by (intros; rewrite differ_delta, (delta_sym i); ring).
    rewrite sum_minus, sum_delta by exact I_. unfold sigma at 1 3. replace (- (b) - L i i) with (- (b + L i i)) by ring.
    rewrite exp_Ropp. assert (E := exp_pos (b + L i i)). fold (sum B (fun j => sigma (b + L i j))).
    change (sum B (fun j => exp (b + L i j) / (1 + exp (b + L i j)))) with (sum B (fun j => sigma (b + L i j))). field. lra.
Qed.

(*! R8: slope *)
Proof. intros. apply slope. assumption. Qed.

(*! R8: curvature *)
Proof.
  intros. unfold loss. eapply d_Derive; [intros y; apply slope; assumption|].
  apply (d_over (fun b => sum B (fun i => sum B (fun j => exp (b + L i j) / (1 + exp (b + L i j)))) - INR B)).
  apply d_eq with (sum B (fun i => sum B (fun j => exp (b + L i j) / (1 + exp (b + L i j)) ^ 2)) - 0); [|ring].
  apply d_minus; [|apply d_const].
  apply (d_sum B (fun i b => sum B (fun j => exp (b + L i j) / (1 + exp (b + L i j))))). intros i _.
  apply (d_sum B (fun j b => exp (b + L i j) / (1 + exp (b + L i j)))). intros j _. assert (E := exp_pos (b + L i j)).
  eapply d_eq; [diff; lra|]. field. lra.
Qed.

(*! R8: even *)
Proof. intros. assert (E := exp_ineq1_le (v - u)). lra. Qed.

(*! R8: term *)
Proof.
  intros. assert (E := exp_pos x). assert (L := ln_below (/ (1 + exp x)) ltac:(sign)). rewrite ln_Rinv in L by lra.
  replace (exp x / (1 + exp x)) with (1 - / (1 + exp x)) by (field; lra). lra.
Qed.

(*! R8: clip *)
Proof.
  intros. set (o := sum B (fun m => differ i m * exp ((s i m - s i i) / tau))).
  assert (O : 0 <= o) by (unfold o; sign).
  assert (E : sum B (fun m => exp (s i m / tau)) = exp (s i i / tau) * (1 + o)).
  { unfold o. rewrite Rmult_plus_distr_l, <- sum_scale.
    rewrite (sum_ext B (fun k => exp (s i i / tau) * _) (fun k => exp (s i k / tau) - delta k i * exp (s i k / tau))).
    - rewrite sum_minus, sum_delta by assumption. ring.
    - intros k _. replace ((s i k - s i i) / tau) with (s i k / tau + - (s i i / tau)) by (field; lra).
      rewrite exp_plus, exp_Ropp, differ_delta, (delta_sym i). field. apply not_zero, exp_pos. }
  rewrite E, ln_mult, ln_exp by (try apply exp_pos; lra). assert (L := ln_below (1 + o)). lra.
Qed.
