(* SigLIP's bias: where it comes to rest, and what one threshold for a whole batch cannot do. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R8: rest *)
Theorem R8_rest :
  forall (u v : R),
  0 < exp v + exp (- (u)).
(*! *)
Proof. by_signs. Qed.

(*! R8: term sign *)
Theorem R8_term_sign :
  forall (x : R),
  0 < exp x / (1 + exp x).
(*! *)
Proof. by_signs. Qed.

(*! R8: start *)
Theorem R8_start :
  forall (B : nat),
  (0 < B)%nat ->
  let b : R := - (ln (INR B - 1)) in
  (0 < INR B - 1) ->
  sum B (fun i : nat => sum B (fun j : nat => exp b / (1 + exp b))) = INR B.
(*! *)
Proof. by_sums. Qed.
