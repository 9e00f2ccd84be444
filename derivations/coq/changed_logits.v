(* How much a row's loss changes if its logits do: bounds on the growth of the odds and of the loss. *)

(* Relative to the positive, the logit of each negative grows by e - s k. *)
Lemma odds_grow : forall M e (L : nat -> R) p (s : nat -> R),
  sum M (fun k => exp (e + L k - p - s k)) + sum M (fun k => s k * exp (e + L k - p - s k))
    <= sum M (fun k => exp (L k - p)) * exp e.
Proof.
  intros. rewrite <- sum_plus, <- sum_scale_r. apply sum_le. intros k _.
  replace (exp (L k - p) * exp e) with (exp (e + L k - p - s k) * exp (s k)) by (rewrite <- !exp_plus; f_equal; ring).
  assert (E := exp_pos (e + L k - p - s k)). assert (S := exp_ineq1_le (s k)). nra.
Qed.

(*! R25: odds *)
Proof. intros. apply odds_grow. Qed.

(*! R25: loss *)
Proof.
  intros. pose (S0 := 1 + O_0 i). pose (S1 := 1 + O_1 i).
  assert (O0 : 0 < O_0 i) by (unfold O_0; sign). assert (O1 : 0 < O_1 i) by (unfold O_1; sign).
  assert (S0P : 0 < S0) by (unfold S0; lra). assert (S1P : 0 < S1) by (unfold S1; lra).
  assert (PP : forall k, (k < M)%nat -> 0 <= P_1 i k) by (intros; unfold P_1; fold S1; sign).
  assert (B := mean_ln M (P_1 i) (fun k => exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i))) PP ltac:(intros; apply exp_pos)).
  cbv beta in B.
  assert (T : sum M (P_1 i) = O_1 i / S1).
  { unfold P_1. fold S1. unfold Rdiv. rewrite sum_scale_r. reflexivity. }
  assert (Q : exp (ell_1 i - ell_0 i) = S1 / S0).
  { unfold Rminus. rewrite exp_plus, exp_Ropp. unfold ell_1, ell_0. rewrite !exp_ln by assumption. reflexivity. }
  rewrite (sum_ext M (fun k => P_1 i k * exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i)))
    (fun k => exp (L i k - L_plus i) * / S0)), sum_scale_r in B.
  2: { intros k K. rewrite exp_plus, Q. unfold P_1. fold S1.
    replace (exp (L i k - L_plus i)) with (exp (epsilon_circumflex + L i k - L_plus i - delta_circumflex i k)
      * exp (delta_circumflex i k - epsilon_circumflex)) by (rewrite <- exp_plus; f_equal; ring). field. lra. }
  rewrite (sum_ext M (fun k => P_1 i k * ln (exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i))))
    (fun k => P_1 i k * delta_circumflex i k + P_1 i k * (ell_1 i - ell_0 i - epsilon_circumflex))), sum_plus, sum_scale_r in B
    by (intros; rewrite ln_exp; ring).
  change (sum M (fun k => P_1 i k)) with (sum M (P_1 i)) in *. rewrite T in *.
  change (sum M (fun k => exp (L i k - L_plus i))) with (O_0 i) in B.
  assert (C := exp_ineq1_le (ell_1 i - ell_0 i)). rewrite Q in C.
  assert (D : (ell_1 i - ell_0 i) / S1 <= / S0 - / S1).
  { apply Rmult_le_reg_r with S1; [assumption|]. replace ((ell_1 i - ell_0 i) / S1 * S1) with (ell_1 i - ell_0 i) by (field; lra).
    replace ((/ S0 - / S1) * S1) with (S1 / S0 - 1) by (field; lra). lra. }
  assert (E0 : O_0 i * / S0 = 1 - / S0) by (unfold S0; field; lra).
  assert (E1 : O_1 i / S1 = 1 - / S1) by (unfold S1; field; lra).
  rewrite E0 in B. rewrite E1 in B |- *. unfold Rdiv in D. lra.
Qed.

(*! R26: odds *)
Proof. intros. apply odds_grow. Qed.

(*! R26: moved *)
Proof.
  intros. assert (E := exp_pos (1 / 4)).
  replace (exp (1 / 2)) with (exp (1 / 4) * exp (1 / 4)) by (rewrite <- exp_plus; f_equal; lra).
  field. repeat split; nra.
Qed.
