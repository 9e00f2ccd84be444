(* InfoNCE of queries against keys: one positive, and negatives that are each query's own or shared by all. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D2.6: gradient *)
Theorem D2_6_gradient :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, p i <> i) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z k f x) k) (z k f) ((P z k k * z k f + sum N (fun j : nat => P z k j * z
    j f) - z (p k) f) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.7: share *)
Theorem D2_7_share :
  forall (M d : nat) (tau : R) (k_plus : nat -> nat -> R) (k_minus : nat -> nat -> nat -> R) (q : nat -> nat
    -> R) (i : nat),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := sum d (fun f : nat => q i f * k_minus i a f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let P (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) in
  0 < sum M (fun m : nat => P i m).
(*! *)
Proof. by_signs. Qed.

(*! D2.8: gradient *)
Theorem D2_8_gradient :
  forall (A d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (z : nat -> nat -> R) (i a : nat) : R := exp (L z i a) / sum A (fun m : nat => exp (L z i m)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z i f x) i) (z i f) ((sum A (fun a : nat => P z i a * y a f) - y (p i) f)
    / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.9: gradient *)
Theorem D2_9_gradient :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (z : nat -> nat -> R) (i a : nat) : R := exp (L z i a) / sum A (fun m : nat => exp (L z i m)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z i f x) i) (z i f) (((P z i (p i) - 1) * y (p i) f + sum A (fun a : nat
    => differ a (p i) * P z i a * y a f)) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.10: positive *)
Theorem D2_10_positive :
  forall (A d : nat) (tau : R) (y z : nat -> nat -> R) (a i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < A)%nat ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 < P i a.
(*! *)
Proof. by_signs. Qed.

(*! D2.10: sum *)
Theorem D2_10_sum :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  P i (p i) + sum A (fun a : nat => differ a (p i) * P i a) = 1.
(*! *)
Proof. by_sums. Qed.

(*! M13: positive *)
Theorem M13_positive :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  0 < tau * exp (- (x / tau)) / (1 + exp (- (x / tau))).
(*! *)
Proof. by_signs. Qed.

(*! M13: softplus *)
Theorem M13_softplus :
  forall (L : nat -> nat -> R) (i j k : nat),
  - (ln (exp (L i j) / (exp (L i j) + exp (L i k)))) = ln (1 + exp (L i k - L i j)).
(*! *)
Proof.
  intros. rewrite <- ln_Rinv by sign. f_equal. unfold Rminus. rewrite exp_plus, exp_Ropp.
  field. repeat split; sign.
Qed.

(*! M13: ahead *)
Theorem M13_ahead :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  tau * ln (1 + exp (x / tau)) - x = tau * ln (1 + exp (- (x / tau))).
(*! *)
Proof.
  intros. replace (1 + exp (x / tau)) with (exp (x / tau) * (1 + exp (- (x / tau)))).
  - rewrite ln_mult, ln_exp by sign. field. lra.
  - rewrite exp_Ropp. field. sign.
Qed.

(*! M13: above *)
Theorem M13_above :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  tau * ln (1 + exp (- (x / tau))) <= tau * exp (- (x / tau)).
(*! *)
Proof.
  intros. apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [apply ln_below; sign|lra].
Qed.

(*! M13: below *)
Theorem M13_below :
  forall (x tau : R),
  (0 <= x) ->
  (0 < tau) ->
  - (tau * ln (1 + exp (- (x / tau)))) <= - (tau * exp (- (x / tau)) / (1 + exp (- (x / tau)))).
(*! *)
Proof.
  intros. set (e := exp (- (x / tau))). assert (E : 0 < e) by apply exp_pos.
  assert (B := ln_below (/ (1 + e)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in B by lra.
  apply Ropp_le_contravar. unfold Rdiv. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
  replace (e * / (1 + e)) with (1 - / (1 + e)) by (field; lra). lra.
Qed.
