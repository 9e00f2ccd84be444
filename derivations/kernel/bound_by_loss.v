(* The InfoNCE bound in the settings of the documents: which number stands in the logarithm, and where none does. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! P3: square *)
Theorem P3_square :
  forall (d : nat) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f - z j f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.
