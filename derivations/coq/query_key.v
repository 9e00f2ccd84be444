(* InfoNCE of queries against keys: one positive for each query, and negatives of each query alone or shared by all. *)

(*! M13: ahead *)
Proof.
  intros. replace (1 + exp (x / tau)) with (exp (x / tau) * (1 + exp (- (x / tau)))).
  - rewrite ln_mult, ln_exp by sign. field. lra.
  - rewrite exp_Ropp. field. sign.
Qed.

(*! M13: above *)
Proof.
  intros. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply ln_below; sign|lra].
Qed.

(*! M13: below *)
Proof.
  intros. set (e := exp (- (x / tau))). assert (E : 0 < e) by apply exp_pos.
  assert (B := ln_below (/ (1 + e)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in B by lra.
  apply Ropp_le_contravar. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  replace (e * / (1 + e)) with (1 - / (1 + e)) by (field; lra). lra.
Qed.

(* The derivative by the temperature, for any scores X and Y. *)
Lemma by_temperature : forall (M N nu : nat) (tau : R) (X : nat -> nat -> R) (Y : nat -> R),
  (0 < M)%nat -> (0 < N)%nat -> (0 < nu)%nat -> 0 < tau ->
  is_derive (fun t => sum N (fun i => - ln (exp (Y i / t) / (sum M (fun m => exp (X i m / t)) + exp (Y i / t)))) / INR nu)
    tau (- (sum N (fun i => sum M (fun a => (X i a / tau - Y i / tau)
      * (exp (X i a / tau) / (sum M (fun m => exp (X i m / tau)) + exp (Y i / tau))))) / tau / INR nu)).
Proof.
  intros. eapply d_eq; [diff; cbv beta; sign|]. cbv beta.
  match goal with |- _ = - (?s / tau / ?n) => replace (- (s / tau / n)) with ((-/ tau) * s / n) by (field; split; sign) end.
  f_equal. rewrite <- sum_scale. apply sum_ext. intros i _.
  assert (Z : 0 < sum M (fun m => exp (X i m / tau)) + exp (Y i / tau)) by sign.
  replace (sum M (fun a => exp (X i a / tau) * (0 * / tau - X i a * 1 * / tau * / tau)))
    with (- / tau * / tau * sum M (fun a => X i a * exp (X i a / tau))) by (rewrite <- sum_scale; apply sum_ext; intros; ring).
  transitivity (- / tau * (/ (sum M (fun m => exp (X i m / tau)) + exp (Y i / tau)) * / tau
    * (sum M (fun a => X i a * exp (X i a / tau)) - Y i * sum M (fun m => exp (X i m / tau))))).
  - field. split; lra.
  - f_equal. rewrite <- (sum_scale M (Y i)), <- sum_minus, <- sum_scale. apply sum_ext. intros. unfold Rdiv. ring.
Qed.

(*! query_key: by temperature *)
Proof.
  intros. apply (by_temperature M N nu tau (fun i a => sum d (fun f => q i f * k_minus i a f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! query_key: shared: by temperature *)
Proof.
  intros. apply (by_temperature M N nu tau (fun i a => sum d (fun f => k' a f * q i f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! D2.7: below *)
Proof.
  intros. unfold ell. rewrite Ropp_involutive. eapply Rle_trans; [apply ln_below; sign|].
  apply Req_le. unfold P, Rdiv. rewrite sum_scale_r. field. apply not_zero. sign.
Qed.

(* The same with a mask. *)
Lemma kept_by_temperature : forall (M N nu : nat) (tau : R) (c X : nat -> nat -> R) (Y : nat -> R), 0 < tau -> (forall i m, 0 <= c i m) ->
  is_derive (fun t => sum N (fun i => - ln (exp (Y i / t) / (sum M (fun m => c i m * exp (X i m / t)) + exp (Y i / t)))) / INR nu)
    tau (- (sum N (fun i => sum M (fun a => (X i a / tau - Y i / tau)
      * (c i a * exp (X i a / tau) / (sum M (fun m => c i m * exp (X i m / tau)) + exp (Y i / tau))))) / tau / INR nu)).
Proof.
  intros M N nu tau c X Y T C. assert (D : forall a, is_derive (fun t => a / t) tau (- a / tau / tau)) by (intros; eapply d_eq; [diff; lra|]; field; lra).
  eapply d_eq.
  - apply (d_over (fun t => sum N (fun i => - ln (exp (Y i / t) / (sum M (fun m => c i m * exp (X i m / t)) + exp (Y i / t)))))).
    apply (d_sum N (fun i t => - ln (exp (Y i / t) / (sum M (fun m => c i m * exp (X i m / t)) + exp (Y i / t))))
      tau (fun i => - sum M (fun a => (X i a / tau - Y i / tau) * (c i a * exp (X i a / tau) / (sum M (fun m => c i m * exp (X i m / tau)) + exp (Y i / tau)))) / tau)).
    intros i _. assert (Z : 0 < sum M (fun m => c i m * exp (X i m / tau)) + exp (Y i / tau)).
    { assert (E := exp_pos (Y i / tau)). assert (0 <= sum M (fun m => c i m * exp (X i m / tau))); [|lra].
      apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]. }
    eapply d_eq.
    + apply (d_opp (fun t => ln (exp (Y i / t) / (sum M (fun m => c i m * exp (X i m / t)) + exp (Y i / t))))).
      apply (d_ln_exp_over (fun t => Y i / t) (fun t => sum M (fun m => c i m * exp (X i m / t)) + exp (Y i / t))); [apply D| |exact Z].
      apply (d_plus (fun t => sum M (fun m => c i m * exp (X i m / t)))).
      * apply (d_sum M (fun m t => c i m * exp (X i m / t))). intros m _. apply (d_scale (fun t => exp (X i m / t))), (d_exp (fun t => X i m / t)), D.
      * apply (d_exp (fun t => Y i / t)), D.
    + set (g := sum M (fun m => c i m * exp (X i m / tau)) + exp (Y i / tau)) in *.
      rewrite (sum_ext M (fun m => c i m * (exp (X i m / tau) * (- X i m / tau / tau))) (fun m => - / tau / tau * (c i m * exp (X i m / tau) * X i m))) by (intros; field; lra).
      rewrite (sum_ext M (fun a => (X i a / tau - Y i / tau) * _) (fun a => / tau / g * (c i a * exp (X i a / tau) * X i a) - Y i / tau / g * (c i a * exp (X i a / tau))))
        by (intros; field; split; lra).
      rewrite sum_minus, !sum_scale. replace (sum M (fun k => c i k * exp (X i k / tau))) with (g - exp (Y i / tau)) by (unfold g; ring). field. split; lra.
  - rewrite <- !Ropp_div. apply (f_equal (fun t => t / INR nu)). unfold Rdiv. rewrite <- sum_opp, <- sum_scale_r. apply sum_ext. intros i _. ring.
Qed.

(*! query_key: masked: by temperature *)
Proof.
  intros. apply (kept_by_temperature M N nu tau Y_k (fun i a => sum d (fun f => q i f * k_minus i a f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! query_key: masked shared: by temperature *)
Proof.
  intros. apply (kept_by_temperature M N nu tau Y_k (fun i a => sum d (fun f => k' a f * q i f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.
