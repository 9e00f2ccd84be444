(* VICReg at collapse: where every row is the same, nothing tells them apart again. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

Lemma collapsed : forall B (c : R), (0 < B)%nat -> c - sum B (fun _ => c) / INR B = 0.
Proof.
  intros B c P. assert (X := INR_pos B P). rewrite (sum_ext B _ (fun _ => c * 1)), sum_scale, sum_one by (intros; ring). field. lra.
Qed.

(*! R15: collapsed *)
Theorem R15_collapsed :
  forall (B d : nat) (c_1 c_2 c_3 epsilon : R) (alpha chi chi' : nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon) ->
  let z_1 (i f : nat) : R := chi f in
  let y (i f : nat) : R := z_1 i f - sum B (fun j : nat => z_1 j f) / INR B in
  let C (f g : nat) : R := sum B (fun i : nat => y i f * y i g) / (INR B - 1) in
  let D (f : nat) : R := sqrt (epsilon + C f f) in
  let z_2 (i f : nat) : R := chi' f in
  (INR B - 1 <> 0) ->
  (forall f : nat, D f <> 0) ->
  (forall f : nat, 0 <= epsilon + C f f) ->
  (4 * c_3 * sum d (fun g : nat => differ f g * C f g * y k g) - c_2 * alpha f * y k f / D f) / (INR B - 1) +
    2 * c_1 * (z_1 k f - z_2 k f) = 2 * c_1 * (chi f - chi' f).
(*! *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.

(*! R15: stuck *)
Theorem R15_stuck :
  forall (B d : nat) (c_1 c_2 c_3 epsilon : R) (alpha chi : nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon) ->
  let z_1 (i f : nat) : R := chi f in
  let y (i f : nat) : R := z_1 i f - sum B (fun j : nat => z_1 j f) / INR B in
  let C (f g : nat) : R := sum B (fun i : nat => y i f * y i g) / (INR B - 1) in
  let D (f : nat) : R := sqrt (epsilon + C f f) in
  let z_2 (i f : nat) : R := chi f in
  (INR B - 1 <> 0) ->
  (forall f : nat, D f <> 0) ->
  (forall f : nat, 0 <= epsilon + C f f) ->
  (4 * c_3 * sum d (fun g : nat => differ f g * C f g * y k g) - c_2 * alpha f * y k f / D f) / (INR B - 1) +
    2 * c_1 * (z_1 k f - z_2 k f) = 0.
(*! *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.
