(* Which estimators of mutual information with a learned score are bounds. *)

(*! R9: unbounded *)
Proof.
  intros. assert (X := INR_pos N H). rewrite (sum_ext N _ (fun _ => exp (- t) * 1)), sum_scale, sum_one by (intros; ring).
  replace (exp (- t) * INR N / INR N) with (exp (- t)) by (field; lra). rewrite ln_exp. ring.
Qed.

(*! R9: dv *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (T : 0 < sum V (fun i => Pi i * exp (u i))) by sign. assert (Z0 : 0 < Z_held) by (unfold Z_held; lra).
  assert (B := mean_ln V J (fun i => Pi i * exp (u i) / (Z_held * J i)) ltac:(intros; apply Rlt_le; auto)
    ltac:(intros k _; cbv beta; assert (P := H0 k); assert (Q := J0 k); sign)). cbv beta in B. rewrite J1 in B.
  rewrite (sum_ext V (fun k => J k * (Pi k * exp (u k) / (Z_held * J k))) (fun k => Pi k * exp (u k) * / Z_held)), sum_scale_r in B
    by (intros k _; assert (Q := J0 k); field; lra).
  rewrite (sum_ext V (fun k => J k * ln _) (fun k => u k * J k - J k * ln Z_held - J k * ln (J k / Pi k))) in B.
  - rewrite !sum_minus, sum_scale_r in B. change (sum V (fun k => J k)) with (sum V J) in B. rewrite J1 in B. fold information in B.
    assert (W : sum V (fun i => Pi i * exp (u i)) * / Z_held <= Z_held * / Z_held)
      by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Z0|unfold Z_held; lra]).
    rewrite Rinv_r in W by lra. lra.
  - intros k _. assert (Q := J0 k). assert (P := H0 k). unfold Rdiv.
    rewrite !ln_mult, !ln_Rinv, ln_mult, ln_exp by (repeat (assumption || apply exp_pos || apply Rinv_0_lt_compat || apply Rmult_lt_0_compat)). ring.
Qed.

(*! R9: nwj *)
Proof.
  intros. assert (D := R9_dv V sigma_held u Pi pi H H0 H1 H2). cbv zeta in D.
  assert (T : 0 < sum V (fun i => Pi i * exp (u i))) by sign. assert (Z0 : 0 < Z_held) by (unfold Z_held; lra).
  assert (L := ln_below (Z_held * exp (- 1)) ltac:(sign)). rewrite ln_mult, ln_exp in L by (exact Z0 || apply exp_pos).
  eapply Rle_trans; [|exact D]. fold J. apply Rplus_le_compat_l, Ropp_le_contravar. fold Z_held. lra.
Qed.

(*! R9: jensen *)
Proof.
  intros. assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign). assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  assert (B := mean_of_ln Omega R_ Z_circumflex ltac:(intros; apply Rlt_le; auto) ltac:(auto) ltac:(lra)
    ltac:(apply sum_pos; [assumption|intros; apply Rmult_lt_0_compat; auto])). rewrite R1, !over_one in B. exact B.
Qed.
