(* The modality gap: images on one side of the sphere, texts on the other, and the same loss. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R10: distance *)
Theorem R10_distance :
  forall (B d : nat) (gamma : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 <= 1 - gamma ^ 2) ->
  (sum B (fun i : nat => gamma) / INR B - sum B (fun i : nat => - (gamma)) / INR B) ^ 2 + sum d (fun f : nat
    => (sum B (fun i : nat => sqrt (1 - gamma ^ 2) * I i f) / INR B - sum B (fun i : nat => sqrt (1 - gamma ^
    2) * T i f) / INR B) ^ 2) = 4 * gamma ^ 2 + sum d (fun f : nat => (sum B (fun i : nat => sqrt (1 - gamma ^
    2) * I i f) / INR B - sum B (fun i : nat => sqrt (1 - gamma ^ 2) * T i f) / INR B) ^ 2).
(*! *)
Proof. by_sums. Qed.
