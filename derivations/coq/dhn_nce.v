(* DHN-NCE: images and texts, each pair against its hard negatives, without the positive in the denominators (document D4). *)

(* The weights of a row are at least 0 and sum to 1. *)
Lemma row_weights : forall B (O L : nat -> R) b, (forall j, 0 <= O j) -> sum B (fun m => O m * exp (b * L m)) <> 0 ->
  let rho m := O m * exp (b * L m) / sum B (fun m => O m * exp (b * L m)) in
  (forall m, 0 <= rho m) /\ sum B rho = 1.
Proof.
  intros B O L b P N rho. split.
  - intros m. apply Rmult_le_pos; [apply Rmult_le_pos; [apply P|apply Rlt_le, exp_pos]|]. apply Rlt_le, Rinv_0_lt_compat, nonneg_not_zero; [|exact N].
    apply sum_nonneg. intros. apply Rmult_le_pos; [apply P|apply Rlt_le, exp_pos].
  - apply (shares B (fun m => O m * exp (b * L m))), N.
Qed.

Lemma mean_of_weighed : forall B (c : R) (O L : nat -> R) b l, c <> 0 ->
  0 < sum B (fun m => c * exp (b * L m) / sum B (fun m => O m * exp (b * L m)) * O m * exp (L m)) ->
  exp (ln (sum B (fun m => c * exp (b * L m) / sum B (fun m => O m * exp (b * L m)) * O m * exp (L m))) - l) / c
    = sum B (fun m => O m * exp (b * L m) / sum B (fun m => O m * exp (b * L m)) * exp (L m - l)).
Proof.
  intros B c O L b l C P. unfold Rminus. rewrite exp_plus, exp_ln by exact P. unfold Rdiv at 1. rewrite Rmult_assoc, <- sum_scale_r.
  apply sum_ext. intros m _. rewrite exp_plus. unfold Rdiv. transitivity (c * / c * (O m * exp (b * L m) * / sum B (fun m => O m * exp (b * L m)) * (exp (L m) * exp (- l)))); [ring|].
  rewrite Rinv_r by exact C. ring.
Qed.

(*! M22: rising *)
Proof.
  intros. destruct (row_weights B (O i) (L i) beta_1 (H2 i) (H6 i)) as [R0 R1]. change (forall m, 0 <= rho i m) in R0. change (sum B (rho i) = 1) in R1.
  assert (K := H6 i). assert (T0 := H5 i). assert (E := H4 i).
  assert (E0 : 0 < sum B (fun m => rho i m * exp (L i m))).
  { apply nonneg_not_zero; [|exact E]. apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply R0|apply Rlt_le, exp_pos]. }
  assert (C := covariance B (rho i) (L i) (fun m => exp (L i m)) R1). cbv beta in C.
  assert (P : 0 <= sum B (fun j => sum B (fun m => (L i j - L i m) * (exp (L i j) - exp (L i m)) * rho i j * rho i m))).
  { apply sum_nonneg. intros j _. apply sum_nonneg. intros m _. rewrite Rmult_assoc. apply Rmult_le_pos; [|apply Rmult_le_pos; apply R0].
    destruct (Rle_dec (L i m) (L i j)) as [V|V].
    - apply Rmult_le_pos; [lra|]. destruct V as [V|V]; [apply exp_increasing in V; lra|rewrite V; lra].
    - assert (V' : L i j < L i m) by lra. assert (X := exp_increasing _ _ V').
      replace ((L i j - L i m) * (exp (L i j) - exp (L i m))) with ((L i m - L i j) * (exp (L i m) - exp (L i j))) by ring. apply Rmult_le_pos; lra. }
  rewrite (sum_ext B _ (fun j => / sum B (fun m => rho i m * exp (L i m)) * (rho i j * (L i j * exp (L i j))) - rho i j * L i j)).
  - rewrite sum_minus, sum_scale. set (e := sum B (fun m => rho i m * exp (L i m))) in *.
    replace (- (/ e * sum B (fun j => rho i j * (L i j * exp (L i j))) - sum B (fun j => rho i j * L i j)))
      with (- (/ e * (sum B (fun j => rho i j * (L i j * exp (L i j))) - sum B (fun j => rho i j * L i j) * e))) by (field; lra).
    rewrite <- C. assert (X := Rinv_0_lt_compat _ E0). assert (Y : 0 <= / e * (sum B (fun j => sum B (fun m => (L i j - L i m) * (exp (L i j) - exp (L i m)) * rho i j * rho i m)) / 2)) by (apply Rmult_le_pos; lra).
    lra.
  - intros j _. assert (Q1 : sum B (fun m => rho i m * exp (L i m)) = sum B (fun m => O i m * exp ((1 + beta_1) * L i m)) / sum B (fun m => O i m * exp (beta_1 * L i m))).
    { unfold Rdiv. rewrite <- sum_scale_r. apply sum_ext. intros m _. unfold rho. replace ((1 + beta_1) * L i m) with (beta_1 * L i m + L i m) by ring. rewrite exp_plus. unfold Rdiv. ring. }
    rewrite Q1. unfold Q, rho. replace ((1 + beta_1) * L i j) with (beta_1 * L i j + L i j) by ring. rewrite exp_plus. field. split; assumption.
Qed.

(*! M22: gap *)
Proof.
  intros. destruct (row_weights B (O i) (L i) beta_1 (H2 i) (H4 i)) as [R0 R1]. change (forall m, 0 <= rho i m) in R0. change (sum B (rho i) = 1) in R1.
  assert (M := mean_of_weighed B (INR B - 1) (O i) (L i) beta_1 (L i (o i)) H5 (H6 i)).
  replace (ell i + L i i - L i (o i)) with (ln (sum B (fun m => W i m * O i m * exp (L i m))) - L i (o i)) by (unfold ell; ring).
  unfold W. rewrite M, <- R1, <- sum_minus. apply sum_le. intros m _. fold (rho i m).
  assert (D := decay (L i (o i) - L i m)). replace (- (L i (o i) - L i m)) with (L i m - L i (o i)) in D by ring.
  assert (X := Rmult_le_compat_l _ _ _ (R0 m) D). lra.
Qed.

(*! M22: above *)
Proof.
  intros. destruct (row_weights B (O i) (L i) beta_1 (H2 i) (H4 i)) as [R0 R1]. change (forall m, 0 <= rho i m) in R0. change (sum B (rho i) = 1) in R1.
  assert (M := mean_of_weighed B (INR B - 1) (O i) (L i) beta_1 (L i i) H5 (H6 i)).
  change (exp (ell i) / (INR B - 1) = sum B (fun m => rho i m * exp (L i m - L i i))) in M.
  rewrite M. replace (exp (2 / tau)) with (exp (2 / tau) * sum B (rho i)) by (rewrite R1; ring). rewrite <- sum_scale, <- sum_minus.
  apply sum_le. intros m _. assert (D := decay (2 / tau + L i i - L i m)).
  assert (Y := Rmult_le_compat_l (rho i m * exp (2 / tau)) _ _ ltac:(apply Rmult_le_pos; [apply R0|apply Rlt_le, exp_pos]) D).
  replace (exp (- (2 / tau + L i i - L i m))) with (exp (L i m - L i i) * / exp (2 / tau)) in Y by (rewrite <- exp_Ropp, <- exp_plus; f_equal; ring).
  replace ((2 + S i i - S i m) * rho i m * exp (L i m - L i i) / tau)
    with (rho i m * exp (2 / tau) * ((2 / tau + L i i - L i m) * (exp (L i m - L i i) * / exp (2 / tau)))) by (unfold L; field; repeat split; lra || apply not_zero, exp_pos).
  eapply Rle_trans; [exact Y|]. right. field. apply not_zero, exp_pos.
Qed.

(*! M22: below *)
Proof.
  intros. destruct (row_weights B (O i) (L i) beta_1 (H2 i) (H4 i)) as [R0 R1]. change (forall m, 0 <= rho i m) in R0. change (sum B (rho i) = 1) in R1.
  assert (M := mean_of_weighed B (INR B - 1) (O i) (L i) beta_1 (L i i) H5 (H6 i)).
  change (exp (ell i) / (INR B - 1) = sum B (fun m => rho i m * exp (L i m - L i i))) in M.
  rewrite M. apply (Rle_trans _ (sum B (fun m => rho i m * exp (L i m - L i i) - exp (- (2 / tau)) * rho i m)));
    [|right; rewrite sum_minus, sum_scale; change (sum B (fun k => rho i k)) with (sum B (rho i)); rewrite R1; ring].
  apply sum_le. intros m _. assert (E := ln_below (exp (2 / tau + (L i m - L i i))) (exp_pos _)). rewrite ln_exp in E.
  assert (Y := Rmult_le_compat_l (rho i m * exp (- (2 / tau))) _ _ ltac:(apply Rmult_le_pos; [apply R0|apply Rlt_le, exp_pos]) E).
  rewrite exp_plus in Y. replace ((2 + S i m - S i i) * rho i m * exp (- (2 / tau)) / tau) with (rho i m * exp (- (2 / tau)) * (2 / tau + (L i m - L i i))) by (unfold L; field; lra).
  eapply Rle_trans; [exact Y|]. right. rewrite exp_Ropp. field. apply not_zero, exp_pos.
Qed.

(*! M22: limit *)
Proof.
  intros. assert (O0 : forall j, 0 <= O i j) by (intros; apply differ_nonneg). assert (Q := H5 i H4).
  destruct (row_weights B (O i) (L i) beta_1 O0 (H6 i H4)) as [R0 R1]. change (forall m, 0 <= rho i m) in R0. change (sum B (rho i) = 1) in R1.
  assert (M := mean_of_weighed B (INR B - 1) (O i) (L i) beta_1 (L i (o i)) H7 (H8 i H4)).
  replace (ell i + L i i - L i (o i)) with (ln (sum B (fun m => W i m * O i m * exp (L i m))) - L i (o i)) by (unfold ell; ring).
  unfold W. rewrite M. fold (rho i). pose (c := fun m => differ m i * differ m (o i)).
  assert (N : sum B c = INR B - 2).
  { unfold c. rewrite (sum_ext B _ (fun j => 1 - delta j i * 1 - delta j (o i) * differ j i)) by (intros; rewrite !differ_delta; ring).
    rewrite !sum_minus, !sum_delta, sum_one, (differ_pos _ _ (H3 i)) by auto. ring. }
  assert (A : 1 - sum B (fun m => rho i m * exp (L i m - L i (o i))) = sum B (fun m => c m * (rho i m * (1 - exp (L i m - L i (o i)))))).
  { rewrite <- R1 at 1. rewrite <- sum_minus. apply sum_ext. intros m _. unfold c. rewrite !differ_delta.
    assert (X : delta m i * rho i m = 0) by (unfold rho, O, differ, delta; rewrite (Nat.eqb_sym i m); destruct (Nat.eqb m i); unfold Rdiv; ring).
    assert (Y : delta m (o i) * (1 - exp (L i m - L i (o i))) = 0).
    { unfold delta. destruct (Nat.eqb_spec m (o i)) as [->|]; [rewrite Rminus_eq_0, exp_0|]; ring. }
    transitivity (rho i m * (1 - exp (L i m - L i (o i))) - delta m i * rho i m * (1 - exp (L i m - L i (o i)))
      - (1 - delta m i) * rho i m * (delta m (o i) * (1 - exp (L i m - L i (o i))))); [rewrite X, Y; ring|ring]. }
  change (fun m => O i m * exp (beta_1 * L i m) / sum B (fun m => O i m * exp (beta_1 * L i m)) * exp (L i m - L i (o i))) with (fun m => rho i m * exp (L i m - L i (o i))).
  rewrite A, <- N, <- sum_scale_r, <- sum_scale, <- !sum_minus. apply sum_nonneg. intros m _.
  assert (o1 : O i (o i) = 1) by (apply differ_pos; intro Z; apply (H3 i); auto).
  set (s := sum B (fun m => O i m * exp (beta_1 * L i m))) in *.
  assert (Rm : c m * rho i m = c m * (rho i (o i) * exp (beta_1 * (L i m - L i (o i))))).
  { unfold rho. fold s. rewrite o1. unfold c, O. replace (exp (beta_1 * L i m)) with (exp (beta_1 * L i (o i)) * exp (beta_1 * (L i m - L i (o i)))) by (rewrite <- exp_plus; f_equal; ring).
    unfold differ. rewrite (Nat.eqb_sym i m). destruct (Nat.eqb m i); unfold Rdiv; ring. }
  set (x := L i m - L i (o i)) in *.
  apply (Rle_trans _ (c m * rho i (o i) - c m * rho i m * (exp x + (1 + beta_1) * (1 - exp x)))); [rewrite Rm|right; unfold c; ring].
  assert (c0 : 0 <= c m * rho i (o i)) by (apply Rmult_le_pos; [unfold c; sign|apply R0]).
  replace (c m * rho i (o i) - c m * (rho i (o i) * exp (beta_1 * x)) * (exp x + (1 + beta_1) * (1 - exp x)))
    with (c m * rho i (o i) * exp (beta_1 * x) * (exp (- (beta_1 * x)) - (1 - beta_1 * x) + beta_1 * (exp x - 1 - x)))
    by (rewrite exp_Ropp; field; apply not_zero, exp_pos).
  assert (E1 := ln_below (exp (- (beta_1 * x))) (exp_pos _)). assert (E2 := ln_below (exp x) (exp_pos _)). rewrite ln_exp in E1, E2.
  apply Rmult_le_pos; [apply Rmult_le_pos; [exact c0|apply Rlt_le, exp_pos]|].
  assert (X := Rmult_le_pos beta_1 (exp x - 1 - x) ltac:(assumption) ltac:(lra)). lra.
Qed.

(* The reciprocal of a probability is 1 plus the odds of the others. *)
Lemma over_share : forall B (c : R) (k e : nat -> R) i q, (q < B)%nat -> q <> i -> (forall m, 0 < k m) -> (forall m, 0 < e m) ->
  c * k q / sum B (fun m => differ i m * k m) * differ i q * e q
    / sum B (fun m => c * k m / sum B (fun m => differ i m * k m) * differ i m * e m) <> 0 ->
  1 / (c * k q / sum B (fun m => differ i m * k m) * differ i q * e q
    / sum B (fun m => c * k m / sum B (fun m => differ i m * k m) * differ i m * e m))
  = 1 + sum B (fun m => differ m i * differ m q * (k m * e m / (k q * e q))).
Proof.
  intros B c k e i q Q D K E. set (s := sum B (fun m => differ i m * k m)). pose (t := sum B (fun m => differ i m * (k m * e m))).
  assert (T : sum B (fun m => c * k m / s * differ i m * e m) = c / s * t).
  { unfold t. rewrite <- sum_scale. apply sum_ext. intros. unfold Rdiv. ring. }
  rewrite T, (differ_pos i q) by auto. intros N.
  assert (C : c / s <> 0) by (intro Z; apply N; replace (c * k q / s * 1 * e q) with (c / s * (k q * e q)) by (unfold Rdiv; ring); rewrite Z; unfold Rdiv; ring).
  assert (T0 : t <> 0) by (intro Z; apply N; rewrite Z, Rmult_0_r; unfold Rdiv; rewrite Rinv_0; ring).
  assert (k0 := K q). assert (e0 := E q). replace (c * k q / s * 1 * e q) with (c / s * (k q * e q)) by (unfold Rdiv; ring).
  set (g := c / s) in *. transitivity (t / (k q * e q)); [field; repeat split; assumption || lra|].
  unfold t. rewrite (one_apart B _ q Q), (differ_pos i q) by auto. unfold Rdiv at 1. rewrite Rmult_plus_distr_r, <- sum_scale_r. f_equal; [field; split; lra|].
  apply sum_ext. intros m _. unfold differ at 2 3. rewrite (Nat.eqb_sym i m). destruct (Nat.eqb m i); unfold Rdiv; ring.
Qed.

(*! M21: push share *)
Proof.
  intros. assert (X := over_share B (INR B - 1) (fun m => exp (beta_1 * L_held i m)) (fun m => exp (L i m)) i (o i) (H6 i H4) (H5 i)
    ltac:(intros; apply exp_pos) ltac:(intros; apply exp_pos) (H7 i H4)). cbv beta in X.
  unfold Q, W, O. rewrite X. f_equal. apply sum_ext. intros m _. rewrite !exp_Ropp. field. split; apply not_zero, exp_pos.
Qed.

(*! M21: push back share *)
Proof.
  intros. assert (X := over_share B (INR B - 1) (fun m => exp (beta_2 * L_held m i)) (fun m => exp (L m i)) i (o i) (H6 i H4) (H5 i)
    ltac:(intros; apply exp_pos) ltac:(intros; apply exp_pos) (H7 i H4)). cbv beta in X.
  unfold Q', W', O. rewrite X. f_equal. apply sum_ext. intros m _. rewrite !exp_Ropp. field. split; apply not_zero, exp_pos.
Qed.

(* The derivative of an image's or text's row by a variable of its logits l, whose derivatives are m. *)
Lemma hard_row : forall B (c beta : R) (o m : nat -> R) (l : nat -> R -> R) (i : nat) (x : R),
  (i < B)%nat -> (forall j, (j < B)%nat -> is_derive (l j) x (m j)) ->
  sum B (fun j => o j * exp (beta * l j x)) <> 0 ->
  sum B (fun j => o j * exp ((1 + beta) * l j x)) <> 0 ->
  0 < sum B (fun j => c * exp (beta * l j x) / sum B (fun a => o a * exp (beta * l a x)) * o j * exp (l j x)) ->
  is_derive (fun y => ln (sum B (fun j => c * exp (beta * l j y) / sum B (fun a => o a * exp (beta * l a y)) * o j
      * exp (l j y))) - l i y) x
    (sum B (fun j => ((1 + beta) * (o j * exp ((1 + beta) * l j x) / sum B (fun a => o a * exp ((1 + beta) * l a x)))
      - beta * (o j * exp (beta * l j x) / sum B (fun a => o a * exp (beta * l a x)))) * m j) - m i).
Proof.
  intros B c beta o m l i x R D Z0 A0 P.
  assert (E : forall y, c * (sum B (fun j => o j * exp ((1 + beta) * l j y)) / sum B (fun a => o a * exp (beta * l a y)))
    = sum B (fun j => c * exp (beta * l j y) / sum B (fun a => o a * exp (beta * l a y)) * o j * exp (l j y))).
  { intros y. unfold Rdiv. rewrite <- sum_scale_r, <- sum_scale. apply sum_ext. intros j _.
    replace ((1 + beta) * l j y) with (beta * l j y + l j y) by ring. rewrite exp_plus. ring. }
  assert (S : forall b, is_derive (fun y => sum B (fun j => o j * exp (b * l j y))) x
    (sum B (fun j => o j * (exp (b * l j x) * (b * m j))))).
  { intros b. apply (d_sum B (fun j y => o j * exp (b * l j y))). intros j J.
    apply d_scale, (d_exp (fun y => b * l j y)), d_scale, D, J. }
  apply (d_minus _ (l i)); [|exact (D i R)].
  rewrite <- E in P.
  set (A := fun y => c * (sum B (fun j => o j * exp ((1 + beta) * l j y)) / sum B (fun a => o a * exp (beta * l a y)))).
  apply (is_derive_ext (fun y => ln (A y))); [intros y; f_equal; apply E|].
  eapply d_eq.
  - apply (d_ln A); [|exact P]. unfold A.
    apply d_scale, (d_div (fun y => sum B (fun j => o j * exp ((1 + beta) * l j y)))); [apply S|apply S|exact Z0].
  - assert (C : c <> 0) by (intros ->; lra).
    transitivity (sum B (fun j => o j * (exp ((1 + beta) * l j x) * ((1 + beta) * m j)))
        / sum B (fun j => o j * exp ((1 + beta) * l j x))
      - sum B (fun j => o j * (exp (beta * l j x) * (beta * m j))) / sum B (fun a => o a * exp (beta * l a x))).
    + unfold A. field. auto.
    + unfold Rdiv. rewrite <- !sum_scale_r, <- sum_minus. apply sum_ext. intros. ring.
Qed.

Ltac slope := intros; unfold_names; eapply d_eq; [diff|same_entries; sums].

(*! M20: image *)
Proof.
  intros. eapply d_eq.
  - apply d_over, d_plus; apply d_sum; intros i R; cbv beta.
    + apply (hard_row B (INR B - 1) beta_1 (O i) (fun j => delta i k * T j f / tau) (fun j y => L (set2 I k f y) i j) i);
        cbv beta; same_entries; [exact R|slope|exact (H8 i R)|exact (H12 i R)|exact (H10 i R)].
    + apply (hard_row B (INR B - 1) beta_2 (O i) (fun j => delta j k * T i f / tau) (fun j y => L (set2 I k f y) j i) i);
        cbv beta; same_entries; [exact R|slope|exact (H9 i R)|exact (H13 i R)|exact (H11 i R)].
  - cbv beta. same_entries. unfold G. match goal with |- _ = ?by_entry => change (
      (sum B (fun i => sum B (fun j => ((1 + beta_1) * Q I i j - beta_1 * rho I i j) * (delta i k * T j f / tau))
          - delta i k * T i f / tau)
        + sum B (fun i => sum B (fun j => ((1 + beta_2) * Q' I i j - beta_2 * rho' I i j) * (delta j k * T i f / tau))
          - delta i k * T i f / tau)) / INR nu = by_entry) end.
    generalize (Q I) (rho I) (Q' I) (rho' I). intros. clear - H0 H1 H7. sums.
Qed.

(*! M20: text *)
Proof.
  intros. eapply d_eq.
  - apply d_over, d_plus; apply d_sum; intros i R; cbv beta.
    + apply (hard_row B (INR B - 1) beta_1 (O i) (fun j => delta j k * I i f / tau) (fun j y => L (set2 T k f y) i j) i);
        cbv beta; same_entries; [exact R|slope|exact (H8 i R)|exact (H12 i R)|exact (H10 i R)].
    + apply (hard_row B (INR B - 1) beta_2 (O i) (fun j => delta i k * I j f / tau) (fun j y => L (set2 T k f y) j i) i);
        cbv beta; same_entries; [exact R|slope|exact (H9 i R)|exact (H13 i R)|exact (H11 i R)].
  - cbv beta. same_entries. unfold G. match goal with |- _ = ?by_entry => change (
      (sum B (fun i => sum B (fun j => ((1 + beta_1) * Q T i j - beta_1 * rho T i j) * (delta j k * I i f / tau))
          - delta i k * I i f / tau)
        + sum B (fun i => sum B (fun j => ((1 + beta_2) * Q' T i j - beta_2 * rho' T i j) * (delta i k * I j f / tau))
          - delta i k * I i f / tau)) / INR nu = by_entry) end.
    generalize (Q T) (rho T) (Q' T) (rho' T). intros. clear - H0 H1 H7. sums.
Qed.
