(* What InfoNCE has and DCL leaves out: the factor that couples the positive with the negatives. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R7: unsure *)
Theorem R7_unsure :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  1 - P i (p i) = sum A (fun n : nat => differ n (p i) * P i n).
(*! *)
Proof. by_sums. Qed.

(*! R7: alone *)
Theorem R7_alone :
  forall (A N : nat) (L : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (a < A)%nat ->
  let ell_d (L : nat -> nat -> R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) -
    L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  is_derive (fun x : R => ell_d (set2 L i a x) i) (L i a) (differ a (p i) * exp (L i a) / sum A (fun m : nat
    => differ m (p i) * exp (L i m)) - delta a (p i)).
(*! *)
Proof. by_sums. Qed.

(*! R7: positive *)
Theorem R7_positive :
  forall (ell_d : nat -> R) (i : nat),
  0 < exp (ell_d i) / (1 + exp (ell_d i)).
(*! *)
Proof. by_signs. Qed.

(*! R7: softplus *)
Theorem R7_softplus :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let ell_d (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) - L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  ell i = ln (1 + exp (ell_d i)).
(*! *)
Proof. intros; unfold_names. apply softplus; [sign | normalise; finish]. Qed.
