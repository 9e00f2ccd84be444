(* InfoNCE of queries against keys: one positive for each query, and negatives of each query alone or shared by all. *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! D2.6: gradient *)
Theorem D2_6_gradient :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, p i <> i) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z k f x) k) (z k f) ((P z k k * z k f + sum N (fun j : nat => P z k j * z
    j f) - z (p k) f) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.7: share *)
Theorem D2_7_share :
  forall (M d : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat -> nat
    -> R) (i : nat),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let P (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) in
  0 < sum M (fun m : nat => P i m).
(*! *)
Proof. by_signs. Qed.

(*! D2.8: gradient *)
Theorem D2_8_gradient :
  forall (A d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (z : nat -> nat -> R) (i a : nat) : R := exp (L z i a) / sum A (fun m : nat => exp (L z i m)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z i f x) i) (z i f) ((sum A (fun a : nat => P z i a * y a f) - y (p i) f)
    / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.9: gradient *)
Theorem D2_9_gradient :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (z : nat -> nat -> R) (i a : nat) : R := exp (L z i a) / sum A (fun m : nat => exp (L z i m)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z i f x) i) (z i f) (((P z i (p i) - 1) * y (p i) f + sum A (fun a : nat
    => differ a (p i) * P z i a * y a f)) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.10: positive *)
Theorem D2_10_positive :
  forall (A d : nat) (tau : R) (y z : nat -> nat -> R) (a i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < A)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 < P i a.
(*! *)
Proof. by_signs. Qed.

(*! D2.10: sum *)
Theorem D2_10_sum :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  P i (p i) + sum A (fun a : nat => differ a (p i) * P i a) = 1.
(*! *)
Proof. by_sums. Qed.

(*! M13: positive *)
Theorem M13_positive :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  0 < tau * exp (- (x / tau)) / (1 + exp (- (x / tau))).
(*! *)
Proof. by_signs. Qed.

(*! M13: softplus *)
Theorem M13_softplus :
  forall (L : nat -> nat -> R) (i j k : nat),
  - (ln (exp (L i j) / (exp (L i j) + exp (L i k)))) = ln (1 + exp (L i k - L i j)).
(*! *)
Proof.
  intros. rewrite <- ln_Rinv by sign. f_equal. unfold Rminus. rewrite exp_plus, exp_Ropp.
  field. repeat split; sign.
Qed.

(*! M13: ahead *)
Theorem M13_ahead :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  tau * ln (1 + exp (x / tau)) - x = tau * ln (1 + exp (- (x / tau))).
(*! *)
Proof.
  intros. replace (1 + exp (x / tau)) with (exp (x / tau) * (1 + exp (- (x / tau)))).
  - rewrite ln_mult, ln_exp by sign. field. lra.
  - rewrite exp_Ropp. field. sign.
Qed.

(*! M13: above *)
Theorem M13_above :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  tau * ln (1 + exp (- (x / tau))) <= tau * exp (- (x / tau)).
(*! *)
Proof.
  intros. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply ln_below; sign|lra].
Qed.

(*! M13: below *)
Theorem M13_below :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  - (tau * ln (1 + exp (- (x / tau)))) <= - (tau * exp (- (x / tau)) / (1 + exp (- (x / tau)))).
(*! *)
Proof.
  intros. set (e := exp (- (x / tau))). assert (E : 0 < e) by apply exp_pos.
  assert (B := ln_below (/ (1 + e)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in B by lra.
  apply Ropp_le_contravar. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  replace (e * / (1 + e)) with (1 - / (1 + e)) by (field; lra). lra.
Qed.

(*! D2.6: printed *)
Theorem D2_6_printed :
  let N : nat := (2)%nat in
  let d : nat := (2)%nat in
  let tau : R := 1 in
  let z : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: (0 :: 1 :: nil) :: nil)%list in
  let p : nat -> nat := (places (1 :: 0 :: nil))%nat in
  let f : nat := (0)%nat in
  let k : nat := (0)%nat in
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  (P k k * z k f + sum N (fun j : nat => P k j * z j f) - z (p k) f) / tau <> (sum N (fun j : nat => P k j * z
    j f) - z (p k) f) / tau.
(*! *)
Proof. at_point. Qed.

(*! query_key: by query *)
Theorem query_key_by_query :
  forall (M N d nu : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat ->
    nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (q : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus q i) / (sum M (fun m : nat => exp (L q i
    m)) + exp (L_plus q i)))) in
  let loss (q : nat -> nat -> R) : R := sum N (fun i : nat => ell q i) / INR nu in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / (sum M (fun m : nat => exp (L q i m)) + exp
    (L_plus q i)) in
  is_derive (fun x : R => loss (set2 q k f x)) (q k f) (sum M (fun a : nat => (k_minus k a f - k_plus k f) * P
    q k a) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: by positive *)
Theorem query_key_by_positive :
  forall (M N d nu : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat ->
    nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (k_plus : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_plus : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus k_plus i) / (sum M (fun m : nat =>
    exp (L i m)) + exp (L_plus k_plus i)))) in
  let loss (k_plus : nat -> nat -> R) : R := sum N (fun i : nat => ell k_plus i) / INR nu in
  let P (k_plus : nat -> nat -> R) (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp
    (L_plus k_plus i)) in
  is_derive (fun x : R => loss (set2 k_plus k f x)) (k_plus k f) (- (sum M (fun a : nat => P k_plus k a * q k
    f) / tau / INR nu)).
(*! *)
Proof. by_sums. Qed.

(*! query_key: by negatives *)
Theorem query_key_by_negatives :
  forall (M N d nu : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat ->
    nat -> R) (a f k : nat),
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (a < M)%nat ->
  (k < N)%nat ->
  let L (k_minus : nat -> nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) /
    tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_minus : nat -> nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat =>
    exp (L k_minus i m)) + exp (L_plus i)))) in
  let loss (k_minus : nat -> nat -> nat -> R) : R := sum N (fun i : nat => ell k_minus i) / INR nu in
  let P (k_minus : nat -> nat -> nat -> R) (i a : nat) : R := exp (L k_minus i a) / (sum M (fun m : nat => exp
    (L k_minus i m)) + exp (L_plus i)) in
  is_derive (fun x : R => loss (set3 k_minus k a f x)) (k_minus k a f) (P k_minus k a * q k f / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

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
Theorem query_key_by_temperature :
  forall (M N d nu : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat ->
    nat -> R),
  (0 < tau) ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (tau : R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L_plus tau i) / (sum M (fun m : nat => exp (L tau i m)) + exp
    (L_plus tau i)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i a : nat) : R := exp (L tau i a) / (sum M (fun m : nat => exp (L tau i m)) + exp (L_plus
    tau i)) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum M (fun a : nat => (L tau i a - L_plus tau
    i) * P tau i a)) / tau / INR nu)).
(*! *)
Proof.
  intros. apply (by_temperature M N nu tau (fun i a => sum d (fun f => q i f * k_minus i a f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! query_key: shared: by query *)
Theorem query_key_shared__by_query :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (q : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus q i) / (sum M (fun m : nat => exp (L q i
    m)) + exp (L_plus q i)))) in
  let loss (q : nat -> nat -> R) : R := sum N (fun i : nat => ell q i) / INR nu in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / (sum M (fun m : nat => exp (L q i m)) + exp
    (L_plus q i)) in
  is_derive (fun x : R => loss (set2 q k f x)) (q k f) (sum M (fun a : nat => (k' a f - k_plus k f) * P q k a)
    / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: shared: by positive *)
Theorem query_key_shared__by_positive :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (k_plus : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_plus : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus k_plus i) / (sum M (fun m : nat =>
    exp (L i m)) + exp (L_plus k_plus i)))) in
  let loss (k_plus : nat -> nat -> R) : R := sum N (fun i : nat => ell k_plus i) / INR nu in
  let P (k_plus : nat -> nat -> R) (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp
    (L_plus k_plus i)) in
  is_derive (fun x : R => loss (set2 k_plus k f x)) (k_plus k f) (- (sum M (fun a : nat => P k_plus k a * q k
    f) / tau / INR nu)).
(*! *)
Proof. by_sums. Qed.

(*! query_key: shared: by negatives *)
Theorem query_key_shared__by_negatives :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R) (a f : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < M)%nat ->
  (f < d)%nat ->
  (a < M)%nat ->
  let L (k' : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k' : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L k' i
    m)) + exp (L_plus i)))) in
  let loss (k' : nat -> nat -> R) : R := sum N (fun i : nat => ell k' i) / INR nu in
  let P (k' : nat -> nat -> R) (i a : nat) : R := exp (L k' i a) / (sum M (fun m : nat => exp (L k' i m)) +
    exp (L_plus i)) in
  is_derive (fun x : R => loss (set2 k' a f x)) (k' a f) (sum N (fun i : nat => P k' i a * q i f) / tau / INR
    nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: shared: by temperature *)
Theorem query_key_shared__by_temperature :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R),
  (0 < tau) ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (tau : R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L_plus tau i) / (sum M (fun m : nat => exp (L tau i m)) + exp
    (L_plus tau i)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i a : nat) : R := exp (L tau i a) / (sum M (fun m : nat => exp (L tau i m)) + exp (L_plus
    tau i)) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum M (fun a : nat => (L tau i a - L_plus tau
    i) * P tau i a)) / tau / INR nu)).
(*! *)
Proof.
  intros. apply (by_temperature M N nu tau (fun i a => sum d (fun f => k' a f * q i f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! D2.7: odds *)
Theorem D2_7_odds :
  forall (M N d nu : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat ->
    nat -> R),
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss = sum N (fun i : nat => ln (1 + sum M (fun m : nat => exp (L i m - L_plus i)))) / INR nu.
(*! *)
Proof.
  intros. unfold_names. f_equal. apply sum_ext. intros i _. apply odds; [sign|sign|sums].
Qed.

(*! D2.7: below *)
Theorem D2_7_below :
  forall (M d : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat -> nat
    -> R) (i : nat),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  let P (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) in
  - (ell i) <= - (sum M (fun m : nat => P i m)).
(*! *)
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

(*! query_key: masked: by query *)
Theorem query_key_masked__by_query :
  forall (M N d nu : nat) (tau : R) (Y_k k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat
    -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (q : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus q i) / (sum M (fun m : nat => Y_k i m *
    exp (L q i m)) + exp (L_plus q i)))) in
  let loss (q : nat -> nat -> R) : R := sum N (fun i : nat => ell q i) / INR nu in
  let P (q : nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L q i a) / (sum M (fun m : nat => Y_k i m *
    exp (L q i m)) + exp (L_plus q i)) in
  is_derive (fun x : R => loss (set2 q k f x)) (q k f) (sum M (fun a : nat => (k_minus k a f - k_plus k f) * P
    q k a) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked: by positive *)
Theorem query_key_masked__by_positive :
  forall (M N d nu : nat) (tau : R) (Y_k k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat
    -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (k_plus : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_plus : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus k_plus i) / (sum M (fun m : nat =>
    Y_k i m * exp (L i m)) + exp (L_plus k_plus i)))) in
  let loss (k_plus : nat -> nat -> R) : R := sum N (fun i : nat => ell k_plus i) / INR nu in
  let P (k_plus : nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L i a) / (sum M (fun m : nat => Y_k i m *
    exp (L i m)) + exp (L_plus k_plus i)) in
  is_derive (fun x : R => loss (set2 k_plus k f x)) (k_plus k f) (- (sum M (fun a : nat => P k_plus k a * q k
    f) / tau / INR nu)).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked: by negatives *)
Theorem query_key_masked__by_negatives :
  forall (M N d nu : nat) (tau : R) (Y_k k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat
    -> nat -> R) (a f k : nat),
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < M)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (a < M)%nat ->
  (k < N)%nat ->
  let L (k_minus : nat -> nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) /
    tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_minus : nat -> nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat =>
    Y_k i m * exp (L k_minus i m)) + exp (L_plus i)))) in
  let loss (k_minus : nat -> nat -> nat -> R) : R := sum N (fun i : nat => ell k_minus i) / INR nu in
  let P (k_minus : nat -> nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L k_minus i a) / (sum M (fun m :
    nat => Y_k i m * exp (L k_minus i m)) + exp (L_plus i)) in
  is_derive (fun x : R => loss (set3 k_minus k a f x)) (k_minus k a f) (P k_minus k a * q k f / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked: by temperature *)
Theorem query_key_masked__by_temperature :
  forall (M N d nu : nat) (tau : R) (Y_k k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat
    -> nat -> R),
  (0 < tau) ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (tau : R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L_plus tau i) / (sum M (fun m : nat => Y_k i m * exp (L tau i
    m)) + exp (L_plus tau i)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i a : nat) : R := Y_k i a * exp (L tau i a) / (sum M (fun m : nat => Y_k i m * exp (L tau i
    m)) + exp (L_plus tau i)) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum M (fun a : nat => (L tau i a - L_plus tau
    i) * P tau i a)) / tau / INR nu)).
(*! *)
Proof.
  intros. apply (kept_by_temperature M N nu tau Y_k (fun i a => sum d (fun f => q i f * k_minus i a f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.

(*! query_key: masked shared: by query *)
Theorem query_key_masked_shared__by_query :
  forall (M N d nu : nat) (tau : R) (Y_k k' k_plus q : nat -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (q : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus q i) / (sum M (fun m : nat => Y_k i m *
    exp (L q i m)) + exp (L_plus q i)))) in
  let loss (q : nat -> nat -> R) : R := sum N (fun i : nat => ell q i) / INR nu in
  let P (q : nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L q i a) / (sum M (fun m : nat => Y_k i m *
    exp (L q i m)) + exp (L_plus q i)) in
  is_derive (fun x : R => loss (set2 q k f x)) (q k f) (sum M (fun a : nat => (k' a f - k_plus k f) * P q k a)
    / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked shared: by positive *)
Theorem query_key_masked_shared__by_positive :
  forall (M N d nu : nat) (tau : R) (Y_k k' k_plus q : nat -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (k_plus : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k_plus : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus k_plus i) / (sum M (fun m : nat =>
    Y_k i m * exp (L i m)) + exp (L_plus k_plus i)))) in
  let loss (k_plus : nat -> nat -> R) : R := sum N (fun i : nat => ell k_plus i) / INR nu in
  let P (k_plus : nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L i a) / (sum M (fun m : nat => Y_k i m *
    exp (L i m)) + exp (L_plus k_plus i)) in
  is_derive (fun x : R => loss (set2 k_plus k f x)) (k_plus k f) (- (sum M (fun a : nat => P k_plus k a * q k
    f) / tau / INR nu)).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked shared: by negatives *)
Theorem query_key_masked_shared__by_negatives :
  forall (M N d nu : nat) (tau : R) (Y_k k' k_plus q : nat -> nat -> R) (a f : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < M)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (f < d)%nat ->
  (a < M)%nat ->
  let L (k' : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (k' : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => Y_k i m * exp
    (L k' i m)) + exp (L_plus i)))) in
  let loss (k' : nat -> nat -> R) : R := sum N (fun i : nat => ell k' i) / INR nu in
  let P (k' : nat -> nat -> R) (i a : nat) : R := Y_k i a * exp (L k' i a) / (sum M (fun m : nat => Y_k i m *
    exp (L k' i m)) + exp (L_plus i)) in
  is_derive (fun x : R => loss (set2 k' a f x)) (k' a f) (sum N (fun i : nat => P k' i a * q i f) / tau / INR
    nu).
(*! *)
Proof. by_sums. Qed.

(*! query_key: masked shared: by temperature *)
Theorem query_key_masked_shared__by_temperature :
  forall (M N d nu : nat) (tau : R) (Y_k k' k_plus q : nat -> nat -> R),
  (0 < tau) ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (tau : R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L_plus tau i) / (sum M (fun m : nat => Y_k i m * exp (L tau i
    m)) + exp (L_plus tau i)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i a : nat) : R := Y_k i a * exp (L tau i a) / (sum M (fun m : nat => Y_k i m * exp (L tau i
    m)) + exp (L_plus tau i)) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum M (fun a : nat => (L tau i a - L_plus tau
    i) * P tau i a)) / tau / INR nu)).
(*! *)
Proof.
  intros. apply (kept_by_temperature M N nu tau Y_k (fun i a => sum d (fun f => k' a f * q i f))
    (fun i => sum d (fun f => k_plus i f * q i f))); assumption.
Qed.
