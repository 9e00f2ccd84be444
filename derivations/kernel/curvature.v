(* How steep the loss is, and how it curves: in its logits, in one anchor, in all rows at once. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
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
