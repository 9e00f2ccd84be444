(* The floor of Barlow Twins: a batch of B rows cannot make more than B − 1 features uncorrelated. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R4: dimensions *)
Theorem R4_dimensions :
  forall (M : nat),
  (0 < M)%nat ->
  let Gamma_e (i j : nat) : R := delta i j in
  sum M (fun i : nat => Gamma_e i i) = INR M.
(*! *)
Proof. by_sums. Qed.
