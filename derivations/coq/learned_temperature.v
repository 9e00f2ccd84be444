(* Where a learned temperature converges if the scores are fixed. *)

(*! R1: right *)
Proof.
  intros. assert (S : forall i, sum A (P i) = 1) by (intros; apply shares, not_zero; sign). clearbody P.
  rewrite <- sum_opp. apply sum_ext. intros i I. unfold s. rewrite (differ_delta (p i)), delta_refl.
  rewrite (sum_ext A _ (fun a => s_plus i * P i a - differ a (p i) * P i a * delta_ i a)) by (intros; ring).
  rewrite sum_minus, sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite S. ring.
Qed.

(*! R1: cold *)
Proof.
  intros.
  assert (E : forall i, (i < N)%nat -> beta * s i (o i) - ln (INR A) <= beta * sum A (fun a => P i a * s i a)).
  { intros i I. assert (A0 := INR_pos A H). assert (Z : 0 < sum A (fun a => exp (L i a))) by sign.
    assert (S : sum A (P i) = 1) by (apply shares; lra).
    assert (B := mean_ln A (P i) (fun a => / (INR A * P i a)) ltac:(intros; apply Rlt_le; auto)
      ltac:(intros; apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto)). cbv beta in B. rewrite S in B.
    rewrite (sum_ext A (fun k => P i k * / (INR A * P i k)) (fun _ => 1 * / INR A)), sum_scale_r, sum_one in B
      by (intros; field; split; [lra|apply not_zero; auto]).
    rewrite Rinv_r in B by lra.
    rewrite (sum_ext A (fun k => P i k * ln (/ (INR A * P i k)))
      (fun k => P i k * (ln (sum A (fun a => exp (L i a))) - ln (INR A)) - beta * (P i k * s i k))) in B.
    - rewrite sum_minus, sum_scale_r, sum_scale in B. change (sum A (fun k => P i k)) with (sum A (P i)) in B. rewrite S in B.
      assert (G : ln (exp (L i (o i))) <= ln (sum A (fun a => exp (L i a)))).
      { apply ln_le; [apply exp_pos|]. rewrite <- (sum_delta A (o i) (fun a => exp (L i a))) by auto.
        apply sum_le. intros k K. rewrite <- (Rmult_1_l (exp (L i k))) at 2. apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
        unfold delta. destruct (Nat.eqb k (o i)); lra. }
      rewrite ln_exp in G. unfold L at 1 in G. lra.
    - intros k K. assert (P0 : 0 < P i k) by auto. rewrite ln_Rinv, ln_mult by first [assumption | apply Rmult_lt_0_compat; assumption].
      replace (ln (P i k)) with (L i k - ln (sum A (fun a => exp (L i a)))); [unfold L at 1; ring|].
      symmetry. rewrite <- (ln_exp (L i k)) at 1. apply (nf_ln_over _ _ _ (exp_pos _) Z eq_refl). }
  rewrite <- (sum_one N), <- !sum_scale, <- (sum_scale_r N (ln (INR A))), <- sum_minus. apply sum_le. intros i I. assert (B := E i I). lra.
Qed.
