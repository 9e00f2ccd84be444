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
