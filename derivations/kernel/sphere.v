(* Rows on the unit sphere: z = w/‖w‖, the Jacobian of that map, and what it does to a gradient (document D2). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D2.11: jacobian *)
Theorem D2_11_jacobian :
  forall (d : nat) (w : nat -> nat -> R) (f g i k : nat),
  (0 < d)%nat ->
  (g < d)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  (forall i : nat, norm_w w i <> 0) ->
  (forall i : nat, 0 < sum d (fun f : nat => w i f ^ 2)) ->
  is_derive (fun x : R => z (set2 w k g x) i f) (w k g) ((delta f g - z w i f * z w i g) * delta i k / norm_w
    w i).
(*! *)
Proof. by_sums. Qed.
