(* Label smoothing: cross-entropy against a target that leaves a share to every candidate. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R14: slope *)
Theorem R14_slope :
  forall (A N : nat) (epsilon : R) (L : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (a < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (sum A (fun m : nat => Y_t i m * ln (P L i m))) in
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P L i m) ->
  is_derive (fun x : R => ell (set2 L i a x) i) (L i a) (P L i a - Y_t i a).
(*! *)
Proof. by_sums. Qed.

(*! R14: sum *)
Theorem R14_sum :
  forall (A N : nat) (epsilon : R) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  sum A (fun m : nat => P i m - Y_t i m) = 0.
(*! *)
Proof. by_sums. Qed.

(*! R14: share *)
Theorem R14_share :
  forall (A : nat) (o : R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (0 < o) ->
  0 < (o / INR A + delta a (p i)) / (1 + o).
(*! *)
Proof. by_signs. Qed.
