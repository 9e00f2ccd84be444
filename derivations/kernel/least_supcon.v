(* The minimum of SupCon for unit rows: each class in one point, the points at the corners of a regular simplex. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

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

(*! R19: centre *)
Theorem R19_centre :
  forall (K M d : nat) (w : nat -> nat -> nat -> R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < d)%nat ->
  let norm_w (k i : nat) : R := sqrt (sum d (fun f : nat => w k i f ^ 2)) in
  let z (k i f : nat) : R := w k i f / norm_w k i in
  (forall i : nat, forall k : nat, norm_w k i <> 0) ->
  0 <= sum d (fun f : nat => (sum (1 + M)%nat (fun k : nat => sum (1 + K)%nat (fun i : nat => z k i f))) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! R19: pairs *)
Theorem R19_pairs :
  forall (K M d : nat) (w : nat -> nat -> nat -> R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < d)%nat ->
  let norm_w (k i : nat) : R := sqrt (sum d (fun f : nat => w k i f ^ 2)) in
  let z (k i f : nat) : R := w k i f / norm_w k i in
  (forall i : nat, forall k : nat, norm_w k i <> 0) ->
  0 <= sum (1 + M)%nat (fun k : nat => sum (1 + K)%nat (fun i : nat => sum (1 + K)%nat (fun j : nat => sum d
    (fun f : nat => (z k i f - z k j f) ^ 2)))) / 2.
(*! *)
Proof. by_signs. Qed.

(*! R19: near *)
Theorem R19_near :
  forall (K M d : nat) (tau : R) (w : nat -> nat -> nat -> R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (k i : nat) : R := sqrt (sum d (fun f : nat => w k i f ^ 2)) in
  let z (k i f : nat) : R := w k i f / norm_w k i in
  let L (k i m j : nat) : R := sum d (fun f : nat => z k i f * z m j f) / tau in
  (forall i : nat, forall k : nat, norm_w k i <> 0) ->
  0 <= INR M * (1 + INR K) * sum (1 + M)%nat (fun k : nat => sum (1 + K)%nat (fun i : nat => sum (1 + K)%nat
    (fun j : nat => differ j i * sum d (fun f : nat => (z k i f - z k j f) ^ 2) * exp (L k i k j - 1 / tau))))
    / 2 / INR K.
(*! *)
Proof. by_signs. Qed.

(*! R19: squares *)
Theorem R19_squares :
  forall (K M d : nat) (t Lambda tau : R) (w : nat -> nat -> nat -> R) (p : nat -> nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < Lambda) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (k i : nat) : R := sqrt (sum d (fun f : nat => w k i f ^ 2)) in
  let z (k i f : nat) : R := w k i f / norm_w k i in
  let L (k i m j : nat) : R := sum d (fun f : nat => z k i f * z m j f) / tau in
  let ell_in (k i : nat) : R := ln (INR K) + ln (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) *
    exp (L k i k j)) + sum (1 + M)%nat (fun m : nat => sum (1 + K)%nat (fun j : nat => differ m k * exp (L k i
    m j))) + exp (L k i k (p i))) - ln (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) * exp (L k
    i k j)) + exp (L k i k (p i))) in
  (forall i : nat, forall k : nat, norm_w k i <> 0) ->
  0 <= (INR K * sum (1 + M)%nat (fun k : nat => sum (1 + K)%nat (fun i : nat => (sqrt Lambda * exp (- (ell_in
    k i / 2)) - 1) ^ 2)) + sum (1 + M)%nat (fun k : nat => sum (1 + K)%nat (fun i : nat => sum (1 + M)%nat
    (fun m : nat => sum (1 + K)%nat (fun j : nat => (sqrt Lambda * sqrt (INR K) * exp (L k i m j / 2 - t / 2 -
    ell_in k i / 2) / sqrt (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) * exp (L k i k j)) +
    exp (L k i k (p i))) - 1) ^ 2 * differ m k)))) * exp t) / Lambda / (1 + INR K) / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! R19: more *)
Theorem R19_more :
  forall (K M : nat) (tau : R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < tau) ->
  let t : R := (- 1 - INR M) / tau / INR M in
  let Lambda : R := INR K + INR M * (1 + INR K) * exp t in
  Lambda / INR K = 1 + INR M * (1 + INR K) * exp t / INR K.
(*! *)
Proof. by_sums. Qed.

(*! R19: excess *)
Theorem R19_excess :
  forall (K M : nat) (t : R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  0 < INR M * (1 + INR K) * exp t / INR K.
(*! *)
Proof. by_signs. Qed.

(*! R19: cosine *)
Theorem R19_cosine :
  forall (M : nat) (tau : R),
  (0 < tau) ->
  (0 < M)%nat ->
  let t : R := (- 1 - INR M) / tau / INR M in
  1 + t * tau = - (1 / INR M).
(*! *)
Proof. by_sums. Qed.

(*! R19: in *)
Theorem R19_in :
  forall (K M : nat) (tau : R) (p : nat -> nat) (i k : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (i < 1 + K)%nat ->
  (forall i : nat, (i < 1 + K)%nat -> (p i < 1 + K)%nat) ->
  (k < 1 + M)%nat ->
  let t : R := (- 1 - INR M) / tau / INR M in
  let Lambda : R := INR K + INR M * (1 + INR K) * exp t in
  ln (INR K) + ln (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) * exp (1 / tau)) + sum (1 +
    M)%nat (fun m : nat => sum (1 + K)%nat (fun j : nat => differ m k * exp (- (1 / tau / INR M)))) + exp (1 /
    tau)) - ln (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) * exp (1 / tau)) + exp (1 / tau))
    = ln Lambda.
(*! *)
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
Theorem R19_out :
  forall (K M : nat) (tau : R) (p : nat -> nat) (i k : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (0 < tau) ->
  (i < 1 + K)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < 1 + K)%nat -> (p i < 1 + K)%nat) ->
  (k < 1 + M)%nat ->
  let t : R := (- 1 - INR M) / tau / INR M in
  let Lambda : R := INR K + INR M * (1 + INR K) * exp t in
  ln (sum (1 + K)%nat (fun j : nat => differ j i * differ j (p i) * exp (1 / tau)) + sum (1 + M)%nat (fun m :
    nat => sum (1 + K)%nat (fun j : nat => differ m k * exp (- (1 / tau / INR M)))) + exp (1 / tau)) - sum (1
    + K)%nat (fun j : nat => differ j i / tau) / INR K = ln Lambda.
(*! *)
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
