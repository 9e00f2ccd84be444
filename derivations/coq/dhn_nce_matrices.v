(* DHN-NCE in matrices: what the notes print, evaluated as printed, and the two forms that are right (D4). *)

(*! D4.15: diagonal *)
Proof.
  intros. rewrite (sum_ext B _ (fun k => delta k i * sum B (fun j => W k j * exp (L i j)))) by (intros; rewrite delta_sym; reflexivity).
  apply (sum_delta B i (fun k => sum B (fun j => W k j * exp (L i j)))). assumption.
Qed.

(*! D4.15: scores *)
Proof.
  intros. rewrite sum_one, (sum_ext B _ (fun _ => INR B * INR d)).
  - rewrite (sum_ext B _ (fun _ => INR B * INR d * 1)), sum_scale, sum_one by (intros; ring). ring.
  - intros. rewrite (sum_ext B _ (fun _ => INR d * 1)), sum_scale, sum_one by (intros; ring). ring.
Qed.

(*! D4.16: scaled *)
Proof.
  intros. rewrite <- (sum_one B), <- sum_scale, <- sum_plus. apply sum_ext. intros i I_.
  rewrite (sum_ext B _ (fun m => exp c * (W i m * exp (L i m)))) by (intros; rewrite exp_plus; ring).
  rewrite sum_scale, ln_mult, ln_exp by (apply exp_pos || auto). ring.
Qed.

Lemma by_ones : forall B (L W : nat -> nat -> R),
  sum B (fun i => 1 * ln (sum B (fun j => 1 * W i j * exp (L i j)))) = sum B (fun i => ln (sum B (fun m => W i m * exp (L i m)))).
Proof.
  intros. apply sum_ext. intros i _. rewrite Rmult_1_l. f_equal. apply sum_ext. intros j _. ring.
Qed.

(*! D4.16: product *)
Proof. intros. apply by_ones. Qed.

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

(*! D4.10: margin *)
Proof.
  intros. assert (R1 : sum B (rho i) = 1) by (apply (shares B (fun m => O i m * exp (beta_1 * L i m))), H4).
  rewrite (sum_ext B (fun m => (_ - _) * rho i m) (fun m => rho i m * exp (L i i) - W i m * O i m * exp (L i m)))
    by (intros; unfold rho, W, Rdiv; ring).
  rewrite sum_minus, sum_scale_r. change (sum B (fun k => rho i k)) with (sum B (rho i)). rewrite R1. ring.
Qed.

(*! D4.10: share *)
Proof.
  intros. assert (K := weighed B (O i) (fun m => beta_1 * L i m) (H2 i) (H4 i)). cbv beta in K. unfold rho.
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply H2|apply Rlt_le, exp_pos]|apply Rlt_le, Rinv_0_lt_compat, K].
Qed.

(*! D4.12: share *)
Proof.
  intros. assert (K := weighed B (O i) (fun m => beta_1 * L i m) (H0 i) (H4 i)). cbv beta in K. unfold rho.
  assert (E := exp_pos t). field. lra.
Qed.

Lemma on_diagonal : forall B i (f : nat -> R), (i < B)%nat -> sum B (fun l => delta i l * f l) = f i.
Proof. intros B i f I_. rewrite (sum_ext B _ (fun l => delta l i * f l)) by (intros; rewrite delta_sym; reflexivity). apply sum_delta, I_. Qed.

(*! D4.13: uniform *)
Proof.
  intros. assert (Z : forall n, exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n))) = 1).
  { intros n. rewrite (on_diagonal B i (fun l => exp (beta_1 * L l n))), Rminus_eq_0 by assumption. apply exp_0. }
  rewrite (sum_ext B (fun n => exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n)))) (fun _ => 1)), sum_one, Z by (intros; apply Z). rewrite Rmult_1_r. reflexivity.
Qed.

(*! D4.20: mixed *)
Proof. intros. rewrite (on_diagonal B i (fun l => exp (beta_2 * L l i))) by assumption. reflexivity. Qed.

(*! D4.19: slope *)
Proof.
  intros. assert (R1 : sum B (rho beta_1 i) = 1) by (apply (shares B (fun m => O i m * exp (beta_1 * L i m))), H5).
  rewrite covariance by exact R1. unfold ell. eapply d_eq.
  - apply (d_minus (fun x => ln (sum B (fun m => W x i m * O i m * exp (L i m))))); [|apply d_const].
    apply (d_weighed B (INR B - 1) (O i) (fun _ => 0) (L i) (fun _ => L i) (fun x j => x * L i j)).
    + intros. apply d_const.
    + intros j _. eapply d_eq; [diff|ring].
    + apply H5.
    + apply H6.
  - cbv beta. assert (K := H5 i). assert (E := H4 i).
    assert (Q : sum B (fun m => rho beta_1 i m * exp (L i m)) = sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * / sum B (fun m => O i m * exp (beta_1 * L i m))).
    { rewrite <- sum_scale_r. apply sum_ext. intros m _. unfold rho, Rdiv. rewrite exp_plus. ring. }
    rewrite Q in *. assert (T0 : sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) <> 0) by (intro Z; apply E; rewrite Z; ring).
    rewrite (sum_ext B (fun j => rho beta_1 i j * (L i j * exp (L i j))) (fun j => O i j * exp (beta_1 * L i j + L i j) / sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * (L i j + 0)
      * (sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * / sum B (fun m => O i m * exp (beta_1 * L i m)))))
      by (intros; unfold rho; rewrite exp_plus; field; repeat split; assumption).
    rewrite sum_scale_r. change (sum B (fun j => O i j * exp (beta_1 * L i j) / sum B (fun m => O i m * exp (beta_1 * L i m)) * L i j)) with (sum B (fun j => rho beta_1 i j * L i j)).
    field. split; assumption.
Qed.

(*! D4.14: shifted *)
Proof. intros. unfold_names. set (c := (INR B - 1) / INR B) in *. clearbody c. by_rules. Qed.
