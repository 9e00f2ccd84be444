(* Where a temperature that is learned comes to rest, the scores being what they are. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R1: slope *)
Theorem R1_slope :
  forall (A N nu : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < beta) ->
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let L (beta : R) (i a : nat) : R := beta * s i a in
  let ell (beta : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L beta i m))) - L beta i (p i) in
  let loss (beta : R) : R := sum N (fun i : nat => ell beta i) / INR nu in
  let P (beta : R) (i a : nat) : R := exp (L beta i a) / sum A (fun m : nat => exp (L beta i m)) in
  is_derive (fun x : R => loss x) beta (sum N (fun i : nat => sum A (fun a : nat => P beta i a * s i a) - s i
    (p i)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: log scale *)
Theorem R1_log_scale :
  forall (A N nu : nat) (upsilon : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let beta (upsilon : R) : R := exp upsilon in
  let L (upsilon : R) (i a : nat) : R := beta upsilon * s i a in
  let ell (upsilon : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L upsilon i m))) - L upsilon i (p i)
    in
  let loss (upsilon : R) : R := sum N (fun i : nat => ell upsilon i) / INR nu in
  let P (upsilon : R) (i a : nat) : R := exp (L upsilon i a) / sum A (fun m : nat => exp (L upsilon i m)) in
  is_derive (fun x : R => loss x) upsilon (beta upsilon * sum N (fun i : nat => sum A (fun a : nat => P
    upsilon i a * s i a) - s i (p i)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: share *)
Theorem R1_share :
  forall (A : nat) (beta : R) (s : nat -> nat -> R) (a i : nat),
  (0 < beta) ->
  (0 < A)%nat ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 < P i a.
(*! *)
Proof. by_signs. Qed.

(*! R1: right sign *)
Theorem R1_right_sign :
  forall (A N : nat) (beta : R) (s delta_ : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (forall i j : nat, 0 <= delta_ i j) ->
  (0 < beta) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 <= sum N (fun i : nat => sum A (fun a : nat => differ a (p i) * P i a * delta_ i a)).
(*! *)
Proof. by_signs. Qed.

(*! R1: clip *)
Theorem R1_clip :
  forall (B : nat) (beta : R) (s : nat -> nat -> R),
  (0 < beta) ->
  (0 < B)%nat ->
  let L (beta : R) (i j : nat) : R := beta * s i j in
  let P (beta : R) (i j : nat) : R := exp (L beta i j) / sum B (fun k : nat => exp (L beta i k)) in
  let P_c (beta : R) (i j : nat) : R := exp (L beta i j) / sum B (fun k : nat => exp (L beta k j)) in
  let ell (beta : R) (i : nat) : R := - (ln (P beta i i) / 2) - ln (P_c beta i i) / 2 in
  let loss (beta : R) : R := sum B (fun i : nat => ell beta i) / INR B in
  (forall i : nat, (i < B)%nat -> 0 < P beta i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c beta i i) ->
  is_derive (fun x : R => loss x) beta ((sum B (fun i : nat => sum B (fun j : nat => P beta i j * s i j) - s i
    i) + sum B (fun i : nat => sum B (fun j : nat => P_c beta i j * s i j) - s i i)) / 2 / INR B).
(*! *)
Proof. by_sums. Qed.

(*! R1: curvature *)
Theorem R1_curvature :
  forall (A N nu : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < beta) ->
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let L (beta : R) (i a : nat) : R := beta * s i a in
  let ell (beta : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L beta i m))) - L beta i (p i) in
  let loss (beta : R) : R := sum N (fun i : nat => ell beta i) / INR nu in
  let P (beta : R) (i a : nat) : R := exp (L beta i a) / sum A (fun m : nat => exp (L beta i m)) in
  is_derive (fun x : R => Derive (fun t : R => loss t) x) beta (sum N (fun i : nat => sum A (fun a : nat =>
    sum A (fun n : nat => (s i a - s i n) ^ 2 * P beta i a * P beta i n))) / 2 / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: hot *)
Theorem R1_hot :
  forall (A N : nat) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  let L (i a : nat) : R := 0 in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  sum N (fun i : nat => sum A (fun a : nat => P i a * s i a) - s i (p i)) = sum N (fun i : nat => sum A (fun a
    : nat => s i a) / INR A - s i (p i)).
(*! *)
Proof. by_sums. Qed.

(*! R1: room *)
Theorem R1_room :
  forall (A : nat) (beta : R) (s : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < beta) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  1 - sum A (fun a : nat => (s i a - sum A (fun n : nat => P i n * s i n)) ^ 2 * P i a) = (sum A (fun a : nat
    => P i a * s i a)) ^ 2 + sum A (fun a : nat => (1 - s i a ^ 2) * P i a).
(*! *)
Proof. by_sums. Qed.
