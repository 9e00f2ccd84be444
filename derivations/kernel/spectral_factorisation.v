(* The spectral loss factors a matrix: how often each two samples come as a pair. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R11: apart *)
Theorem R11_apart :
  forall (X X' d : nat) (J_plus z_1 z_2 : nat -> nat -> R),
  (forall i j : nat, 0 <= J_plus i j) ->
  (0 < X)%nat ->
  (0 < X')%nat ->
  (0 < d)%nat ->
  sum X (fun i : nat => sum X' (fun j : nat => sum X' (fun a : nat => sum X (fun k : nat => (sum d (fun f :
    nat => z_1 i f * z_2 j f)) ^ 2 * J_plus i a * J_plus k j)))) = sum X (fun i : nat => sum X' (fun j : nat
    => (sum d (fun f : nat => z_1 i f * z_2 j f)) ^ 2 * sum X' (fun a : nat => J_plus i a) * sum X (fun k :
    nat => J_plus k j))).
(*! *)
Proof. by_sums. Qed.
