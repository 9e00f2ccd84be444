(* Estimates of mutual information from scores, as code computes them: definitions and gradients (document F). *)

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

(*! F17: shift *)
Proof.
  intros. unfold information_circumflex. rewrite (shifted N N c differ u).
  replace (exp c * _ / _ / _) with (exp c * (sum N (fun i => sum N (fun j => differ i j * exp (u i j))) / INR N / (INR N - 1)))
    by (unfold Rdiv; ring).
  rewrite ln_mult, ln_exp by (apply exp_pos || assumption).
  rewrite sum_plus, (sum_ext N (fun _ => c) (fun _ => c * 1)), sum_scale, sum_one by (intros; ring).
  field. apply not_zero, INR_pos. assumption.
Qed.

(*! F15: less *)
Proof.
  intros. assert (E := exp_pos (-1)). assert (L := ln_below (Z_held * exp (- 1)) ltac:(sign)).
  rewrite ln_mult, ln_exp in L by assumption. lra.
Qed.
