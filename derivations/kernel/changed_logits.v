(* How much a row's loss changes if its logits do: bounds on the growth of the odds and of the loss. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(* Relative to the positive, the logit of each negative grows by e - s k. *)
Lemma odds_grow : forall M e (L : nat -> R) p (s : nat -> R),
  sum M (fun k => exp (e + L k - p - s k)) + sum M (fun k => s k * exp (e + L k - p - s k))
    <= sum M (fun k => exp (L k - p)) * exp e.
Proof.
  intros. rewrite <- sum_plus, <- sum_scale_r. apply sum_le. intros k _.
  replace (exp (L k - p) * exp e) with (exp (e + L k - p - s k) * exp (s k)) by (rewrite <- !exp_plus; f_equal; ring).
  assert (E := exp_pos (e + L k - p - s k)). assert (S := exp_ineq1_le (s k)). nra.
Qed.

(*! R25: odds *)
Theorem R25_odds :
  forall (M : nat) (epsilon_circumflex : R) (L : nat -> nat -> R) (L_plus : nat -> R) (delta_circumflex : nat
    -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i j : nat, 0 <= delta_circumflex i j) ->
  (0 < epsilon_circumflex) ->
  let O_1 (i : nat) : R := sum M (fun a : nat => exp (epsilon_circumflex + L i a - L_plus i - delta_circumflex
    i a)) in
  let O_0 (i : nat) : R := sum M (fun a : nat => exp (L i a - L_plus i)) in
  O_1 i + sum M (fun a : nat => delta_circumflex i a * exp (epsilon_circumflex + L i a - L_plus i -
    delta_circumflex i a)) <= O_0 i * exp epsilon_circumflex.
(*! *)
Proof. intros. apply odds_grow. Qed.

(*! R25: loss *)
Theorem R25_loss :
  forall (M : nat) (epsilon_circumflex : R) (L : nat -> nat -> R) (L_plus : nat -> R) (delta_circumflex : nat
    -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i j : nat, 0 <= delta_circumflex i j) ->
  (0 < epsilon_circumflex) ->
  let O_1 (i : nat) : R := sum M (fun a : nat => exp (epsilon_circumflex + L i a - L_plus i - delta_circumflex
    i a)) in
  let P_1 (i a : nat) : R := exp (epsilon_circumflex + L i a - L_plus i - delta_circumflex i a) / (1 + O_1 i)
    in
  let O_0 (i : nat) : R := sum M (fun a : nat => exp (L i a - L_plus i)) in
  let ell_0 (i : nat) : R := ln (1 + O_0 i) in
  let ell_1 (i : nat) : R := ln (1 + O_1 i) in
  ell_1 i + sum M (fun a : nat => P_1 i a * delta_circumflex i a) - ell_0 i <= epsilon_circumflex * sum M (fun
    a : nat => P_1 i a).
(*! *)
Proof.
  intros. pose (S0 := 1 + O_0 i). pose (S1 := 1 + O_1 i).
  assert (O0 : 0 < O_0 i) by (unfold O_0; sign). assert (O1 : 0 < O_1 i) by (unfold O_1; sign).
  assert (S0P : 0 < S0) by (unfold S0; lra). assert (S1P : 0 < S1) by (unfold S1; lra).
  assert (PP : forall k, (k < M)%nat -> 0 <= P_1 i k) by (intros; unfold P_1; fold S1; sign).
  assert (B := mean_ln M (P_1 i) (fun k => exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i))) PP ltac:(intros; apply exp_pos)).
  cbv beta in B.
  assert (T : sum M (P_1 i) = O_1 i / S1).
  { unfold P_1. fold S1. unfold Rdiv. rewrite sum_scale_r. reflexivity. }
  assert (Q : exp (ell_1 i - ell_0 i) = S1 / S0).
  { unfold Rminus. rewrite exp_plus, exp_Ropp. unfold ell_1, ell_0. rewrite !exp_ln by assumption. reflexivity. }
  rewrite (sum_ext M (fun k => P_1 i k * exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i)))
    (fun k => exp (L i k - L_plus i) * / S0)), sum_scale_r in B.
  2: { intros k K. rewrite exp_plus, Q. unfold P_1. fold S1.
    replace (exp (L i k - L_plus i)) with (exp (epsilon_circumflex + L i k - L_plus i - delta_circumflex i k)
      * exp (delta_circumflex i k - epsilon_circumflex)) by (rewrite <- exp_plus; f_equal; ring). field. lra. }
  rewrite (sum_ext M (fun k => P_1 i k * ln (exp (delta_circumflex i k - epsilon_circumflex + (ell_1 i - ell_0 i))))
    (fun k => P_1 i k * delta_circumflex i k + P_1 i k * (ell_1 i - ell_0 i - epsilon_circumflex))), sum_plus, sum_scale_r in B
    by (intros; rewrite ln_exp; ring).
  change (sum M (fun k => P_1 i k)) with (sum M (P_1 i)) in *. rewrite T in *.
  change (sum M (fun k => exp (L i k - L_plus i))) with (O_0 i) in B.
  assert (C := exp_ineq1_le (ell_1 i - ell_0 i)). rewrite Q in C.
  assert (D : (ell_1 i - ell_0 i) / S1 <= / S0 - / S1).
  { apply Rmult_le_reg_r with S1; [assumption|]. replace ((ell_1 i - ell_0 i) / S1 * S1) with (ell_1 i - ell_0 i) by (field; lra).
    replace ((/ S0 - / S1) * S1) with (S1 / S0 - 1) by (field; lra). lra. }
  assert (E0 : O_0 i * / S0 = 1 - / S0) by (unfold S0; field; lra).
  assert (E1 : O_1 i / S1 = 1 - / S1) by (unfold S1; field; lra).
  rewrite E0 in B. rewrite E1 in B |- *. unfold Rdiv in D. lra.
Qed.

(*! R25: reach *)
Theorem R25_reach :
  forall (d : nat) (x : R) (w Deltak : nat -> nat -> R) (a i : nat),
  (0 < d)%nat ->
  (0 < x) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  (forall i : nat, norm_w i <> 0) ->
  x - sum d (fun f : nat => z i f * Deltak a f) = (x ^ 2 + sum d (fun f : nat => (x * z i f - Deltak a f) ^ 2)
    - sum d (fun f : nat => Deltak a f ^ 2)) / 2 / x.
(*! *)
Proof. by_sums. Qed.

(*! R26: odds *)
Theorem R26_odds :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (delta_circumflex : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i j : nat, 0 <= delta_circumflex i j) ->
  let O_1 (i : nat) : R := sum M (fun a : nat => exp (1 / 2 + L i a - L_plus i - delta_circumflex i a)) in
  let O_0 (i : nat) : R := sum M (fun a : nat => exp (L i a - L_plus i)) in
  O_1 i + sum M (fun a : nat => delta_circumflex i a * exp (1 / 2 + L i a - L_plus i - delta_circumflex i a))
    <= O_0 i * exp (1 / 2).
(*! *)
Proof. intros. apply odds_grow. Qed.

(*! R26: moved *)
Theorem R26_moved :
  forall (O : R),
  (0 < O) ->
  1 / (1 + O) - 1 / (1 + O * exp (1 / 2)) = (1 - (1 - O * exp (1 / 4)) ^ 2 / (1 + O) / (1 + O * exp (1 / 2)))
    * (exp (1 / 4) - 1) / (1 + exp (1 / 4)).
(*! *)
Proof.
  intros. assert (E := exp_pos (1 / 4)).
  replace (exp (1 / 2)) with (exp (1 / 4) * exp (1 / 4)) by (rewrite <- exp_plus; f_equal; lra).
  field. repeat split; nra.
Qed.

(*! R26: most *)
Theorem R26_most :
  let O : R := exp (- (1 / 4)) in
  1 - O * exp (1 / 4) = 0.
(*! *)
Proof.
  cbv zeta. rewrite <- exp_plus. replace (- (1 / 4) + 1 / 4) with 0 by field. rewrite exp_0. ring.
Qed.
