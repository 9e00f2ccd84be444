(* InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

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
