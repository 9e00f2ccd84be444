(* The bounds on mutual information from SupCon's two losses: positives inside or outside the logarithm. *)

(*! R3: bound *)
Proof.
  intros. assert (n0 := INR_pos N H). assert (k0 := INR_pos K_p H6). assert (m0 := INR_pos M H1).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; sign). assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  pose (s := INR N / INR K_p / INR M). assert (s0 : 0 < s) by (unfold s; sign).
  assert (P0 : forall m, sigma m + sum D (fun n => s * phi n * delta m (Lambda n)) = Psi m).
  { intros m. rewrite (sum_ext D _ (fun n => s * (phi n * delta m (Lambda n)))), sum_scale by (intros; ring). unfold Psi, s. field. lra. }
  assert (B := information_bound D Omega (INR K_p) J' R_ (fun n => s * phi n) sigma varrho_p Lambda H8 k0).
  cbv beta in B. refine (Rle_trans _ _ _ _ (B _ _ _ _ _ _ _ _)).
  - right. unfold loss_in. unfold Rminus. rewrite Ropp_involutive.
    assert (J1 : sum D J' = 1) by (apply shares, not_zero; sign).
    transitivity (sum D (fun n => J' n * ln (INR N) + J' n * ln (phi n / INR M / Phi n))).
    + rewrite sum_plus, sum_scale_r. change (sum D (fun n => J' n)) with (sum D J'). rewrite J1. ring.
    + transitivity (sum D (fun n => J' n * ln (INR K_p) + J' n * ln (s * phi n / Phi n))).
      * apply sum_ext. intros n K. assert (F := H2 n). assert (Q : 0 < Phi n).
        { unfold Phi. apply Rplus_lt_le_0_compat; [|apply H7]. sign. }
        unfold s, Rdiv. rewrite !ln_mult, !ln_Rinv by (repeat (apply Rmult_lt_0_compat || apply Rinv_0_lt_compat || assumption)). ring.
      * rewrite sum_plus, sum_scale_r. change (sum D (fun n => J' n)) with (sum D J'). rewrite J1, Rmult_1_l. f_equal.
        apply sum_ext. intros n K. do 3 f_equal. unfold Phi.
        rewrite (sum_ext D (fun k => differ k n * (s * phi k) * _) (fun k => s * (differ k n * phi k * delta (Lambda k) (Lambda n)))), sum_scale by (intros; ring).
        unfold s. field. lra.
  - intros. apply Rlt_le, R0.
  - intros. apply Rmult_lt_0_compat; auto.
  - exact H7.
  - intros. unfold varrho_p. assert (a := J0 k). assert (b := R0 (Lambda k)). sign.
  - intros m K. rewrite P0. apply H10, K.
  - intros n K. assert (b := R0 (Lambda n)). unfold varrho_p. field. lra.
  - apply shares, not_zero. sign.
  - apply shares, not_zero. sign.
Qed.
