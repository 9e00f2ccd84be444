(* Estimates of mutual information from scores, as code computes them: definitions and gradients (document F). *)

(* The derivative by one score of a sum over all of them. *)
Lemma d_score : forall n m k l (u : nat -> nat -> R) (F : nat -> nat -> R -> R) d, (k < n)%nat -> (l < m)%nat ->
  is_derive (F k l) (u k l) d ->
  is_derive (fun x => sum n (fun i => sum m (fun j => F i j (set2 u k l x i j)))) (u k l) d.
Proof.
  intros n m k l u F d K L D.
  apply d_eq with (sum n (fun i => delta i k * sum m (fun j => delta j l * d))).
  - apply (d_sum n (fun i x => sum m (fun j => F i j (set2 u k l x i j)))). intros i _. unfold delta at 1.
    destruct (Nat.eqb_spec i k) as [->|E].
    + apply d_eq with (sum m (fun j => delta j l * d)); [|symmetry; apply Rmult_1_l].
      apply (d_sum m (fun j x => F k j (set2 u k l x k j))). intros j _. unfold set2, delta. rewrite Nat.eqb_refl.
      destruct (Nat.eqb_spec j l) as [->|E]; cbn [andb].
      * apply d_eq with d; [exact D|symmetry; apply Rmult_1_l].
      * apply d_eq with 0; [apply d_const|symmetry; apply Rmult_0_l].
    + apply d_eq with 0; [|symmetry; apply Rmult_0_l]. apply (is_derive_ext (fun _ => sum m (fun j => F i j (u i j)))); [|apply d_const].
      intros x. apply sum_ext. intros j _. unfold set2. apply Nat.eqb_neq in E. rewrite E. reflexivity.
  - rewrite (sum_delta n k (fun _ => sum m (fun j => delta j l * d)) K). apply (sum_delta m l (fun _ => d) L).
Qed.

Lemma d_own_score : forall n k l (u : nat -> nat -> R), (k < n)%nat ->
  is_derive (fun x => sum n (fun i => set2 u k l x i i) / INR n) (u k l) (delta k l / INR n).
Proof.
  intros n k l u K. apply (d_over (fun x => sum n (fun i => set2 u k l x i i))).
  apply d_eq with (sum n (fun i => delta i k * delta i l)); [|apply (sum_delta n k (fun i => delta i l)), K].
  apply (d_sum n (fun i x => set2 u k l x i i)). intros. apply d_set2.
Qed.

Lemma d_ln_mean : forall (f : R -> R) n m x a,
  is_derive f x a -> f x <> 0 -> n <> 0 -> m <> 0 -> 0 < f x / n / m -> is_derive (fun y => ln (f y / n / m)) x (a / f x).
Proof.
  intros f n m x a D F N M P. apply d_eq with (a / n / m * / (f x / n / m)); [|field; auto].
  apply (d_ln (fun y => f y / n / m)); [|exact P]. apply (d_over (fun y => f y / n)), d_over, D.
Qed.

(*! F14: scores *)
Proof.
  intros. unfold information_circumflex. apply (d_minus (fun x => sum X (fun i => sum C (fun j => set2 u k l x i j * J_plus i j)))).
  - apply (d_score X C k l u (fun i j x => x * J_plus i j)); auto. apply d_eq with (1 * J_plus k l); [|ring].
    apply (d_scale_r (fun x => x)), d_id.
  - pose (W := fun i j => sum C (fun n => J_plus i n) * sum X (fun m => J_plus m j)).
    eapply d_eq; [apply (d_ln (fun x => sum X (fun i => sum C (fun j => W i j * exp (set2 u k l x i j)))))|].
    + apply (d_score X C k l u (fun i j x => W i j * exp x)); auto. apply (d_scale exp). apply is_derive_exp.
    + rewrite set2_same. assumption.
    + rewrite set2_same. reflexivity.
Qed.

(*! F17: scores *)
Proof.
  intros. unfold information_circumflex. apply d_minus; [apply d_own_score; assumption|].
  assert (D : is_derive (fun x => sum N (fun i => sum N (fun j => differ i j * exp (set2 u k l x i j)))) (u k l) (differ k l * exp (u k l))).
  { apply (d_score N N k l u (fun i j x => differ i j * exp x)); auto. apply (d_scale exp), is_derive_exp. }
  assert (E := d_ln_mean _ (INR N) (INR N - 1) _ _ D). cbv beta in E. rewrite set2_same in E.
  apply E; auto. apply not_zero, INR_pos. assumption.
Qed.

(*! F18: scores *)
Proof.
  intros. unfold information_circumflex. apply d_minus; [apply d_own_score; assumption|].
  pose (F := fun i j x => ((1 - Y_c i j) * exp (u_c i j) + Y_c i j * exp x) * differ i j).
  assert (D : is_derive (fun x => sum N (fun i => sum N (fun j => F i j (set2 u k l x i j)))) (u k l) (differ k l * Y_c k l * exp (u k l))).
  { apply (d_score N N k l u F); auto. apply d_eq with ((0 + Y_c k l * exp (u k l)) * differ k l); [|ring].
    unfold F. apply (d_scale_r (fun x => _ + Y_c k l * exp x)), d_plus; [apply d_const|]. apply (d_scale exp), is_derive_exp. }
  assert (E := d_ln_mean _ (INR N) (INR N - 1) _ _ D). cbv beta in E. rewrite set2_same in E.
  apply E; auto. apply not_zero, INR_pos. assumption.
Qed.

(*! F18: inside *)
Proof.
  intros. unfold information_circumflex, Y_c. do 4 f_equal. apply sum_ext. intros i _. apply sum_ext. intros j _. ring.
Qed.

(* The effect of adding a number to all scores. *)
Lemma shifted : forall n m c (W u : nat -> nat -> R),
  sum n (fun i => sum m (fun j => W i j * exp (c + u i j))) = exp c * sum n (fun i => sum m (fun j => W i j * exp (u i j))).
Proof.
  intros. rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros j _.
  rewrite exp_plus. ring.
Qed.

(*! F14: shift *)
Proof.
  intros. unfold information_circumflex. pose (W := fun i j => sum C (fun n => J_plus i n) * sum X (fun m => J_plus m j)).
  assert (E := shifted X C c W u). unfold W in E. cbv beta in E. rewrite E, ln_mult, ln_exp; [|apply exp_pos|assumption].
  rewrite (sum_ext X (fun i => sum C (fun j => (c + u i j) * J_plus i j))
    (fun i => c * sum C (fun j => J_plus i j) + sum C (fun j => u i j * J_plus i j))).
  - rewrite sum_plus, sum_scale. ring.
  - intros i _. rewrite <- sum_scale, <- sum_plus. apply sum_ext. intros. ring.
Qed.

(*! F14: best *)
Proof.
  intros. unfold J. rewrite shares, ln_1 by (apply not_zero; sign). unfold information, J. ring.
Qed.

(*! F16: loss *)
Proof. intros. unfold information_circumflex. rewrite sum_opp. unfold Rdiv. ring. Qed.

(*! F17: shift *)
Proof.
  intros. unfold information_circumflex. rewrite (shifted N N c differ u).
  replace (exp c * _ / _ / _) with (exp c * (sum N (fun i => sum N (fun j => differ i j * exp (u i j))) / INR N / (INR N - 1)))
    by (unfold Rdiv; ring).
  rewrite ln_mult, ln_exp by (apply exp_pos || assumption).
  rewrite sum_plus, (sum_ext N (fun _ => c) (fun _ => c * 1)), sum_scale, sum_one by (intros; ring).
  field. apply not_zero, INR_pos. assumption.
Qed.

(*! F15: apart *)
Proof.
  intros. apply sum_ext. intros i _. apply sum_ext. intros j _. rewrite (Rmult_comm (sum C _)), Rmult_assoc, <- sum_scale_r.
  apply sum_ext. intros m _. rewrite <- sum_scale_r, <- sum_scale. apply sum_ext. intros. ring.
Qed.

(*! F15: less *)
Proof.
  intros. assert (E := exp_pos (-1)). assert (L := ln_below (Z_held * exp (- 1)) ltac:(sign)).
  rewrite ln_mult, ln_exp in L by assumption. lra.
Qed.
