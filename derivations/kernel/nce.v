(* Noise-contrastive estimation: tell each datum from M noise samples, two classes at a time (D2, Eq. 1; D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D2.1: datum *)
Theorem D2_1_datum :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  (forall i : nat, h i <> 0) ->
  1 / h i = 1 + INR M * exp (lambda i - u_plus i).
(*! *)
Proof. by_sums. Qed.

(*! D2.1: pair *)
Theorem D2_1_pair :
  forall (u u_n : R),
  - (ln (exp u / (exp u + exp u_n))) = ln (1 + exp (u_n - u)).
(*! *)
Proof. by_odds. Qed.


(*! D2.2: minus *)
Theorem D2_2_minus :
  forall (M N nu : nat) (u' : nat -> nat -> R) (u_plus lambda : nat -> R) (lambda' : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  let h' (i a : nat) : R := exp (u' i a) / (INR M * exp (lambda' i a) + exp (u' i a)) in
  let loss : R := - (sum N (fun i : nat => sum M (fun a : nat => ln (1 - h' i a)) + ln (h i)) / INR nu) in
  (forall a : nat, (a < M)%nat -> forall i : nat, (i < N)%nat -> 0 < 1 - h' i a) ->
  (forall i : nat, (i < N)%nat -> 0 < h i) ->
  sum N (fun i : nat => sum M (fun a : nat => ln (1 - h' i a)) + ln (h i)) = - (loss * INR nu).
(*! *)
Proof. by_sums. Qed.

(*! D2.2: datum sign *)
Theorem D2_2_datum_sign :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  0 < INR M * exp (lambda i - u_plus i).
(*! *)
Proof. by_signs. Qed.

(*! D2.2: sample sign *)
Theorem D2_2_sample_sign :
  forall (M : nat) (u' lambda' : nat -> nat -> R) (a i : nat),
  (0 < M)%nat ->
  0 < exp (u' i a - lambda' i a) / INR M.
(*! *)
Proof. by_signs. Qed.

(*! D2.2: datum *)
Theorem D2_2_datum :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  (forall i : nat, h i <> 0) ->
  1 / h i = 1 + INR M * exp (lambda i - u_plus i).
(*! *)
Proof. by_sums. Qed.

(*! D3.8: both *)
Theorem D3_8_both :
  forall (pi_0 pi_1 : R) (P_d P_n : nat -> R) (j : nat),
  (forall i : nat, 0 <= P_d i) ->
  (forall i : nat, 0 <= P_n i) ->
  (0 < pi_0) ->
  (0 < pi_1) ->
  let h (j : nat) : R := pi_1 * P_d j / (pi_0 * P_n j + pi_1 * P_d j) in
  (forall j : nat, pi_0 * P_n j + pi_1 * P_d j <> 0) ->
  1 - h j = pi_0 * P_n j / (pi_0 * P_n j + pi_1 * P_d j).
(*! *)
Proof. by_sums. Qed.

(*! D3.9: noise positive *)
Theorem D3_9_noise_positive :
  forall (M : nat),
  (0 < M)%nat ->
  0 < INR M / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! D3.9: positive *)
Theorem D3_9_positive :
  forall (M : nat),
  (0 < M)%nat ->
  0 < 1 / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! D3.9: sum *)
Theorem D3_9_sum :
  forall (M : nat),
  (0 < M)%nat ->
  let pi_0 : R := INR M / (1 + INR M) in
  let pi_1 : R := 1 / (1 + INR M) in
  pi_0 + pi_1 = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.10: posterior *)
Theorem D3_10_posterior :
  forall (M : nat) (P P_n : R),
  (0 < P) ->
  (0 < P_n) ->
  (0 < M)%nat ->
  let pi_0 : R := INR M / (1 + INR M) in
  let pi_1 : R := 1 / (1 + INR M) in
  P * pi_1 / (P * pi_1 + P_n * pi_0) = P / (P + P_n * INR M).
(*! *)
Proof. by_sums. Qed.

(*! D3.18: positive *)
Theorem D3_18_positive :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  0 < h i.
(*! *)
Proof. by_signs. Qed.

(*! D3.18: short sign *)
Theorem D3_18_short_sign :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  0 < INR M * exp (lambda i) / (INR M * exp (lambda i) + exp (u_plus i)).
(*! *)
Proof. by_signs. Qed.

(*! D3.18: noise short *)
Theorem D3_18_noise_short :
  forall (M : nat) (u' lambda' : nat -> nat -> R) (a i : nat),
  (0 < M)%nat ->
  let h' (i a : nat) : R := exp (u' i a) / (INR M * exp (lambda' i a) + exp (u' i a)) in
  1 - h' i a = INR M * exp (lambda' i a) / (INR M * exp (lambda' i a) + exp (u' i a)).
(*! *)
Proof. by_sums. Qed.

(*! D3.18: short *)
Theorem D3_18_short :
  forall (M : nat) (u_plus lambda : nat -> R) (i : nat),
  (0 < M)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  1 - h i = INR M * exp (lambda i) / (INR M * exp (lambda i) + exp (u_plus i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.18: slope *)
Theorem D3_18_slope :
  forall (M : nat) (P P_n h : R),
  (0 < M)%nat ->
  (0 < P) ->
  (0 < P_n) ->
  (0 < h) ->
  (0 < 1 - h) ->
  is_derive (fun x : R => - (P * ln x) - P_n * INR M * ln (1 - x)) h ((P + P_n * INR M) * (h - P / (P + P_n *
    INR M)) / h / (1 - h)).
(*! *)
Proof. by_sums. Qed.

(*! D3.18: multiple sign *)
Theorem D3_18_multiple_sign :
  forall (M : nat) (P P_n o : R),
  (0 < M)%nat ->
  (0 < P) ->
  (0 < P_n) ->
  (0 < o) ->
  0 < (1 + o) ^ 2 * (P + P_n * INR M) / o.
(*! *)
Proof. by_signs. Qed.

(*! D3.18: reached *)
Theorem D3_18_reached :
  forall (M : nat) (P P_n : R),
  (0 < M)%nat ->
  (0 < P_n) ->
  (0 < P) ->
  let u : R := ln P in
  exp u / (P_n * INR M + exp u) = P / (P + P_n * INR M).
(*! *)
Proof. by_sums. Qed.
