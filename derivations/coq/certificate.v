(* What a measured loss certifies: the range of a row's loss, and the margin in Hoeffding's inequality. *)

Lemma margin_squared : forall span n delta_, 0 < n -> 0 <= ln (1 / delta_) ->
  2 * n * (span * sqrt 2 * sqrt (ln (1 / delta_)) / 2 / sqrt n) ^ 2 = span ^ 2 * ln (1 / delta_).
Proof.
  intros span n delta_ N L. assert (S := sqrt_lt_R0 n N).
  replace (2 * n * (span * sqrt 2 * sqrt (ln (1 / delta_)) / 2 / sqrt n) ^ 2) with
    (2 * n * span ^ 2 * (sqrt 2 * sqrt 2) * (sqrt (ln (1 / delta_)) * sqrt (ln (1 / delta_))) / 4 / (sqrt n * sqrt n)) by (field; lra).
  rewrite !sqrt_sqrt by lra. field. lra.
Qed.

(*! R24: range *)
Proof.
  intros. assert (X := INR_pos M H). assert (E := exp_pos (2 / tau)). pose (T := 1 + INR M * exp (2 / tau)).
  assert (TP : 0 < T) by (unfold T; nra). pose (S := sum M (fun a => exp (L i a - L_plus i))).
  assert (SP : 0 < S) by (unfold S; sign).
  assert (B := ln_below ((1 + S) / T) ltac:(apply Rdiv_lt_0_compat; lra)).
  unfold Rdiv in B. rewrite ln_mult, ln_Rinv in B by (try apply Rinv_0_lt_compat; lra).
  assert (C : sum M (fun a => delta_circumflex i a * exp (L i a - L_plus i) / T) <= (INR M * exp (2 / tau) - S) / T).
  { rewrite (sum_ext M _ (fun a => delta_circumflex i a * exp (L i a - L_plus i) * / T)), sum_scale_r by (intros; reflexivity).
    unfold Rdiv. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, TP|].
    apply Rle_trans with (sum M (fun a => 1 * exp (2 / tau) - exp (L i a - L_plus i))).
    - apply sum_le. intros a _. unfold L.
      replace (2 / tau + L_plus i - delta_circumflex i a - L_plus i) with (2 / tau + - delta_circumflex i a) by ring.
      rewrite exp_plus. assert (Q := exp_ineq1_le (delta_circumflex i a)). assert (P := exp_pos (- delta_circumflex i a)).
      assert (U : exp (- delta_circumflex i a) * exp (delta_circumflex i a) = 1) by (rewrite <- exp_plus, Rplus_opp_l; apply exp_0).
      assert (V : (1 + delta_circumflex i a) * exp (- delta_circumflex i a) <= 1) by nra. nra.
    - rewrite sum_minus, sum_scale_r, sum_one. right. reflexivity. }
  unfold ell, R_l. fold S T. replace ((INR M * exp (2 / tau) - S) / T) with (1 - (1 + S) * / T) in C by (unfold T; field; unfold T in TP; lra).
  unfold Rdiv in *. lra.
Qed.

(*! R24: chance *)
Proof.
  intros. unfold t_l. rewrite margin_squared by assumption.
  replace (- (R_l ^ 2 * ln (1 / delta_) / R_l ^ 2)) with (- ln (1 / delta_)) by (field; assumption).
  unfold Rdiv. rewrite Rmult_1_l, ln_Rinv, Ropp_involutive by assumption. apply exp_ln. assumption.
Qed.

(*! R24: enough *)
Proof. intros. apply margin_squared; assumption. Qed.
