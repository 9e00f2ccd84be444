(* Bounds on the gradient and the second derivatives of the loss: by its logits, by one anchor, by all rows. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! M10: convex *)
Theorem M10_convex :
  forall (A d : nat) (tau : R) (q : nat -> nat -> R) (t : nat -> R) (w : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  0 <= sum A (fun a : nat => (sum d (fun h : nat => t h * z a h) - sum A (fun n : nat => sum d (fun h : nat =>
    t h * P i n * z n h))) ^ 2 * P i a).
(*! *)
Proof. by_signs. Qed.

(*! M10: bounded *)
Theorem M10_bounded :
  forall (A d : nat) (tau : R) (q : nat -> nat -> R) (t : nat -> R) (w : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  0 <= (sum A (fun n : nat => sum d (fun h : nat => t h * P i n * z n h))) ^ 2 + sum A (fun a : nat => P i a *
    sum d (fun f : nat => (t f - z a f * sum d (fun h : nat => t h * z a h)) ^ 2)).
(*! *)
Proof. by_signs. Qed.

(*! M10: form *)
Theorem M10_form :
  forall (A d : nat) (tau : R) (q : nat -> nat -> R) (t : nat -> R) (w : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun f : nat => sum d (fun g : nat => (sum A (fun a : nat => P i a * z a f * z a g) - sum A (fun n :
    nat => P i n * z n f) * sum A (fun n : nat => P i n * z n g)) * t f * t g)) = sum A (fun a : nat => (sum d
    (fun h : nat => t h * z a h) - sum A (fun n : nat => sum d (fun h : nat => t h * P i n * z n h))) ^ 2 * P
    i a).
(*! *)
Proof. by_sums. Qed.


(*! M14: bounded *)
Theorem M14_bounded :
  forall (A d : nat) (tau : R) (q w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  0 <= sum A (fun n : nat => sum A (fun m : nat => differ m (p i) * differ n (p i) * P i m * P i n * sum d
    (fun f : nat => (z n f - z m f) ^ 2 + (z m f + z (p i) f) ^ 2 + (z n f + z (p i) f) ^ 2))) / 2.
(*! *)
Proof. by_signs. Qed.

(*! M9: convex *)
Theorem M9_convex :
  forall (N : nat) (L u : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 <= sum N (fun j : nat => (u i j - sum N (fun m : nat => P i m * u i m)) ^ 2 * P i j).
(*! *)
Proof. by_signs. Qed.

(*! M9: half *)
Theorem M9_half :
  forall (N : nat) (L u : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 <= sum N (fun j : nat => (1 - 2 * P i j) ^ 2 * u i j ^ 2) / 2 + sum N (fun j : nat => sum N (fun k : nat
    => (u i j + u i k) ^ 2 * differ j k * P i j * P i k)) / 2.
(*! *)
Proof. by_signs. Qed.

(*! M9: form *)
Theorem M9_form :
  forall (N : nat) (L u : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  sum N (fun j : nat => sum N (fun k : nat => (P i j * delta j k - P i j * P i k) * u i j * u i k)) = sum N
    (fun j : nat => (u i j - sum N (fun m : nat => P i m * u i m)) ^ 2 * P i j).
(*! *)
Proof.
  intros. assert (S : sum N (P i) = 1) by (apply shares, not_zero; sign). set (m := sum N (fun m => P i m * u i m)).
  rewrite (sum_ext N (fun j => (u i j - m) ^ 2 * P i j) (fun j => u i j ^ 2 * P i j - 2 * m * (P i j * u i j) + m ^ 2 * P i j)) by (intros; ring).
  rewrite sum_plus, sum_minus, !sum_scale. change (sum N (fun k => P i k)) with (sum N (P i)). fold m. rewrite S.
  rewrite (sum_ext N _ (fun j => u i j ^ 2 * P i j - m * (P i j * u i j))).
  - rewrite sum_minus, sum_scale. fold m. ring.
  - intros j J. rewrite (sum_ext N _ (fun k => delta k j * (P i j * u i j * u i k) - P i j * u i j * (P i k * u i k)))
      by (intros; rewrite (delta_sym j); ring).
    rewrite sum_minus, sum_scale, (sum_delta N j (fun k => P i j * u i j * u i k)) by exact J. fold m. ring.
Qed.

(*! M9: gap *)
Theorem M9_gap :
  forall (N : nat) (L u : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  sum N (fun j : nat => u i j ^ 2) / 2 - sum N (fun j : nat => (u i j - sum N (fun m : nat => P i m * u i m))
    ^ 2 * P i j) = sum N (fun j : nat => (1 - 2 * P i j) ^ 2 * u i j ^ 2) / 2 + sum N (fun j : nat => sum N
    (fun k : nat => (u i j + u i k) ^ 2 * differ j k * P i j * P i k)) / 2.
(*! *)
Proof.
  intros. assert (S : sum N (P i) = 1) by (apply shares, not_zero; sign). set (m := sum N (fun m => P i m * u i m)).
  set (q := sum N (fun j => P i j * u i j ^ 2)).
  assert (L1 : sum N (fun j => (u i j - m) ^ 2 * P i j) = q - m ^ 2).
  { rewrite (sum_ext N _ (fun j => P i j * u i j ^ 2 - 2 * m * (P i j * u i j) + m ^ 2 * P i j)) by (intros; ring).
    rewrite sum_plus, sum_minus, !sum_scale. fold q m. change (sum N (fun k => P i k)) with (sum N (P i)). rewrite S. ring. }
  assert (R2 : sum N (fun j => sum N (fun k => (u i j + u i k) ^ 2 * differ j k * P i j * P i k))
    = 2 * q + 2 * m ^ 2 - 4 * sum N (fun j => P i j ^ 2 * u i j ^ 2)).
  { rewrite (sum_ext N _ (fun j => P i j * u i j ^ 2 + 2 * m * (P i j * u i j) + q * P i j - 4 * (P i j ^ 2 * u i j ^ 2))).
    - rewrite sum_minus, !sum_plus, !sum_scale. fold q m. change (sum N (fun k => P i k)) with (sum N (P i)). rewrite S. ring.
    - intros j J. rewrite (sum_ext N _ (fun k => P i j * u i j ^ 2 * P i k + 2 * (P i j * u i j) * (P i k * u i k) + P i j * (P i k * u i k ^ 2)
        - delta k j * ((u i j + u i k) ^ 2 * P i j * P i k))) by (intros; rewrite differ_delta, (delta_sym j); ring).
      rewrite sum_minus, !sum_plus, !sum_scale, (sum_delta N j (fun k => (u i j + u i k) ^ 2 * P i j * P i k)) by exact J.
      fold q m. change (sum N (fun k => P i k)) with (sum N (P i)). rewrite S. ring. }
  rewrite L1, R2. rewrite (sum_ext N (fun j => (1 - 2 * P i j) ^ 2 * u i j ^ 2)
    (fun j => u i j ^ 2 - 4 * (P i j * u i j ^ 2) + 4 * (P i j ^ 2 * u i j ^ 2))) by (intros; ring).
  rewrite sum_plus, sum_minus, !sum_scale. fold q. field.
Qed.

(*! M9: hessian *)
Theorem M9_hessian :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i j k : nat),
  (0 < N)%nat ->
  (j < N)%nat ->
  (k < N)%nat ->
  let P (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i (p i))) in
  (forall i : nat, 0 < P L i (p i)) ->
  is_derive (fun x : R => Derive (fun t : R => ell (set2 (set2 L i k x) i j t) i) ((set2 L i k x) i j)) (L i
    k) (P L i j * delta j k - P L i j * P L i k).
(*! *)
Proof.
  intros. assert (S0 : forall L, 0 < sum N (fun m => exp (L i m))) by (intros; sign).
  assert (D : forall L j, (j < N)%nat -> is_derive (fun x => ell (set2 L i j x) i) (L i j) (P L i j - delta (p i) j)).
  { intros M a A. unfold ell, P. eapply d_eq.
    - apply (d_opp (fun x => ln (exp (set2 M i a x i (p i)) / sum N (fun k => exp (set2 M i a x i k))))).
      apply (d_softmax N (fun x => set2 M i a x i) (fun m => delta i i * delta m a)); [assumption|intros; apply d_set2|apply d_set2].
    - cbv beta. rewrite set2_same, delta_refl.
      rewrite (sum_ext N _ (fun m => delta m a * (exp (M i m) / sum N (fun k => exp (M i k))))) by (intros; unfold Rdiv; ring).
      rewrite sum_delta by exact A. ring. }
  apply (is_derive_ext (fun x => P (set2 L i k x) i j - delta (p i) j)).
  - intros x. symmetry. apply is_derive_unique, (D (set2 L i k x) j). assumption.
  - apply d_eq with (P L i j * delta j k - P L i j * P L i k - 0); [|ring]. apply d_minus; [|apply d_const].
    unfold P. assert (S := S0 L). eapply d_eq.
    + apply (d_div (fun x => exp (set2 L i k x i j)) (fun x => sum N (fun m => exp (set2 L i k x i m)))).
      * apply (d_exp (fun x => set2 L i k x i j)), d_set2.
      * apply (d_sum N (fun m x => exp (set2 L i k x i m))). intros m _. apply (d_exp (fun x => set2 L i k x i m)), d_set2.
      * apply not_zero, S0.
    + cbv beta. rewrite set2_same, delta_refl. rewrite (sum_ext N (fun m => exp (L i m) * _) (fun m => delta m k * exp (L i m))) by (intros; ring).
      rewrite sum_delta by assumption. field. lra.
Qed.

(*! M14: gradient *)
Theorem M14_gradient :
  forall (A d : nat) (tau : R) (q w : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / sum A (fun m : nat => exp (L q i m)) in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (P q i (p i))) in
  (forall i : nat, 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, 0 < P q i (p i)) ->
  is_derive (fun x : R => ell (set2 q i f x) i) (q i f) (sum A (fun n : nat => (z n f - z (p i) f) * differ n
    (p i) * P q i n) / tau).
(*! *)
Proof.
  intros. assert (S : 0 < sum A (fun m => exp (L q i m))) by sign. unfold ell, P. eapply d_eq.
  - apply (d_opp (fun x => ln (exp (L (set2 q i f x) i (p i)) / sum A (fun k => exp (L (set2 q i f x) i k))))).
    assert (D : forall a, is_derive (fun x => L (set2 q i f x) i a) (q i f) (z a f / tau)).
    { intros a. unfold L. apply (d_over (fun x => sum d (fun g => set2 q i f x i g * z a g))). eapply d_eq.
      - apply (d_sum d (fun g x => set2 q i f x i g * z a g)). intros g _. apply (d_scale_r (fun x => set2 q i f x i g)), d_set2.
      - cbv beta. rewrite delta_refl, (sum_ext d _ (fun g => delta g f * z a g)) by (intros; ring). apply sum_delta. assumption. }
    apply (d_softmax A (fun x => L (set2 q i f x) i) (fun a => z a f / tau)); [assumption|intros; apply D|apply D].
  - cbv beta. rewrite set2_same.
    assert (S1 := shares A (fun m => exp (L q i m)) ltac:(lra)). cbv beta in S1. set (s := sum A (fun m => exp (L q i m))) in *.
    rewrite (sum_ext A (fun n => (z n f - z (p i) f) * _ * _) (fun n => z n f * (exp (L q i n) / s) - z (p i) f * (exp (L q i n) / s))).
    + rewrite sum_minus, sum_scale, S1. rewrite (sum_ext A (fun k => exp (L q i k) / s * _) (fun k => z k f * (exp (L q i k) / s) * / tau)) by (intros; unfold Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring.
    + intros n _. unfold differ. destruct (Nat.eqb_spec n (p i)) as [->|]; ring.
Qed.

(* The derivative of a probability by a variable of its logits. *)
Lemma d_probability : forall n (L : R -> nat -> R) (l : nat -> R) q x, (0 < n)%nat -> (forall j, is_derive (fun y => L y j) x (l j)) ->
  is_derive (fun y => exp (L y q) / sum n (fun k => exp (L y k))) x
    (exp (L x q) / sum n (fun k => exp (L x k)) * (l q - sum n (fun k => exp (L x k) / sum n (fun k => exp (L x k)) * l k))).
Proof.
  intros n L l q x N D. assert (S : 0 < sum n (fun k => exp (L x k))) by sign. eapply d_eq.
  - apply (d_div (fun y => exp (L y q)) (fun y => sum n (fun k => exp (L y k)))); [apply (d_exp (fun y => L y q)), D| |apply not_zero, S].
    apply (d_sum n (fun k y => exp (L y k))). intros k _. apply (d_exp (fun y => L y k)), D.
  - cbv beta. rewrite (sum_ext n (fun k => exp (L x k) / _ * _) (fun k => exp (L x k) * l k * / sum n (fun k => exp (L x k)))) by (intros; unfold Rdiv; ring).
    rewrite sum_scale_r. field. lra.
Qed.

Lemma d_logit : forall d tau (q z : nat -> nat -> R) i a f, (f < d)%nat ->
  is_derive (fun x => sum d (fun g => set2 q i f x i g * z a g) / tau) (q i f) (z a f / tau).
Proof.
  intros d tau q z i a f F. apply (d_over (fun x => sum d (fun g => set2 q i f x i g * z a g))). eapply d_eq.
  - apply (d_sum d (fun g x => set2 q i f x i g * z a g)). intros g _. apply (d_scale_r (fun x => set2 q i f x i g)), d_set2.
  - cbv beta. rewrite delta_refl, (sum_ext d _ (fun g => delta g f * z a g)) by (intros; ring). apply sum_delta. assumption.
Qed.

(*! M10: gap *)
Theorem M10_gap :
  forall (A d : nat) (tau : R) (q : nat -> nat -> R) (t : nat -> R) (w : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun f : nat => t f ^ 2) - sum A (fun a : nat => (sum d (fun h : nat => t h * z a h) - sum A (fun n :
    nat => sum d (fun h : nat => t h * P i n * z n h))) ^ 2 * P i a) = (sum A (fun n : nat => sum d (fun h :
    nat => t h * P i n * z n h))) ^ 2 + sum A (fun a : nat => P i a * sum d (fun f : nat => (t f - z a f * sum
    d (fun h : nat => t h * z a h)) ^ 2)).
(*! *)
Proof.
  intros. assert (P1 : sum A (P i) = 1) by (apply shares, not_zero; sign). pose (u := fun a => sum d (fun h => t h * z a h)).
  pose (T := sum d (fun f => t f ^ 2)). pose (m := sum A (fun a => P i a * u a)). pose (q2 := sum A (fun a => P i a * u a ^ 2)).
  assert (M : sum A (fun n => sum d (fun h => t h * P i n * z n h)) = m).
  { apply sum_ext. intros n _. unfold u. rewrite <- sum_scale. apply sum_ext. intros. ring. }
  rewrite !M. fold T.
  rewrite (sum_ext A (fun a => (_ - m) ^ 2 * P i a) (fun a => P i a * u a ^ 2 - 2 * m * (P i a * u a) + m ^ 2 * P i a)) by (intros; unfold u; ring).
  rewrite sum_plus, sum_minus, !sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite P1. fold q2 m.
  rewrite (sum_ext A (fun a => P i a * sum d _) (fun a => T * P i a - P i a * u a ^ 2)).
  - rewrite sum_minus, sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite P1. fold q2. ring.
  - intros a _. assert (U : sum d (fun f => z a f ^ 2) = 1) by (apply unit_row, H2).
    rewrite (sum_ext d _ (fun f => t f ^ 2 - 2 * u a * (t f * z a f) + u a ^ 2 * z a f ^ 2)) by (intros; unfold u; ring).
    rewrite sum_plus, sum_minus, !sum_scale, U. fold (u a) T. ring.
Qed.

(*! M10: hessian *)
Theorem M10_hessian :
  forall (A d : nat) (tau : R) (q w : nat -> nat -> R) (p : nat -> nat) (f g i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (g < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => q i f * z a f) / tau in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / sum A (fun m : nat => exp (L q i m)) in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (P q i (p i))) in
  (forall i : nat, 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, 0 < P q i (p i)) ->
  is_derive (fun x : R => Derive (fun t : R => ell (set2 (set2 q i g x) i f t) i) ((set2 q i g x) i f)) (q i
    g) ((sum A (fun a : nat => P q i a * z a f * z a g) - sum A (fun n : nat => P q i n * z n f) * sum A (fun
    n : nat => P q i n * z n g)) / tau ^ 2).
(*! *)
Proof.
  intros. pose (mean := fun q f => sum A (fun a => P q i a * z a f)).
  assert (D : forall q f, (f < d)%nat -> is_derive (fun x => ell (set2 q i f x) i) (q i f) ((mean q f - z (p i) f) / tau)).
  { intros r h I_. unfold ell. eapply d_eq.
    - apply (d_opp (fun x => ln (P (set2 r i h x) i (p i)))), (d_softmax A (fun x => L (set2 r i h x) i) (fun a => z a h / tau)); [assumption| |]; intros; apply d_logit; assumption.
    - cbv beta. rewrite set2_same. unfold mean. rewrite (sum_ext A (fun k => _ * (z k h / tau)) (fun k => P r i k * z k h * / tau)) by (intros; unfold P, Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring. }
  apply (is_derive_ext (fun x => (mean (set2 q i g x) f - z (p i) f) / tau)).
  - intros x. symmetry. apply is_derive_unique, (D (set2 q i g x) f). assumption.
  - eapply d_eq.
    + apply (d_over (fun x => mean (set2 q i g x) f - z (p i) f)), (d_minus (fun x => mean (set2 q i g x) f)); [|apply d_const].
      apply (d_sum A (fun a x => P (set2 q i g x) i a * z a f)). intros a _. apply (d_scale_r (fun x => P (set2 q i g x) i a)).
      apply (d_probability A (fun x => L (set2 q i g x) i) (fun a => z a g / tau)); [assumption|]. intros. apply d_logit. assumption.
    + cbv beta. rewrite set2_same. fold (mean q f) (mean q g).
      rewrite (sum_ext A (fun k => exp (L q i k) / _ * (z k g / tau)) (fun k => P q i k * z k g * / tau)) by (intros; unfold P, Rdiv; ring).
      rewrite sum_scale_r. fold (mean q g).
      rewrite (sum_ext A _ (fun a => / tau * (P q i a * z a f * z a g) - mean q g * / tau * (P q i a * z a f))) by (intros; unfold P, Rdiv; ring).
      rewrite sum_minus, !sum_scale. fold (mean q f). change (sum A (fun n => P q i n * z n g)) with (mean q g). field. lra.
Qed.

(*! M11: second *)
Theorem M11_second :
  forall (N d nu : nat) (t tau : R) (V q : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let z (t : R) (i f : nat) : R := t * V i f + q i f in
  let L (t : R) (i j : nat) : R := sum d (fun f : nat => z t i f * z t j f) / tau in
  let P (t : R) (i j : nat) : R := exp (L t i j) / sum N (fun k : nat => exp (L t i k)) in
  let ell (t : R) (i : nat) : R := - (ln (P t i (p i))) in
  let loss (t : R) : R := sum N (fun i : nat => ell t i) / INR nu in
  let G (t : R) (i j : nat) : R := P t i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P t i (p i)) ->
  is_derive (fun x : R => Derive (fun x' : R => loss x') x) t ((2 * sum N (fun i : nat => sum N (fun j : nat
    => G t i j * sum d (fun f : nat => V i f * V j f))) / tau + sum N (fun i : nat => sum N (fun j : nat =>
    (sum d (fun f : nat => V i f * z t j f + V j f * z t i f) / tau - sum N (fun m : nat => P t i m * sum d
    (fun f : nat => V i f * z t m f + V m f * z t i f) / tau)) ^ 2 * P t i j))) / INR nu).
(*! *)
Proof.
  intros. pose (l := fun t i j => sum d (fun f => V i f * z t j f + V j f * z t i f) / tau). pose (m := fun t i => sum N (fun j => P t i j * l t i j)).
  assert (DZ : forall i f t, is_derive (fun t => z t i f) t (V i f)) by (intros; unfold z; eapply d_eq; [diff|ring]).
  assert (DL : forall i j t, is_derive (fun t => L t i j) t (l t i j)).
  { intros i j x. unfold L, l. apply (d_over (fun t => sum d (fun f => z t i f * z t j f))). eapply d_eq.
    - apply (d_sum d (fun f t => z t i f * z t j f)). intros f _. apply (d_mult (fun t => z t i f) (fun t => z t j f)); apply DZ.
    - apply sum_ext. intros. ring. }
  assert (DM : forall i j t, is_derive (fun t => l t i j) t (2 * sum d (fun f => V i f * V j f) / tau)).
  { intros i j x. unfold l. eapply d_eq.
    - apply (d_over (fun t => sum d (fun f => V i f * z t j f + V j f * z t i f))), (d_sum d (fun f t => V i f * z t j f + V j f * z t i f)). intros f _.
      apply (d_plus (fun t => V i f * z t j f)); [apply (d_scale (fun t => z t j f))|apply (d_scale (fun t => z t i f))]; apply DZ.
    - rewrite <- sum_scale. f_equal. apply sum_ext. intros. ring. }
  assert (DP : forall i j t, is_derive (fun t => P t i j) t (P t i j * (l t i j - m t i))).
  { intros i j x. apply (d_probability N (fun t => L t i) (fun j => l x i j) j x H). intros. apply DL. }
  assert (D1 : forall t, is_derive loss t (sum N (fun i => m t i - l t i (p i)) / INR nu)).
  { intros x. apply (d_over (fun t => sum N (fun i => ell t i))), (d_sum N (fun i t => ell t i)). intros i _. eapply d_eq.
    - apply (d_opp (fun t => ln (P t i (p i)))), (d_softmax N (fun t => L t i) (fun j => l x i j)); [assumption| |]; intros; apply DL.
    - cbv beta. change (- (l x i (p i) - m x i) = m x i - l x i (p i)). ring. }
  apply (is_derive_ext (fun t => sum N (fun i => m t i - l t i (p i)) / INR nu)); [intros x; symmetry; apply is_derive_unique, D1|].
  eapply d_eq.
  - apply (d_over (fun t => sum N (fun i => m t i - l t i (p i)))), (d_sum N (fun i t => m t i - l t i (p i))). intros i _.
    apply (d_minus (fun t => m t i)); [|apply DM]. apply (d_sum N (fun j t => P t i j * l t i j)). intros j _.
    apply (d_mult (fun t => P t i j) (fun t => l t i j)); [apply DP|apply DM].
  - cbv beta. apply (f_equal (fun t => t / INR nu)). transitivity (sum N (fun i => 2 / tau * sum N (fun j => G t i j * sum d (fun f => V i f * V j f))
      + sum N (fun j => (sum d (fun f => V i f * z t j f + V j f * z t i f) / tau - sum N (fun m => P t i m * sum d (fun f => V i f * z t m f + V m f * z t i f) / tau)) ^ 2 * P t i j)));
      [|rewrite sum_plus, sum_scale; unfold Rdiv; ring]. apply sum_ext. intros i I_.
    assert (S : sum N (P t i) = 1) by (apply shares, not_zero; sign).
    assert (M : sum N (fun m => P t i m * sum d (fun f => V i f * z t m f + V m f * z t i f) / tau) = m t i) by (apply sum_ext; intros; unfold l, Rdiv; ring).
    rewrite M. pose (v := fun j => sum d (fun f => V i f * V j f)).
    rewrite (sum_ext N (fun k => P t i k * _ * _ + _) (fun j => P t i j * l t i j ^ 2 - m t i * (P t i j * l t i j) + 2 / tau * (P t i j * v j))) by (intros; unfold v, Rdiv; ring).
    rewrite (sum_ext N (fun j => (_ - m t i) ^ 2 * P t i j) (fun j => P t i j * l t i j ^ 2 - 2 * m t i * (P t i j * l t i j) + m t i ^ 2 * P t i j)) by (intros; unfold l; ring).
    rewrite (sum_ext N (fun j => G t i j * _) (fun j => P t i j * v j - delta j (p i) * v j)) by (intros; unfold G, v; ring).
    rewrite !sum_plus, !sum_minus, !sum_scale, (sum_delta N (p i) v) by auto. change (sum N (fun j => P t i j * l t i j)) with (m t i).
    change (sum N (fun k => P t i k)) with (sum N (P t i)). rewrite S. unfold v, Rdiv. ring.
Qed.

(*! M35: still *)
Theorem M35_still :
  forall (N d nu : nat) (tau : R) (c : nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let z (i f : nat) : R := c f in
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu = (1 - sum N (fun j : nat => delta k (p j))) *
    c f / tau / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! M35: sign *)
Theorem M35_sign :
  forall (N d : nat) (V : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  0 <= sum N (fun i : nat => sum N (fun j : nat => sum d (fun f : nat => (V i f - V j f) ^ 2))) / 2 / INR N.
(*! *)
Proof. by_signs. Qed.

(*! M35: together *)
Theorem M35_together :
  forall (N d : nat) (V : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  sum d (fun f : nat => (sum N (fun i : nat => V i f)) ^ 2) / INR N - sum N (fun i : nat => sum d (fun f : nat
    => V i f ^ 2)) = - (sum N (fun i : nat => sum N (fun j : nat => sum d (fun f : nat => (V i f - V j f) ^
    2))) / 2 / INR N).
(*! *)
Proof. by_sums. Qed.
