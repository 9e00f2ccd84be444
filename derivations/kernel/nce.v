(* Noise-contrastive estimation: binary classification of each datum against M noise samples (D2, Eq. 1; D3). *)

From infonce_ref Require Import sums.
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

(*! D3.8: any *)
Theorem D3_8_any :
  forall (K : nat) (pi_0 pi_1 : R) (P_d P_n g : nat -> R),
  (0 < K)%nat ->
  (forall i : nat, 0 <= P_d i) ->
  (forall i : nat, 0 <= P_n i) ->
  (0 < pi_0) ->
  (0 < pi_1) ->
  let h (j : nat) : R := pi_1 * P_d j / (pi_0 * P_n j + pi_1 * P_d j) in
  (forall j : nat, (j < K)%nat -> pi_0 * P_n j + pi_1 * P_d j <> 0) ->
  sum K (fun j : nat => (pi_0 * P_n j + pi_1 * P_d j) * g j * h j) = sum K (fun j : nat => pi_1 * g j * P_d j).
(*! *)
Proof. intros. apply sum_ext. intros j J. assert (E := H4 j J). unfold h. field. exact E. Qed.

(*! D3.18: terms *)
Theorem D3_18_terms :
  forall (M N nu : nat) (u' : nat -> nat -> R) (u_plus lambda : nat -> R) (lambda' : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  let h' (i a : nat) : R := exp (u' i a) / (INR M * exp (lambda' i a) + exp (u' i a)) in
  let loss : R := - (sum N (fun i : nat => sum M (fun a : nat => ln (1 - h' i a)) + ln (h i)) / INR nu) in
  (forall a : nat, (a < M)%nat -> forall i : nat, (i < N)%nat -> 0 < 1 - h' i a) ->
  (forall i : nat, (i < N)%nat -> 0 < h i) ->
  loss = sum N (fun i : nat => ln (1 + INR M * exp (lambda i - u_plus i)) - sum M (fun a : nat => ln (1 - h' i
    a))) / INR nu.
(*! *)
Proof.
  intros. unfold loss. rewrite <- Ropp_div, <- sum_opp. f_equal. apply sum_ext. intros i _.
  assert (E : ln (1 + INR M * exp (lambda i - u_plus i)) = - ln (h i)).
  { symmetry. apply odds; [sign|assert (X := INR_pos M H); sign|]. unfold Rminus. rewrite exp_plus, exp_Ropp. field.
    apply not_zero, exp_pos. }
  rewrite E. ring.
Qed.

Lemma sample : forall m u l, 0 < m -> 1 / (1 - exp u / (m * exp l + exp u)) = 1 + exp (u - l) / m.
Proof.
  intros m u l P. assert (U := exp_pos u). assert (L := exp_pos l). assert (X := Rmult_lt_0_compat _ _ P L).
  replace (1 - exp u / (m * exp l + exp u)) with (m * exp l / (m * exp l + exp u)) by (field; lra).
  unfold Rminus. rewrite exp_plus, exp_Ropp. field. repeat split; lra.
Qed.

(*! D2.1: sample *)
Theorem D2_1_sample :
  forall (M : nat) (u' lambda' : nat -> nat -> R) (a i : nat),
  (0 < M)%nat ->
  let h' (i a : nat) : R := exp (u' i a) / (INR M * exp (lambda' i a) + exp (u' i a)) in
  (forall a : nat, forall i : nat, 1 - h' i a <> 0) ->
  1 / (1 - h' i a) = 1 + exp (u' i a - lambda' i a) / INR M.
(*! *)
Proof. intros. apply sample, INR_pos. assumption. Qed.

(*! D2.1: shifted *)
Theorem D2_1_shifted :
  forall (A : nat) (c : R) (u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) in
  ln (sum A (fun a : nat => exp (c + u i a))) - c - u i (p i) = ell i.
(*! *)
Proof.
  intros. unfold ell. assert (S : 0 < sum A (fun m => exp (u i m))) by sign.
  rewrite (sum_ext A (fun a => exp (c + u i a)) (fun a => exp c * exp (u i a))) by (intros; apply exp_plus).
  rewrite sum_scale. unfold Rdiv. rewrite !ln_mult, ln_Rinv, !ln_exp by (sign || apply Rinv_0_lt_compat; sign). ring.
Qed.
