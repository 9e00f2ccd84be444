(* DHN-NCE in matrices: what the notes print, evaluated as printed, and the two forms that are right (D4). *)

(*! D4.16: scaled *)
Proof.
  intros. rewrite <- (sum_one B), <- sum_scale, <- sum_plus. apply sum_ext. intros i I_.
  rewrite (sum_ext B _ (fun m => exp c * (W i m * exp (L i m)))) by (intros; rewrite exp_plus; ring).
  rewrite sum_scale, ln_mult, ln_exp by (apply exp_pos || auto). ring.
Qed.

(*! D4.19: strictly *)
Proof.
  intros. rewrite exp_plus. assert (E := exp_pos (L i m)). assert (X := ln_below (exp u) ltac:(sign)). rewrite ln_exp in X.
  replace (u ^ 2 * exp (L i m)) with (u * exp (L i m) * u) by ring.
  replace (u * (exp u * exp (L i m) - exp (L i m))) with (u * exp (L i m) * (exp u - 1)) by ring.
  apply Rmult_le_compat_l; [sign|exact X].
Qed.

(* A sum of terms >= 0 is positive unless it is 0. *)
Lemma weighed : forall B (O L : nat -> R), (forall j, 0 <= O j) -> sum B (fun m => O m * exp (L m)) <> 0 -> 0 < sum B (fun m => O m * exp (L m)).
Proof. intros B O L P N. apply nonneg_not_zero; [|exact N]. apply sum_nonneg. intros. assert (E := exp_pos (L k)). apply Rmult_le_pos; [apply P|lra]. Qed.

(*! D4.10: share *)
Proof.
  intros. assert (K := weighed B (O i) (fun m => beta_1 * L i m) (H2 i) (H4 i)). cbv beta in K. unfold rho.
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply H2|apply Rlt_le, exp_pos]|apply Rlt_le, Rinv_0_lt_compat, K].
Qed.

Lemma on_diagonal : forall B i (f : nat -> R), (i < B)%nat -> sum B (fun l => delta i l * f l) = f i.
Proof. intros B i f I_. rewrite (sum_ext B _ (fun l => delta l i * f l)) by (intros; rewrite delta_sym; reflexivity). apply sum_delta, I_. Qed.

(*! D4.13: uniform *)
Proof.
  intros. assert (Z : forall n, exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n))) = 1).
  { intros n. rewrite (on_diagonal B i (fun l => exp (beta_1 * L l n))), Rminus_eq_0 by assumption. apply exp_0. }
  rewrite (sum_ext B (fun n => exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n)))) (fun _ => 1)), sum_one, Z by (intros; apply Z). rewrite Rmult_1_r. reflexivity.
Qed.

(*! D4.14: shifted *)
Proof. intros. unfold_names. set (c := (INR B - 1) / INR B) in *. clearbody c. by_rules. Qed.
