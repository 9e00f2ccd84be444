(* How small and how large the loss can be, with the anchor in its own denominator and without; the ends of τ. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! M1: sign *)
Theorem M1_sign :
  forall (d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  0 <= sum d (fun f : nat => (z i f - z (p i) f) ^ 2) / 2 / tau.
(*! *)
Proof. by_signs. Qed.

(*! M4: squares *)
Theorem M4_squares :
  forall (M : nat) (t Lambda : R) (L : nat -> nat -> R) (ell : nat -> R) (p : nat -> nat),
  (0 < M)%nat ->
  (0 < Lambda) ->
  0 <= (sum (2 + M)%nat (fun i : nat => (sqrt Lambda * exp (- (ell i / 2)) - 1) ^ 2) + sum (2 + M)%nat (fun i
    : nat => sum (2 + M)%nat (fun j : nat => (sqrt Lambda * exp (L i j / 2 - t / 2 - ell i / 2 - L i (p i) /
    2) - 1) ^ 2 * differ j i * differ j (p i) * exp t))) / Lambda / (2 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M4: own squares *)
Theorem M4_own_squares :
  forall (M : nat) (t Lambda_s : R) (L : nat -> nat -> R) (ell_s : nat -> R) (p : nat -> nat),
  (0 < M)%nat ->
  (0 < Lambda_s) ->
  0 <= (sum (2 + M)%nat (fun i : nat => (sqrt Lambda_s * exp (- (ell_s i / 2)) - 1) ^ 2) + sum (2 + M)%nat
    (fun i : nat => (sqrt Lambda_s * exp (L i i / 2 - ell_s i / 2 - L i (p i) / 2) - 1) ^ 2) + sum (2 + M)%nat
    (fun i : nat => sum (2 + M)%nat (fun j : nat => (sqrt Lambda_s * exp (L i j / 2 - t / 2 - ell_s i / 2 - L
    i (p i) / 2) - 1) ^ 2 * differ j i * differ j (p i) * exp t))) / Lambda_s / (2 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M4: centre *)
Theorem M4_centre :
  forall (M d : nat) (z : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum (2 + M)%nat (fun i : nat => z i f)) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! M4: images *)
Theorem M4_images :
  forall (B : nat),
  (0 < B)%nat ->
  (2 * INR B - 2 <> 0) ->
  (INR B - 1 <> 0) ->
  - (2 / (2 * INR B - 2)) = - (1 / (INR B - 1)).
(*! *)
Proof. by_sums. Qed.

(*! M4: hyperplane *)
Theorem M4_hyperplane :
  forall (B k : nat),
  (0 < B)%nat ->
  (k < B)%nat ->
  sum B (fun f : nat => delta f k - 1 / INR B) = 0.
(*! *)
Proof. by_sums. Qed.

(*! M8: slope *)
Theorem M8_slope :
  forall (A d : nat) (beta : R) (q y : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < beta) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := beta * sum d (fun f : nat => q i f * y a f) in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / sum A (fun m : nat => exp (L q i m)) in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (P q i (p i))) in
  (forall i : nat, 0 < P q i (p i)) ->
  is_derive (fun x : R => ell (set2 q i f x) i) (q i f) (beta * (sum A (fun a : nat => P q i a * y a f) - y (p
    i) f)).
(*! *)
Proof. by_sums. Qed.

(*! M23: below sign *)
Theorem M23_below_sign :
  forall (d : nat) (z : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f - z j f) ^ 2) / 2 + sum d (fun f : nat => (z i f + z (p i) f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.
