(* Soft targets: the cross-entropy of scores against a distribution over the candidates (document F). *)

(*! F5: error *)
Proof.
  intros. assert (S : sum A (P i) = 1) by (apply shares, not_zero; sign). unfold G.
  rewrite (sum_ext A _ (fun m => P i a * Y_t i m - P i m * Y_t i a)).
  - rewrite sum_minus, sum_scale, sum_scale_r. change (P i a * sum A (Y_t i) - sum A (P i) * Y_t i a = P i a * sum A (Y_t i) - Y_t i a).
    rewrite S. ring.
  - intros m _. unfold differ. destruct (Nat.eqb_spec m a) as [->|]; ring.
Qed.
