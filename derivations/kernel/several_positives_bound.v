(* What SupCon's losses say of mutual information: the positives together, and each alone. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R3: each *)
Theorem R3_each :
  forall (D M : nat) (J' : nat -> R) (r_p : nat -> nat -> R),
  (0 < D)%nat ->
  (forall i : nat, 0 < J' i) ->
  (0 < M)%nat ->
  (forall i j : nat, 0 < r_p i j) ->
  let varrho_p (n : nat) : R := exp (sum M (fun j : nat => ln (r_p n j))) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho_p n)) in
  information = sum M (fun j : nat => sum D (fun n : nat => J' n * ln (r_p n j))).
(*! *)
Proof. by_sums. Qed.
