(* Estimators of mutual information that learn a score: which of them are bounds. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R9: clipped *)
Theorem R9_clipped :
  forall (V : nat) (b t : R) (pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  sum V (fun i : nat => t * J i) - b = t - b.
(*! *)
Proof. by_sums. Qed.
