(* DCL, decoupled contrastive learning: NT-Xent with the positive in no denominator (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F1: positive *)
Theorem F1_positive :
  forall (L : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  0 < exp (L i j - L i (p i)).
(*! *)
Proof. by_signs. Qed.
