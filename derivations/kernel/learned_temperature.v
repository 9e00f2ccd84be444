(* Where a learned temperature converges if the scores are fixed. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R1: slope *)
Theorem R1_slope :
  forall (A N nu : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < beta) ->
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let L (beta : R) (i a : nat) : R := beta * s i a in
  let ell (beta : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L beta i m))) - L beta i (p i) in
  let loss (beta : R) : R := sum N (fun i : nat => ell beta i) / INR nu in
  let P (beta : R) (i a : nat) : R := exp (L beta i a) / sum A (fun m : nat => exp (L beta i m)) in
  is_derive (fun x : R => loss x) beta (sum N (fun i : nat => sum A (fun a : nat => P beta i a * s i a) - s i
    (p i)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: log scale *)
Theorem R1_log_scale :
  forall (A N nu : nat) (upsilon : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let beta (upsilon : R) : R := exp upsilon in
  let L (upsilon : R) (i a : nat) : R := beta upsilon * s i a in
  let ell (upsilon : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L upsilon i m))) - L upsilon i (p i)
    in
  let loss (upsilon : R) : R := sum N (fun i : nat => ell upsilon i) / INR nu in
  let P (upsilon : R) (i a : nat) : R := exp (L upsilon i a) / sum A (fun m : nat => exp (L upsilon i m)) in
  is_derive (fun x : R => loss x) upsilon (beta upsilon * sum N (fun i : nat => sum A (fun a : nat => P
    upsilon i a * s i a) - s i (p i)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: share *)
Theorem R1_share :
  forall (A : nat) (beta : R) (s : nat -> nat -> R) (a i : nat),
  (0 < beta) ->
  (0 < A)%nat ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 < P i a.
(*! *)
Proof. by_signs. Qed.

(*! R1: right sign *)
Theorem R1_right_sign :
  forall (A N : nat) (beta : R) (s delta_ : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (forall i j : nat, 0 <= delta_ i j) ->
  (0 < beta) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 <= sum N (fun i : nat => sum A (fun a : nat => differ a (p i) * P i a * delta_ i a)).
(*! *)
Proof. by_signs. Qed.

(*! R1: clip *)
Theorem R1_clip :
  forall (B : nat) (beta : R) (s : nat -> nat -> R),
  (0 < beta) ->
  (0 < B)%nat ->
  let L (beta : R) (i j : nat) : R := beta * s i j in
  let P (beta : R) (i j : nat) : R := exp (L beta i j) / sum B (fun k : nat => exp (L beta i k)) in
  let P_c (beta : R) (i j : nat) : R := exp (L beta i j) / sum B (fun k : nat => exp (L beta k j)) in
  let ell (beta : R) (i : nat) : R := - (ln (P beta i i) / 2) - ln (P_c beta i i) / 2 in
  let loss (beta : R) : R := sum B (fun i : nat => ell beta i) / INR B in
  (forall i : nat, (i < B)%nat -> 0 < P beta i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c beta i i) ->
  is_derive (fun x : R => loss x) beta ((sum B (fun i : nat => sum B (fun j : nat => P beta i j * s i j) - s i
    i) + sum B (fun i : nat => sum B (fun j : nat => P_c beta i j * s i j) - s i i)) / 2 / INR B).
(*! *)
Proof. by_sums. Qed.

(*! R1: curvature *)
Theorem R1_curvature :
  forall (A N nu : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < beta) ->
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let L (beta : R) (i a : nat) : R := beta * s i a in
  let ell (beta : R) (i : nat) : R := ln (sum A (fun m : nat => exp (L beta i m))) - L beta i (p i) in
  let loss (beta : R) : R := sum N (fun i : nat => ell beta i) / INR nu in
  let P (beta : R) (i a : nat) : R := exp (L beta i a) / sum A (fun m : nat => exp (L beta i m)) in
  is_derive (fun x : R => Derive (fun t : R => loss t) x) beta (sum N (fun i : nat => sum A (fun a : nat =>
    sum A (fun n : nat => (s i a - s i n) ^ 2 * P beta i a * P beta i n))) / 2 / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R1: hot *)
Theorem R1_hot :
  forall (A N : nat) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  let L (i a : nat) : R := 0 in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  sum N (fun i : nat => sum A (fun a : nat => P i a * s i a) - s i (p i)) = sum N (fun i : nat => sum A (fun a
    : nat => s i a) / INR A - s i (p i)).
(*! *)
Proof. by_sums. Qed.

(*! R1: room *)
Theorem R1_room :
  forall (A : nat) (beta : R) (s : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  (0 < beta) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  1 - sum A (fun a : nat => (s i a - sum A (fun n : nat => P i n * s i n)) ^ 2 * P i a) = (sum A (fun a : nat
    => P i a * s i a)) ^ 2 + sum A (fun a : nat => (1 - s i a ^ 2) * P i a).
(*! *)
Proof. by_sums. Qed.

(*! R1: right *)
Theorem R1_right :
  forall (A N : nat) (beta : R) (s_plus : nat -> R) (delta_ : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (forall i j : nat, 0 <= delta_ i j) ->
  (0 < beta) ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let s (i a : nat) : R := s_plus i - differ a (p i) * delta_ i a in
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  sum N (fun i : nat => sum A (fun a : nat => P i a * s i a) - s i (p i)) = - (sum N (fun i : nat => sum A
    (fun a : nat => differ a (p i) * P i a * delta_ i a))).
(*! *)
Proof.
  intros. assert (S : forall i, sum A (P i) = 1) by (intros; apply shares, not_zero; sign). clearbody P.
  rewrite <- sum_opp. apply sum_ext. intros i I. unfold s. rewrite (differ_delta (p i)), delta_refl.
  rewrite (sum_ext A _ (fun a => s_plus i * P i a - differ a (p i) * P i a * delta_ i a)) by (intros; ring).
  rewrite sum_minus, sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite S. ring.
Qed.

(*! R1: convex *)
Theorem R1_convex :
  forall (A N nu : nat) (beta : R) (s : nat -> nat -> R),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < beta) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 <= sum N (fun i : nat => sum A (fun a : nat => sum A (fun n : nat => (s i a - s i n) ^ 2 * P i a * P i
    n))) / 2 / INR nu.
(*! *)
Proof. by_signs. Qed.

(*! R1: cold *)
Theorem R1_cold :
  forall (A N : nat) (beta : R) (s : nat -> nat -> R) (o p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < beta) ->
  (forall i : nat, (i < N)%nat -> (o i < A)%nat) ->
  let L (i a : nat) : R := beta * s i a in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < P i a) ->
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> P i a <> 0) ->
  beta * sum N (fun i : nat => s i (o i) - s i (p i)) - INR N * ln (INR A) <= beta * sum N (fun i : nat => sum
    A (fun a : nat => P i a * s i a) - s i (p i)).
(*! *)
Proof.
  intros.
  assert (E : forall i, (i < N)%nat -> beta * s i (o i) - ln (INR A) <= beta * sum A (fun a => P i a * s i a)).
  { intros i I. assert (A0 := INR_pos A H). assert (Z : 0 < sum A (fun a => exp (L i a))) by sign.
    assert (S : sum A (P i) = 1) by (apply shares; lra).
    assert (B := mean_ln A (P i) (fun a => / (INR A * P i a)) ltac:(intros; apply Rlt_le; auto)
      ltac:(intros; apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto)). cbv beta in B. rewrite S in B.
    rewrite (sum_ext A (fun k => P i k * / (INR A * P i k)) (fun _ => 1 * / INR A)), sum_scale_r, sum_one in B
      by (intros; field; split; [lra|apply not_zero; auto]).
    rewrite Rinv_r in B by lra.
    rewrite (sum_ext A (fun k => P i k * ln (/ (INR A * P i k)))
      (fun k => P i k * (ln (sum A (fun a => exp (L i a))) - ln (INR A)) - beta * (P i k * s i k))) in B.
    - rewrite sum_minus, sum_scale_r, sum_scale in B. change (sum A (fun k => P i k)) with (sum A (P i)) in B. rewrite S in B.
      assert (G : ln (exp (L i (o i))) <= ln (sum A (fun a => exp (L i a)))).
      { apply ln_le; [apply exp_pos|]. rewrite <- (sum_delta A (o i) (fun a => exp (L i a))) by auto.
        apply sum_le. intros k K. rewrite <- (Rmult_1_l (exp (L i k))) at 2. apply Rmult_le_compat_r; [apply Rlt_le, exp_pos|].
        unfold delta. destruct (Nat.eqb k (o i)); lra. }
      rewrite ln_exp in G. unfold L at 1 in G. lra.
    - intros k K. assert (P0 : 0 < P i k) by auto. rewrite ln_Rinv, ln_mult by first [assumption | apply Rmult_lt_0_compat; assumption].
      replace (ln (P i k)) with (L i k - ln (sum A (fun a => exp (L i a)))); [unfold L at 1; ring|].
      symmetry. rewrite <- (ln_exp (L i k)) at 1. apply (nf_ln_over _ _ _ (exp_pos _) Z eq_refl). }
  rewrite <- (sum_one N), <- !sum_scale, <- (sum_scale_r N (ln (INR A))), <- sum_minus. apply sum_le. intros i I. assert (B := E i I). lra.
Qed.
