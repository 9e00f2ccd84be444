(* The effective number of negatives: exp of the entropy of their shares of the push. *)

(*! R17: loss *)
Proof.
  intros. unfold M_equal. unfold Rminus. rewrite exp_plus, <- Rmult_assoc, <- exp_plus. unfold rho.
  rewrite (entropy M (L i)), exp_ln, exp_Ropp by sign. assert (E := exp_pos (L_plus i)).
  apply odds; [exact E|sign|]. field. lra.
Qed.

(*! R17: equal *)
Proof.
  intros. assert (X := INR_pos M H). assert (E := exp_pos x). unfold M_equal, rho, L.
  assert (S : sum M (fun _ => exp (x)) = INR M * exp (x)).
  { rewrite (sum_ext M _ (fun _ => 1 * exp (x))), sum_scale_r, sum_one by (intros; ring). reflexivity. }
  rewrite S. replace (exp (x) / (INR M * exp (x))) with (/ INR M) by (field; lra).
  rewrite ln_Rinv by exact X. rewrite (sum_ext M _ (fun _ => 1 * (/ INR M * - ln (INR M)))), sum_scale_r, sum_one by (intros; ring).
  replace (- (INR M * (/ INR M * - ln (INR M)))) with (ln (INR M)) by (field; lra). apply exp_ln, X.
Qed.

(*! R17: most *)
Proof.
  intros. assert (X := INR_pos M H). assert (S : 0 < sum M (fun m => exp (L i m))) by sign.
  assert (R1 : sum M (rho i) = 1) by (apply shares; lra).
  assert (B := mean_ln M (rho i) (fun a => / (INR M * rho i a)) ltac:(intros; apply Rlt_le; auto)
    ltac:(intros; apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto)). cbv beta in B.
  rewrite (sum_ext M (fun k => rho i k * / (INR M * rho i k)) (fun _ => / INR M * 1)), sum_scale, sum_one, R1, Rinv_l, Rminus_eq_0 in B
    by (try lra; intros a A; assert (P := H0 a A i); field; lra).
  rewrite (sum_ext M (fun k => rho i k * ln (/ (INR M * rho i k))) (fun k => - (rho i k * ln (INR M)) - rho i k * ln (rho i k))) in B.
  - rewrite sum_minus, sum_opp, sum_scale_r in B. change (sum M (fun k => rho i k)) with (sum M (rho i)) in B. rewrite R1 in B. lra.
  - intros a A. assert (P := H0 a A i). rewrite ln_Rinv, ln_mult by (assumption || (apply Rmult_lt_0_compat; assumption)). ring.
Qed.
