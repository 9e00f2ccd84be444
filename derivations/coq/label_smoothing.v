(* Label smoothing: cross-entropy against a target that gives every candidate some probability. *)

(*! R14: least *)
Proof.
  intros. assert (X := INR_pos A H). assert (P1 : sum A (P i) = 1) by (apply shares, not_zero; sign).
  assert (Y1 : sum A (Y_t i) = 1).
  { unfold Y_t. rewrite sum_plus, (sum_ext A (fun _ => epsilon / INR A) (fun _ => epsilon / INR A * 1)), sum_scale, sum_one by (intros; ring).
    rewrite (sum_ext A _ (fun a => delta a (p i) * (1 - epsilon))), sum_delta by (auto || intros; ring). field. lra. }
  assert (B := mean_ln A (Y_t i) (fun a => P i a / Y_t i a) ltac:(intros; apply Rlt_le; auto) ltac:(intros; apply Rdiv_lt_0_compat; auto)).
  cbv beta in B.
  rewrite (sum_ext A (fun a => Y_t i a * (P i a / Y_t i a)) (P i)), P1, Y1 in B by (intros a K; assert (Y := H3 a K i H1); field; lra).
  rewrite (sum_ext A (fun a => Y_t i a * ln (P i a / Y_t i a)) (fun a => Y_t i a * ln (P i a) - Y_t i a * ln (Y_t i a))), sum_minus in B.
  - unfold ell. lra.
  - intros a K. assert (Y := H3 a K i H1). assert (Q := H5 i H1 a). unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). ring.
Qed.
