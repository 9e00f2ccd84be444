(* The InfoNCE bound in the settings of the documents: the K of its log K, and the settings in which no K gives a bound. *)

Lemma mean_of_halves : forall n m (J F : nat -> R) (R' G : nat -> nat -> R) (c : R),
  (forall k, (k < n)%nat -> sum m (R' k) = 1) ->
  sum n (fun k => sum m (fun a => J k * R' k a * (c + F k / 2 + G k a / 2)))
    = c * sum n J + sum n (fun k => J k * F k) / 2 + sum n (fun k => sum m (fun a => J k * R' k a * G k a)) / 2.
Proof.
  intros n m J F R' G c E. rewrite (mean_of_views n m J F R' E), (sum_ext n J (fun k => J k * 1)) by (intros; ring).
  rewrite (mean_of_views n m J (fun _ => 1) R' E). sums.
Qed.

(*! P3: bound *)
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
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  assert (P : forall n, 0 < Phi n) by (intros; unfold Phi; sign).
  assert (B := information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda
    ltac:(auto) ltac:(auto using INR_pos) ltac:(auto using Rlt_le) ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)
    ltac:(auto) J1 R1). cbv beta in B. fold information in B.
  change (ln (INR N) + sum D (fun n => J' n * ln (phi n / Phi n)) <= information) in B.
  rewrite ln_mult by (try apply INR_pos; auto; lra).
  assert (U := mean_of_halves D Omega' J' (fun n => ln (phi n / Phi n)) R' (fun n a => ln (phi n / Phi' n a)) (- ln 2)
    ltac:(auto)). cbv beta in U. rewrite J1 in U.
  unfold loss_s, loss, loss'.
  apply (Rle_trans _ (ln 2 + ln (INR N) + sum D (fun n => sum Omega' (fun a => J' n * R' n a *
    (- ln 2 + ln (phi n / Phi n) / 2 + ln (phi n / Phi' n a) / 2))))); [|lra].
  unfold Rminus at 1. rewrite Ropp_involutive. apply Rplus_le_compat_l, sum_le. intros n _. apply sum_le. intros a _.
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  assert (X := P n). assert (Y := H1 n a). assert (T := H4 n). assert (E := H3 n).
  assert (G := ln_half (Phi n) (Phi' n a) X Y). assert (L : ln (Phi n + Phi' n a) <= ln (epsilon n + Phi n + Phi' n a)) by (apply ln_le; lra).
  rewrite (nf_ln_over _ _ _ T X eq_refl), (nf_ln_over _ _ _ T Y eq_refl), (nf_ln_over _ (epsilon n + Phi n + Phi' n a) _ T ltac:(lra) eq_refl).
  lra.
Qed.

(*! P3: ceiling *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J1 : sum D J' = 1).
  { rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
    apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto]. }
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  apply (Rle_trans _ (ln 2 + ln (INR N) + - ln 2 * sum D J')); [|rewrite J1; lra].
  unfold loss_s, Rminus. rewrite Ropp_involutive. apply Rplus_le_compat_l.
  rewrite Rmult_comm, <- sum_scale_r, (mean_of_views D Omega' J' _ R') by auto.
  apply sum_le. intros n _. apply sum_le. intros a _.
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  rewrite <- ln_Rinv by lra. assert (X := H2 n).
  assert (Y : 0 <= sigma (Lambda n)) by auto. assert (T : 0 <= sigma' n a) by auto. assert (E := H1 n).
  assert (W : 0 <= sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n))) by sign.
  assert (G : 2 * phi n <= epsilon n + Phi n + Phi' n a) by (unfold Phi, Phi'; lra).
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. replace (/ 2) with (phi n * / (2 * phi n)) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(*! P3: lift *)
Proof. intros. assert (H' := exp_ineq1_le ((1 - s i j) / tau)). lra. Qed.

(*! P2: bound *)
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
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  assert (P : forall n, 0 < Phi n) by (intros; unfold Phi; sign).
  eapply Rle_trans;
    [|apply (information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda); auto using INR_pos, Rlt_le].
  unfold loss_b, Rminus. rewrite Ropp_involutive, (mean_of_views D Omega' J' _ R') by auto.
  apply Rplus_le_compat_l, sum_le. intros n _. apply sum_le. intros a _. fold (Phi n).
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  assert (X := H3 n). assert (Y := P n). assert (T := H2 n a). apply ln_le; [sign|].
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(*! P3: second *)
Proof.
  intros. unfold loss'. f_equal.
  transitivity (sum D (fun n => sum Omega' (fun a => J' n * R' n a * ln (phi (Lambda' n a) / Phi (Lambda' n a))))).
  - apply sum_ext; intros n Hn. apply sum_ext; intros a Ha. f_equal. f_equal. unfold Phi'.
    assert (0 < phi n) by auto.
    assert (0 < phi (Lambda' n a)) by auto.
    assert (0 < Phi (Lambda' n a)) by auto.
    field. repeat split; lra.
  - symmetry. unfold J_v.
    rewrite (sum_ext D _ (fun k => sum D (fun n => sum Omega' (fun a =>
      delta k (Lambda' n a) * (J' n * R' n a * ln (phi k / Phi k)))))).
    + rewrite sum_swap. apply sum_ext; intros n Hn. rewrite sum_swap. apply sum_ext; intros a Ha.
      rewrite (sum_delta D (Lambda' n a) (fun k => J' n * R' n a * ln (phi k / Phi k))); auto.
    + intros k Hk. rewrite <- sum_scale_r. apply sum_ext; intros n Hn. rewrite <- sum_scale_r.
      apply sum_ext; intros a Ha. ring.
Qed.

(*! P4: alike *)
Proof.
  intros. assert (X := INR_pos M H). assert (W : 0 < sum M (fun k => omega k)) by sign. unfold ell, u.
  rewrite (sum_ext M _ (fun a => INR M * exp (L_plus i - mu) / sum M (fun k => omega k) * omega a)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale. change (sum M omega) with (sum M (fun k => omega k)).
  replace (INR M * exp (L_plus i - mu) / sum M (fun k => omega k) * sum M (fun k => omega k)) with (INR M * exp (L_plus i - mu)) by (field; lra).
  rewrite ln_mult, ln_exp by (exact X || apply exp_pos). ring.
Qed.
