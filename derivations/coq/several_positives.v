(* Several candidates of the anchor's class: as positives they repel one another, as negatives they set a floor. *)

(*! R6: floor *)
Proof.
  intros. assert (S : sum A (P i) = 1) by (apply shares, not_zero; sign).
  assert (P0 : forall a, 0 < P i a) by (intros; unfold P; sign).
  assert (n0 : 0 < n_plus i) by (unfold n_plus; sign).
  assert (Q : P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m) <= 1).
  { rewrite <- S, <- (sum_delta A (p i) (P i)) at 1 by auto. rewrite <- sum_plus. apply sum_le. intros m M. rewrite differ_delta.
    assert (X := P0 m). unfold delta. destruct (Nat.eqb m (p i)), (H3 i m) as [E|E]; rewrite E; lra. }
  assert (X := H4 i H1). cbv beta in X. unfold ell_in. rewrite <- ln_Rinv by exact X. apply ln_le; [exact n0|].
  assert (Q0 : 0 < P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m)).
  { apply Rmult_lt_reg_r with (/ n_plus i); [apply Rinv_0_lt_compat, n0|]. rewrite Rmult_0_l. exact X. }
  replace (/ (_ / n_plus i)) with (n_plus i * / (P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m))) by (field; lra).
  rewrite <- (Rmult_1_r (n_plus i)) at 1. apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(*! R6: order *)
Proof.
  intros. pose (w := fun m => differ m (p i) * Y_plus i m + delta m (p i)).
  assert (W : n_plus i = sum A w).
  { unfold n_plus, w. rewrite sum_plus, (sum_ext A (fun k => delta k (p i)) (fun k => delta k (p i) * 1)) by (intros; ring).
    rewrite sum_delta by auto. ring. }
  assert (Q : P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m) = sum A (fun m => w m * P i m)).
  { unfold w. rewrite (sum_ext A (fun m => (_ + _) * _) (fun m => differ m (p i) * P i m * Y_plus i m + delta m (p i) * P i m)) by (intros; ring).
    rewrite sum_plus, sum_delta by auto. ring. }
  assert (n0 : 0 < n_plus i) by (unfold n_plus; sign).
  unfold ell_in, ell_out. apply Ropp_le_contravar. rewrite Q, W. apply (mean_of_ln A w (P i)).
  - intros. unfold w. sign.
  - intros. auto.
  - rewrite <- W. exact n0.
  - rewrite <- Q. assert (X := H3 i H1). cbv beta in X. apply Rmult_lt_reg_r with (/ n_plus i); [apply Rinv_0_lt_compat, n0|]. rewrite Rmult_0_l. exact X.
Qed.

(*! R6: own *)
Proof.
  intros. assert (Y2 : forall a, Y_plus i a ^ 2 = Y_plus i a) by (intros a; destruct (H3 i a) as [E|E]; rewrite E; ring).
  replace (sum A (fun a => (1 - Y_plus i a) ^ 2 * differ a (p i) * P L i a))
    with (sum A (fun a => (1 - Y_plus i a) * differ a (p i) * P L i a)).
  - by_sums.
  - apply sum_ext. intros a _. replace ((1 - Y_plus i a) ^ 2) with (1 - 2 * Y_plus i a + Y_plus i a ^ 2) by ring. rewrite Y2. ring.
Qed.

(*! R13: floor *)
Proof.
  intros. apply sum_le. intros i I_. rewrite (Rmult_comm (ell_out i)). apply Rmult_le_compat_l; [unfold R_; sign|].
  eapply Rle_trans; [apply (R6_floor A N L Y_plus p i); assumption|apply (R6_order A N L Y_plus p i); assumption].
Qed.
