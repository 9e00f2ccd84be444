(* A batch over several ranks: what is left of the gradient where gathered features bring none with them. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R2: logits *)
Theorem R2_logits :
  forall (d : nat) (tau : R) (Y_s z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let y (j f : nat) : R := z j f in
  sum d (fun g : nat => ((1 - Y_s i j) * y j g + Y_s i j * z j g) * z i g) / tau = sum d (fun f : nat => z i f
    * z j f) / tau.
(*! *)
Proof. by_sums. Qed.
