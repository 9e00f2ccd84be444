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

(*! M1: gap *)
Theorem M1_gap :
  forall (d : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  (forall i : nat, norm_w i <> 0) ->
  L i i - L i (p i) = sum d (fun f : nat => (z i f - z (p i) f) ^ 2) / 2 / tau.
(*! *)
Proof. by_sums. Qed.


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

(*! M4: cosine *)
Theorem M4_cosine :
  forall (M : nat) (tau : R),
  (0 < tau) ->
  (0 < M)%nat ->
  let t : R := (- 2 - INR M) / tau / INR M in
  1 + t * tau = - (2 / INR M).
(*! *)
Proof. by_sums. Qed.

(*! M4: independent *)
Theorem M4_independent :
  forall (B : nat) (c : nat -> R),
  (0 < B)%nat ->
  (INR B - 1 <> 0) ->
  sum B (fun k : nat => sum B (fun l : nat => (delta k l - differ k l / (INR B - 1)) * c k * c l)) = INR B *
    sum B (fun k : nat => (c k - sum B (fun l : nat => c l) / INR B) ^ 2) / (INR B - 1).
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

(*! M8: mean *)
Theorem M8_mean :
  forall (A : nat) (y : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  let L (i a : nat) : R := 0 in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  sum A (fun a : nat => P i a * y a f) - y (p i) f = sum A (fun a : nat => y a f) / INR A - y (p i) f.
(*! *)
Proof. by_sums. Qed.


(*! M23: below sign *)
Theorem M23_below_sign :
  forall (d : nat) (z : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f - z j f) ^ 2) / 2 + sum d (fun f : nat => (z i f + z (p i) f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.

(*! M23: above *)
Theorem M23_above :
  forall (d : nat) (w : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  2 + s i j - s i (p i) = sum d (fun f : nat => (z i f - z (p i) f) ^ 2) / 2 + sum d (fun f : nat => (z i f +
    z j f) ^ 2) / 2.
(*! *)
Proof. by_sums. Qed.

(*! M23: above sign *)
Theorem M23_above_sign :
  forall (d : nat) (z : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f - z (p i) f) ^ 2) / 2 + sum d (fun f : nat => (z i f + z j f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.

(*! M3: masked *)
Theorem M3_masked :
  forall (N d : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  P i (p i) - 1 = - (sum N (fun j : nat => differ j i * differ j (p i) * exp (L i j - L i (p i))) / (1 + sum N
    (fun j : nat => differ j i * differ j (p i) * exp (L i j - L i (p i))))).
(*! *)
Proof. by_sums. Qed.

(*! M3: aligned *)
Theorem M3_aligned :
  forall (x : R),
  (0 < x) ->
  (- 1 - x) / (2 + x) = - (1 / 2) - x / (4 + 2 * x).
(*! *)
Proof. intros. field. lra. Qed.
