(* Barlow Twins: the features of two views correlated, each with itself and with no other (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F25: mean *)
Theorem F25_mean :
  forall (B : nat) (Z_1 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  (forall f : nat, sigma_1 f <> 0) ->
  sum B (fun i : nat => Z_circumflex_1 i f) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F25: printed *)
Theorem F25_printed :
  forall (B : nat) (Z_1 Z_2 : nat -> nat -> R) (f g : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  (forall f : nat, 0 < sum B (fun i : nat => Z_tilde_1 i f ^ 2)) ->
  (forall g : nat, 0 < sum B (fun i : nat => Z_tilde_2 i g ^ 2)) ->
  (forall f : nat, sigma_1 f <> 0) ->
  (forall f : nat, sigma_2 f <> 0) ->
  C f g = sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_2 i g) / sqrt (sum B (fun i : nat => Z_tilde_1 i f ^
    2)) / sqrt (sum B (fun i : nat => Z_tilde_2 i g ^ 2)).
(*! *)
Proof. by_sums. Qed.

(*! F25: sign *)
Theorem F25_sign :
  forall (B : nat) (Z_circumflex_1 Z_circumflex_2 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  0 <= sum B (fun i : nat => (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / 2 / INR B.
(*! *)
Proof. by_signs. Qed.
