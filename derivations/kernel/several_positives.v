(* Several candidates of the anchor's class: as positives they repel one another, as negatives they set a floor. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R6: negatives *)
Theorem R6_negatives :
  forall (A : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 <= sum A (fun a : nat => (1 - Y_plus i a) ^ 2 * differ a (p i) * P i a).
(*! *)
Proof. by_signs. Qed.
