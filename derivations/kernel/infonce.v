(* InfoNCE of a batch, with the anchor in its own denominator and without it. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D1.13: gradient *)
Theorem D1_13_gradient :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (f < d)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) (sum N (fun j : nat => (G z j k + G z k j) * z j f) /
    tau / INR nu).
(*! *)
Proof. by_sums. Qed.
