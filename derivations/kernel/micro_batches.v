(* A batch in micro-batches: what accumulating their gradients computes, and what gradient caching does. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R12: alone *)
Theorem R12_alone :
  forall (A : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  let Y_minus (i a : nat) : R := 0 in
  (forall i : nat, 0 < 1 + sum A (fun m : nat => Y_minus i m * exp (L i m - L i (p i)))) ->
  ln (1 + sum A (fun m : nat => Y_minus i m * exp (L i m - L i (p i)))) = 0.
(*! *)
Proof.
  intros. unfold Y_minus. rewrite sum_zero by (intros; ring). rewrite Rplus_0_r. apply ln_1.
Qed.

(*! R12: row *)
Theorem R12_row :
  forall (A N Gamma : nat) (L : nat -> nat -> R) (p psi : nat -> nat) (i : nat),
  (0 < Gamma)%nat ->
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (forall i : nat, (i < A)%nat -> (psi i < Gamma)%nat) ->
  let ell_g (i l : nat) : R := ln (1 + sum A (fun m : nat => differ m (p i) * delta l (psi m) * exp (L i m - L
    i (p i)))) in
  let ell (i : nat) : R := ln (1 + sum A (fun m : nat => differ m (p i) * exp (L i m - L i (p i)))) in
  sum Gamma (fun l : nat => exp (ell_g i l) - 1) = exp (ell i) - 1.
(*! *)
Proof.
  intros. pose (e := fun m => differ m (p i) * exp (L i m - L i (p i))).
  assert (P : forall m, 0 <= e m) by (intros; unfold e; sign). assert (S : 0 <= sum A e) by (apply sum_nonneg; auto).
  unfold ell. fold (sum A e). change (sum A (fun m => differ m (p i) * exp (L i m - L i (p i)))) with (sum A e). rewrite exp_ln by lra.
  transitivity (sum Gamma (fun l => sum A (fun m => delta l (psi m) * e m))).
  - apply sum_ext. intros l _. unfold ell_g.
    rewrite (sum_ext A _ (fun m => delta l (psi m) * e m)) by (intros; unfold e; ring).
    assert (T : 0 <= sum A (fun m => delta l (psi m) * e m)) by (apply sum_nonneg; intros; apply Rmult_le_pos; [apply delta_nonneg|auto]).
    rewrite exp_ln by lra. ring.
  - rewrite sum_swap. replace (1 + sum A e - 1) with (sum A e) by ring. apply sum_ext. intros m M. apply (sum_delta Gamma (psi m) (fun _ => e m)). auto.
Qed.
