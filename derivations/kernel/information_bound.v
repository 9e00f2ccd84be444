(* The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.31: squares *)
Theorem D3_31_squares :
  forall (N : nat) (r phi' : nat -> R),
  (0 < N)%nat ->
  (forall i : nat, 0 < r i) ->
  (forall i : nat, 0 < phi' i) ->
  0 <= sum N (fun i : nat => (sqrt (r i) / sqrt (sum N (fun k : nat => r k)) - sqrt (phi' i) / sqrt (sum N
    (fun k : nat => phi' k))) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D3.31: quotient *)
Theorem D3_31_quotient :
  forall (N : nat) (r phi' : nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, 0 < r i) ->
  (forall i : nat, 0 < phi' i) ->
  let gamma : R := sum N (fun k : nat => phi' k) / sum N (fun k : nat => r k) in
  phi' i * sum N (fun k : nat => r k) / r i / sum N (fun k : nat => phi' k) = phi' i / gamma / r i.
(*! *)
Proof. by_sums. Qed.

(*! D3.31: agrees *)
Theorem D3_31_agrees :
  forall (N : nat) (gamma : R) (r : nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, 0 < r i) ->
  (0 < gamma) ->
  let phi' (i : nat) : R := gamma * r i in
  phi' i / sum N (fun k : nat => phi' k) = r i / sum N (fun k : nat => r k).
(*! *)
Proof. by_sums. Qed.


(*! D3.33d: u *)
Theorem D3_33d_u :
  forall (V : nat) (J_y J_x pi : nat -> R) (i : nat),
  (forall i : nat, 0 < J_x i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_x_given_y (i : nat) : R := J i / J_y i in
  let Pi (i : nat) : R := J_y i * J_x i in
  J_x i / J_x_given_y i = Pi i / J i.
(*! *)
Proof. by_sums. Qed.

(*! P1: bound *)
Theorem P1_bound :
  forall (D N Omega : nat) (sigma phi omega varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < N)%nat ->
  (0 < D)%nat ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i : nat, 0 <= sigma i) ->
  (forall i : nat, (i < D)%nat -> (Lambda i < Omega)%nat) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let Phi (n : nat) : R := sigma (Lambda n) + phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda
    k) (Lambda n)) in
  let loss : R := - (sum D (fun n : nat => J' n * ln (phi n / Phi n))) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho (iota n))) in
  let Psi (m : nat) : R := sigma m + sum D (fun n : nat => phi n * delta m (Lambda n)) in
  (forall n : nat, (n < D)%nat -> Psi (Lambda n) <> 0) ->
  (forall m : nat, (m < Omega)%nat -> Psi m <> 0) ->
  ln (INR N) - loss <= information.
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J1 : sum D J' = 1).
  { rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
    apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto]. }
  assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign).
  unfold loss, information, Rminus. rewrite Ropp_involutive.
  apply (information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda); auto using INR_pos, Rlt_le.
Qed.

(*! P1: negative *)
Theorem P1_negative :
  forall (D N Omega : nat) (sigma phi omega varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < D)%nat ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (0 < N)%nat ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i : nat, 0 <= sigma i) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let Phi (n : nat) : R := sigma (Lambda n) + phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda
    k) (Lambda n)) in
  let loss : R := - (sum D (fun n : nat => J' n * ln (phi n / Phi n))) in
  ln (INR N) - loss <= ln (INR N).
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (B : sum D (fun n => J' n * ln (phi n / Phi n)) <= 0); [|unfold loss; lra].
  rewrite <- (sum_zero D (fun _ => 0)) by reflexivity. apply sum_le. intros n _.
  assert (X := H0 n). assert (Y : 0 <= sigma (Lambda n)) by auto.
  assert (W : 0 <= sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n))) by sign.
  assert (G : phi n <= Phi n) by (unfold Phi; lra).
  rewrite <- (Rmult_0_r (J' n)). apply Rmult_le_compat_l; [apply Rlt_le; auto|]. rewrite <- ln_1.
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (Phi n); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(*! P1: law *)
Theorem P1_law :
  forall (D N Omega : nat) (omega varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < D)%nat ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (0 < N)%nat ->
  (forall i : nat, 0 < varrho' i) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  sum D (fun n : nat => J' n) = 1.
(*! *)
Proof.
  intros. assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
  apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto].
Qed.

(*! P1: information *)
Theorem P1_information :
  forall (D N V Omega : nat) (omega varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < V)%nat ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (0 < D)%nat ->
  (0 < N)%nat ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i : nat, (i < D)%nat -> (iota i < V)%nat) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let information : R := sum D (fun n : nat => J' n * ln (varrho (iota n))) in
  let J'' (i : nat) : R := sum D (fun n : nat => J' n * delta i (iota n)) in
  let Pi' (i : nat) : R := sum D (fun n : nat => R_ (Lambda n) * delta i (iota n)) / INR N in
  (forall i : nat, (i < V)%nat -> Pi' i <> 0) ->
  (forall i : nat, (i < V)%nat -> 0 < J'' i / Pi' i) ->
  information = sum V (fun i : nat => J'' i * ln (J'' i / Pi' i)).
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (N0 := INR_pos N H3).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (E : forall i, (i < V)%nat -> J'' i / Pi' i = varrho i).
  { intros i I. apply Rmult_eq_reg_r with (Pi' i); [|auto]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by auto.
    unfold J'', Pi', Rdiv. rewrite <- sum_scale_r, <- sum_scale. apply sum_ext. intros n I'. unfold J'.
    replace (R_ (Lambda n) * varrho (iota n) / INR N * delta i (iota n)) with (R_ (Lambda n) / INR N * (delta i (iota n) * varrho (iota n))) by (field; lra).
    rewrite <- (delta_replace i (iota n) varrho). field. lra. }
  rewrite (sum_ext V _ (fun i => J'' i * ln (varrho i))) by (intros; rewrite E; auto).
  unfold J''. rewrite (sum_ext V _ (fun i => sum D (fun n => delta i (iota n) * (J' n * ln (varrho i)))))
    by (intros; rewrite <- sum_scale_r; apply sum_ext; intros; ring).
  rewrite sum_swap. apply sum_ext. intros n I. rewrite (sum_delta V (iota n) (fun i => J' n * ln (varrho i))) by auto. reflexivity.
Qed.


(*! D3.28: bayes *)
Theorem D3_28_bayes :
  forall (N : nat) (varpi varpi' : nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, 0 <= varpi' i) ->
  (i < N)%nat ->
  (sum N (fun k : nat => varpi' k * exp (sum N (fun l : nat => differ l k * varpi l)) / INR N) <> 0) ->
  (sum N (fun k : nat => varpi' k * exp (sum N (fun l : nat => differ l k * varpi l))) <> 0) ->
  varpi' i * exp (sum N (fun l : nat => differ l i * varpi l)) / INR N / sum N (fun k : nat => varpi' k * exp
    (sum N (fun l : nat => differ l k * varpi l)) / INR N) = varpi' i * exp (sum N (fun l : nat => differ l i
    * varpi l)) / sum N (fun k : nat => varpi' k * exp (sum N (fun l : nat => differ l k * varpi l))).
(*! *)
Proof. by_sums. Qed.

(*! D3.28: law *)
Theorem D3_28_law :
  forall (N : nat) (varpi varpi' : nat -> R),
  (0 < N)%nat ->
  (forall i : nat, 0 <= varpi' i) ->
  (sum N (fun k : nat => varpi' k * exp (sum N (fun l : nat => differ l k * varpi l))) <> 0) ->
  sum N (fun i : nat => varpi' i * exp (sum N (fun l : nat => differ l i * varpi l)) / sum N (fun k : nat =>
    varpi' k * exp (sum N (fun l : nat => differ l k * varpi l)))) = 1.
(*! *)
Proof. by_sums. Qed.


(*! D3.29: ratios *)
Theorem D3_29_ratios :
  forall (N : nat) (varpi varpi' : nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, 0 <= varpi' i) ->
  (i < N)%nat ->
  let r' (i : nat) : R := varpi' i * exp (- (varpi i)) in
  (sum N (fun k : nat => varpi' k * exp (sum N (fun l : nat => differ l k * varpi l))) <> 0) ->
  (sum N (fun k : nat => r' k) <> 0) ->
  varpi' i * exp (sum N (fun l : nat => differ l i * varpi l)) / sum N (fun k : nat => varpi' k * exp (sum N
    (fun l : nat => differ l k * varpi l))) = r' i / sum N (fun k : nat => r' k).
(*! *)
Proof. by_sums. Qed.

(*! D3.30: law *)
Theorem D3_30_law :
  forall (N : nat) (phi' : nat -> R),
  (0 < N)%nat ->
  (forall i : nat, 0 < phi' i) ->
  sum N (fun i : nat => phi' i / sum N (fun k : nat => phi' k)) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.33a: line *)
Theorem D3_33a_line :
  forall (M : nat) (r r' : nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i : nat, 0 < r i) ->
  (forall i : nat, 0 <= r' i) ->
  - (ln (r i / (r i + sum M (fun l : nat => r' l)))) = ln (1 + sum M (fun l : nat => r' l) / r i).
(*! *)
Proof. by_odds. Qed.
