(* Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.11: positive *)
Theorem D3_11_positive :
  forall (K : nat),
  (0 < K)%nat ->
  0 < 1 / INR K.
(*! *)
Proof. by_signs. Qed.

(*! D3.11: sum *)
Theorem D3_11_sum :
  forall (K : nat),
  (0 < K)%nat ->
  sum K (fun j : nat => 1 / INR K) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.12: sum *)
Theorem D3_12_sum :
  forall (K : nat) (L : nat -> nat -> R) (i : nat),
  (0 < K)%nat ->
  sum K (fun j : nat => exp (L i j) / sum K (fun m : nat => exp (L i m))) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.13: mean *)
Theorem D3_13_mean :
  forall (K M : nat) (L : nat -> nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  INR K * sum M (fun a : nat => sum K (fun j : nat => exp (L i j) / INR K)) / INR M = sum K (fun m : nat =>
    exp (L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D3.14: estimate *)
Theorem D3_14_estimate :
  forall (K M : nat) (L : nat -> nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  INR K * sum M (fun a : nat => sum K (fun j : nat => exp (L i j) / INR K)) / INR M = sum K (fun m : nat =>
    exp (L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D3.14: mean *)
Theorem D3_14_mean :
  forall (K : nat) (L : nat -> nat -> R) (i : nat),
  (0 < K)%nat ->
  sum K (fun m : nat => exp (L i m)) = INR K * sum K (fun j : nat => exp (L i j) / INR K).
(*! *)
Proof. by_sums. Qed.

(*! D3.15: form *)
Theorem D3_15_form :
  forall (K M : nat) (L_plus Z_circumflex : nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (forall i : nat, 0 < Z_circumflex i) ->
  exp (L_plus i) / (INR M / INR K + exp (L_plus i) / Z_circumflex i) / Z_circumflex i = INR K * exp (L_plus i)
    / INR M / (INR K * exp (L_plus i) / INR M + Z_circumflex i).
(*! *)
Proof. by_sums. Qed.

(*! D3.15: inverse sign *)
Theorem D3_15_inverse_sign :
  forall (Omega : nat) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  0 <= (sum Omega (fun m : nat => omega m)) ^ 2 * sum Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m
    : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat => omega m)) ^ 2 * omega i / Z_circumflex i /
    sum Omega (fun m : nat => omega m)) / (sum Omega (fun m : nat => omega m * Z_circumflex m)) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! D3.15: shifted sign *)
Theorem D3_15_shifted_sign :
  forall (Omega : nat) (stretch : R) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (0 < stretch) ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  0 <= sum Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m : nat => omega m * Z_circumflex m) / sum
    Omega (fun m : nat => omega m)) ^ 2 * omega i / (stretch + Z_circumflex i) / sum Omega (fun m : nat =>
    omega m)) / (stretch + sum Omega (fun m : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat =>
    omega m)) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! D3.16: simple *)
Theorem D3_16_simple :
  forall (K M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  let P_n : R := 1 / INR K in
  INR M * exp (L_plus i) / INR K / (P_n * INR M + INR M * exp (L_plus i) / INR K / sum M (fun m : nat => exp
    (L i m))) / sum M (fun m : nat => exp (L i m)) = exp (L_plus i) / (P_n * INR K * sum M (fun m : nat => exp
    (L i m)) + exp (L_plus i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.17: infonce *)
Theorem D3_17_infonce :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) = ell i.
(*! *)
Proof. by_sums. Qed.

(*! D3.17: cancelled *)
Theorem D3_17_cancelled :
  forall (K M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  let P_n : R := 1 / INR K in
  INR M * exp (L_plus i) / INR K / (P_n * INR M + INR M * exp (L_plus i) / INR K / sum M (fun m : nat => exp
    (L i m))) / sum M (fun m : nat => exp (L i m)) = exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) +
    exp (L_plus i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.17: posterior *)
Theorem D3_17_posterior :
  forall (K M : nat) (L_plus Z_circumflex : nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < M)%nat ->
  (forall i : nat, 0 < Z_circumflex i) ->
  exp (L_plus i) / (INR M / INR K + exp (L_plus i) / Z_circumflex i) / Z_circumflex i = INR K * exp (L_plus i)
    / (INR K * exp (L_plus i) + INR M * Z_circumflex i).
(*! *)
Proof. by_sums. Qed.

(*! M24: inverse sign *)
Theorem M24_inverse_sign :
  forall (Omega : nat) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  0 <= (sum Omega (fun m : nat => omega m)) ^ 2 * sum Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m
    : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat => omega m)) ^ 2 * omega i / Z_circumflex i /
    sum Omega (fun m : nat => omega m)) / (sum Omega (fun m : nat => omega m * Z_circumflex m)) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! M24: shifted sign *)
Theorem M24_shifted_sign :
  forall (Omega : nat) (stretch : R) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (0 < stretch) ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  0 <= sum Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m : nat => omega m * Z_circumflex m) / sum
    Omega (fun m : nat => omega m)) ^ 2 * omega i / (stretch + Z_circumflex i) / sum Omega (fun m : nat =>
    omega m)) / (stretch + sum Omega (fun m : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat =>
    omega m)) ^ 2.
(*! *)
Proof. by_signs. Qed.
