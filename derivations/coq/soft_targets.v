(* Soft targets: the cross-entropy of scores against a distribution over the candidates (document F). *)

(*! F5: error *)
Proof.
  intros. assert (S : sum A (P i) = 1) by (apply shares, not_zero; sign). unfold G.
  rewrite (sum_ext A _ (fun m => P i a * Y_t i m - P i m * Y_t i a)).
  - rewrite sum_minus, sum_scale, sum_scale_r. change (P i a * sum A (Y_t i) - sum A (P i) * Y_t i a = P i a * sum A (Y_t i) - Y_t i a).
    rewrite S. ring.
  - intros m _. unfold differ. destruct (Nat.eqb_spec m a) as [->|]; ring.
Qed.

Lemma shift : forall n c (u : nat -> R) a, ln (exp (c + u a) / sum n (fun m => exp (c + u m))) = ln (exp (u a) / sum n (fun m => exp (u m))).
Proof.
  intros. f_equal. rewrite (sum_ext n (fun m => exp (c + u m)) (fun m => exp c * exp (u m))) by (intros; apply exp_plus).
  rewrite sum_scale, exp_plus. unfold Rdiv. rewrite Rinv_mult.
  transitivity (exp c * / exp c * (exp (u a) * / sum n (fun m => exp (u m)))); [ring|].
  rewrite Rinv_r by apply not_zero, exp_pos. ring.
Qed.

(*! F4: shift *)
Proof. intros. unfold ell. f_equal. apply sum_ext. intros a _. f_equal. apply shift. Qed.

(*! F4: whole *)
Proof.
  intros. unfold loss, ell. f_equal. apply sum_ext. intros i _. f_equal. apply sum_ext. intros a _. f_equal. apply shift.
Qed.
