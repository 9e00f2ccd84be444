(* How many negatives an anchor has in effect: e to the entropy of how it shares its push among them. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R17: odds *)
Theorem R17_odds :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (a i : nat),
  (0 < M)%nat ->
  let P (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  (forall i : nat, sum M (fun m : nat => P i m) <> 0) ->
  P i a / sum M (fun m : nat => P i m) = rho i a.
(*! *)
Proof. by_sums. Qed.
