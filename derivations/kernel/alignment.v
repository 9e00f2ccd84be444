(* Alignment: the mean distance of two views, to a power (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F12: sign *)
Theorem F12_sign :
  forall (d : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (i : nat),
  (0 < alpha_e) ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  (forall i : nat, 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  0 <= psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2).
(*! *)
Proof. by_signs. Qed.

(*! F13: smooth *)
Theorem F13_smooth :
  forall (d : nat) (Z_1 Z_2 : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (f < d)%nat ->
  let norm_Deltanorm__2 (Z_1 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  is_derive (fun x : R => norm_Deltanorm__2 (set2 Z_1 k f x) k k) (Z_1 k f) (2 * Z_1 k f - 2 * Z_2 k f).
(*! *)
Proof. by_sums. Qed.

(*! F13: z1 *)
Theorem F13_z1 :
  forall (B d nu : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (f k : nat),
  (0 < alpha_e) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  (0 < B)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let norm_Deltanorm__2 (Z_1 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  let ell (Z_1 : nat -> nat -> R) (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 Z_1 i
    i - psi_held i) / 2) in
  let loss (Z_1 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_1 i) / INR nu in
  (forall k : nat, (k < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_1 k k - psi_held k) ->
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_1 i i - psi_held i) ->
  is_derive (fun x : R => loss (set2 Z_1 k f x)) (Z_1 k f) (alpha_e * (Z_1 k f - Z_2 k f) * psi_held k * exp
    ((alpha_e / 2 - 1) * ln (1 + norm_Deltanorm__2 Z_1 k k - psi_held k)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! F13: z2 *)
Theorem F13_z2 :
  forall (B d nu : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (f k : nat),
  (0 < alpha_e) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  (0 < B)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let norm_Deltanorm__2 (Z_2 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  let ell (Z_2 : nat -> nat -> R) (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 Z_2 i
    i - psi_held i) / 2) in
  let loss (Z_2 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_2 i) / INR nu in
  (forall k : nat, (k < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_2 k k - psi_held k) ->
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_2 i i - psi_held i) ->
  is_derive (fun x : R => loss (set2 Z_2 k f x)) (Z_2 k f) (alpha_e * (Z_2 k f - Z_1 k f) * psi_held k * exp
    ((alpha_e / 2 - 1) * ln (1 + norm_Deltanorm__2 Z_2 k k - psi_held k)) / INR nu).
(*! *)
Proof. by_sums. Qed.
