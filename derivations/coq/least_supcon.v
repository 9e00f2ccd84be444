(* The minimum of SupCon for unit rows: each class in one point, the points at the corners of a regular simplex. *)

Lemma positives : forall n i q e, (i < 1 + n)%nat -> (q < 1 + n)%nat -> q <> i ->
  sum (1 + n)%nat (fun j => differ j i * differ j q * e) = (INR n - 1) * e.
Proof.
  intros n i q e I Q D.
  rewrite (sum_ext _ _ (fun j => 1 * e - delta j i * e - delta j q * e)).
  - rewrite !sum_minus, (sum_delta _ i (fun _ => e)), (sum_delta _ q (fun _ => e)), sum_scale_r, sum_one by assumption.
    change (1 + n)%nat with (S n). rewrite S_INR. ring.
  - intros j _. rewrite !differ_delta. destruct (Nat.eq_dec j i) as [->|J].
    + rewrite delta_refl, (delta_differ i q) by auto. ring.
    + rewrite (delta_differ j i) by exact J. ring.
Qed.

Lemma negatives : forall n l k e, (k < 1 + n)%nat ->
  sum (1 + n)%nat (fun m => sum (1 + l)%nat (fun j => differ m k * e)) = INR n * (1 + INR l) * e.
Proof.
  intros n l k e K. rewrite (sum_ext _ _ (fun m => 1 * (INR (S l) * e) - delta m k * (INR (S l) * e))).
  - rewrite sum_minus, (sum_delta _ k (fun _ => INR (S l) * e)), sum_scale_r, sum_one by assumption.
    change (1 + n)%nat with (S n). rewrite !S_INR. ring.
  - intros m _. change (1 + l)%nat with (S l). rewrite (sum_ext _ _ (fun j => 1 * (differ m k * e))) by (intros; ring).
    rewrite sum_scale_r, sum_one, differ_delta. ring.
Qed.

(*! R19: in *)
Proof.
  intros. assert (X := INR_pos K H). assert (Y := INR_pos M H0). assert (T : 0 < tau) by assumption.
  assert (A : sum (1 + K)%nat (fun j => differ j i * differ j (p i) * exp (1 / tau)) = (INR K - 1) * exp (1 / tau)) by (apply positives; auto).
  assert (C : sum (1 + M)%nat (fun m => sum (1 + K)%nat (fun j => differ m k * exp (- (1 / tau / INR M))))
    = INR M * (1 + INR K) * exp (- (1 / tau / INR M))) by (apply negatives; assumption).
  assert (G : exp (- (1 / tau / INR M)) = exp (1 / tau) * exp t) by (unfold t; rewrite <- exp_plus; f_equal; field; lra).
  assert (P : 0 < Lambda) by (unfold Lambda; sign).
  assert (E := exp_pos (1 / tau)). rewrite A, C, G.
  replace ((INR K - 1) * exp (1 / tau) + INR M * (1 + INR K) * (exp (1 / tau) * exp t) + exp (1 / tau))
    with (exp (1 / tau) * Lambda) by (unfold Lambda; ring).
  replace ((INR K - 1) * exp (1 / tau) + exp (1 / tau)) with (exp (1 / tau) * INR K) by ring.
  rewrite !ln_mult by assumption. ring.
Qed.

(*! R19: out *)
Proof.
  intros. assert (X := INR_pos K H). assert (Y := INR_pos M H0). assert (T : 0 < tau) by assumption.
  assert (A : sum (1 + K)%nat (fun j => differ j i * differ j (p i) * exp (1 / tau)) = (INR K - 1) * exp (1 / tau)) by (apply positives; auto).
  assert (C : sum (1 + M)%nat (fun m => sum (1 + K)%nat (fun j => differ m k * exp (- (1 / tau / INR M))))
    = INR M * (1 + INR K) * exp (- (1 / tau / INR M))) by (apply negatives; assumption).
  assert (G : exp (- (1 / tau / INR M)) = exp (1 / tau) * exp t) by (unfold t; rewrite <- exp_plus; f_equal; field; lra).
  assert (P : 0 < Lambda) by (unfold Lambda; sign).
  assert (E := exp_pos (1 / tau)). rewrite A, C, G.
  replace ((INR K - 1) * exp (1 / tau) + INR M * (1 + INR K) * (exp (1 / tau) * exp t) + exp (1 / tau))
    with (exp (1 / tau) * Lambda) by (unfold Lambda; ring).
  rewrite ln_mult, ln_exp by assumption.
  assert (D : sum (1 + K)%nat (fun j => differ j i / tau) = INR K / tau).
  { rewrite (sum_ext _ _ (fun j => 1 * / tau - delta j i * / tau)) by (intros; rewrite differ_delta; unfold Rdiv; ring).
    rewrite sum_minus, (sum_delta _ i (fun _ => / tau)), sum_scale_r, sum_one by assumption. change (1 + K)%nat with (S K). rewrite S_INR. unfold Rdiv. ring. }
  rewrite D. field. lra.
Qed.
