(* Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3). *)

From infonce_ref Require Import sums.
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

(*! M24: multiple *)
Theorem M24_multiple :
  forall (M : nat) (P P_n o : R),
  (0 < M)%nat ->
  (0 < P) ->
  (0 < P_n) ->
  (0 < o) ->
  let h : R := o / (1 + o) in
  (1 - h <> 0) ->
  (P + P_n * INR M) / h / (1 - h) = (1 + o) ^ 2 * (P + P_n * INR M) / o.
(*! *)
Proof.
  intros. unfold h. replace (1 - o / (1 + o)) with (/ (1 + o)) by (field; lra). field. lra.
Qed.

(* The mean of 1/y minus the reciprocal of the mean of y. *)
Lemma mean_of_inverse : forall n (w y : nat -> R), (0 < n)%nat -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / y i / sum n (fun m => w m)) - 1 / (sum n (fun m => w m * y m) / sum n (fun m => w m))
  = sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / y i / sum n (fun m => w m))
    / (sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2.
Proof.
  intros n w y N W Y. assert (S : 0 < sum n (fun m => w m)) by sign. assert (T : 0 < sum n (fun m => w m * y m)) by sign.
  set (s := sum n (fun m => w m)) in *. set (t := sum n (fun m => w m * y m)) in *.
  rewrite (sum_ext n (fun i => (y i - t / s) ^ 2 * w i / y i / s)
    (fun i => / s * (w i * y i) - 2 * t / s / s * w i + t / s * (t / s) * (w i / y i / s)))
    by (intros i _; assert (a := Y i); field; lra).
  rewrite sum_plus, sum_minus, !sum_scale. change (sum n w) with s. fold s t. field. lra.
Qed.

Lemma inverse : forall n (w y : nat -> R), (0 < n)%nat -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / y i / sum n (fun m => w m)) - sum n (fun m => w m) / sum n (fun m => w m * y m)
  = (sum n (fun m => w m)) ^ 2 * sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / y i / sum n (fun m => w m))
    / (sum n (fun m => w m * y m)) ^ 2.
Proof.
  intros n w y N W Y. assert (E := mean_of_inverse n w y N W Y).
  assert (S : 0 < sum n (fun m => w m)) by sign. assert (T : 0 < sum n (fun m => w m * y m)) by sign.
  set (s := sum n (fun m => w m)) in *. set (t := sum n (fun m => w m * y m)) in *.
  replace (s / t) with (1 / (t / s)) by (field; lra). rewrite E. field. lra.
Qed.

Lemma shifted : forall n (z : R) (w y : nat -> R), (0 < n)%nat -> 0 < z -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / (z + y i) / sum n (fun m => w m)) - 1 / (z + sum n (fun m => w m * y m) / sum n (fun m => w m))
  = sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / (z + y i) / sum n (fun m => w m))
    / (z + sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2.
Proof.
  intros n z w y N Z W Y. assert (E := mean_of_inverse n w (fun i => z + y i) N W ltac:(intros i; assert (X := Y i); lra)).
  assert (S : 0 < sum n (fun m => w m)) by sign. cbv beta in E.
  assert (M : sum n (fun m => w m * (z + y m)) / sum n (fun m => w m) = z + sum n (fun m => w m * y m) / sum n (fun m => w m)).
  { rewrite (sum_ext n _ (fun m => z * w m + w m * y m)), sum_plus, sum_scale by (intros; ring). change (sum n w) with (sum n (fun m => w m)). field. lra. }
  rewrite M in E. rewrite E. f_equal. apply sum_ext. intros i _. do 3 f_equal. ring.
Qed.

(*! D3.15: inverse *)
Theorem D3_15_inverse :
  forall (Omega : nat) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  sum Omega (fun i : nat => omega i / Z_circumflex i / sum Omega (fun m : nat => omega m)) - sum Omega (fun m
    : nat => omega m) / sum Omega (fun m : nat => omega m * Z_circumflex m) = (sum Omega (fun m : nat => omega
    m)) ^ 2 * sum Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m : nat => omega m * Z_circumflex m)
    / sum Omega (fun m : nat => omega m)) ^ 2 * omega i / Z_circumflex i / sum Omega (fun m : nat => omega m))
    / (sum Omega (fun m : nat => omega m * Z_circumflex m)) ^ 2.
(*! *)
Proof. intros. apply inverse; assumption. Qed.

(*! D3.15: shifted *)
Theorem D3_15_shifted :
  forall (Omega : nat) (stretch : R) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (0 < stretch) ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < Z_circumflex i) ->
  sum Omega (fun i : nat => omega i / (stretch + Z_circumflex i) / sum Omega (fun m : nat => omega m)) - 1 /
    (stretch + sum Omega (fun m : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat => omega m)) = sum
    Omega (fun i : nat => (Z_circumflex i - sum Omega (fun m : nat => omega m * Z_circumflex m) / sum Omega
    (fun m : nat => omega m)) ^ 2 * omega i / (stretch + Z_circumflex i) / sum Omega (fun m : nat => omega m))
    / (stretch + sum Omega (fun m : nat => omega m * Z_circumflex m) / sum Omega (fun m : nat => omega m)) ^ 2.
(*! *)
Proof. intros. apply shifted; assumption. Qed.
