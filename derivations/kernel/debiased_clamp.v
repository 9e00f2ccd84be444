(* The clamp of the debiased loss: two gradients that meet there, and do not match. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R5: above *)
Theorem R5_above :
  forall (theta_plus tau : R) (s_plus : nat -> R) (i : nat),
  (0 < theta_plus) ->
  (0 < tau) ->
  0 < theta_plus * exp ((1 + s_plus i) / tau).
(*! *)
Proof. by_signs. Qed.

(*! R5: no push *)
Theorem R5_no_push :
  forall (M : nat) (tau : R) (L : nat -> nat -> R) (L_plus : nat -> R) (a i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let g_minus (i : nat) : R := exp (- (1 / tau)) in
  let ell (i : nat) : R := ln (INR M * g_minus i + exp (L_plus i)) - L_plus i in
  (forall i : nat, 0 < INR M * g_minus i + exp (L_plus i)) ->
  is_derive (fun x : R => ell i) (L i a) (0).
(*! *)
Proof. by_sums. Qed.
