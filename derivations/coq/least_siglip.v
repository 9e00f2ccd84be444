(* The least loss of SigLIP: a softplus is never below its tangent, and squares. *)

Lemma above_tangent : forall v y, ln (1 + exp v) + (y - v) * exp v / (1 + exp v) <= ln (1 + exp y).
Proof.
  intros v y. assert (e : 0 < exp v) by apply exp_pos. assert (g : 0 < exp y) by apply exp_pos.
  assert (F : exp (y - v) = exp y / exp v) by (unfold Rminus; rewrite exp_plus, exp_Ropp; reflexivity).
  assert (w : 0 < (1 + exp v) / (1 + exp y)) by (apply Rdiv_lt_0_compat; lra).
  assert (H1 := ln_below _ w). assert (H2 := ln_below (exp (y - v) * ((1 + exp v) / (1 + exp y))) (Rmult_lt_0_compat _ _ (exp_pos _) w)).
  rewrite ln_mult in H2 by (try apply exp_pos; assumption). rewrite ln_exp in H2. rewrite ln_div in H1, H2 by lra.
  assert (K : / (1 + exp v) * ((1 + exp v) / (1 + exp y) - 1) + exp v / (1 + exp v) * (exp (y - v) * ((1 + exp v) / (1 + exp y)) - 1) = 0)
    by (rewrite F; field; repeat split; lra).
  assert (P1 : 0 < / (1 + exp v)) by (apply Rinv_0_lt_compat; lra).
  assert (P2 : 0 < exp v / (1 + exp v)) by (apply Rdiv_lt_0_compat; lra).
  assert (S : / (1 + exp v) + exp v / (1 + exp v) = 1) by (field; lra).
  apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ P1)) in H1. apply (Rmult_le_compat_l _ _ _ (Rlt_le _ _ P2)) in H2.
  replace ((y - v) * exp v / (1 + exp v)) with (exp v / (1 + exp v) * (y - v)) by (field; lra).
  assert (Q : / (1 + exp v) * (ln (1 + exp v) - ln (1 + exp y)) + exp v / (1 + exp v) * (ln (1 + exp v) - ln (1 + exp y)) = ln (1 + exp v) - ln (1 + exp y)).
  { rewrite <- Rmult_plus_distr_r, S. ring. }
  lra.
Qed.

(*! M32: tangent *)
Proof.
  intros M b u v L A ell. assert (V : 0 < INR M) by (apply INR_pos; assumption).
  assert (E : INR (1 + M) = 1 + INR M) by (rewrite plus_INR; simpl; lra).
  assert (B : sum (1 + M) (fun i => INR M * ln (1 + exp v) + ln (1 + exp (- u)) + ((u - b - L i i) * exp (- u) / (1 + exp (- u))
    + sum (1 + M) (fun j => (b + L i j - v) * differ j i * exp v / (1 + exp v)))) <= sum (1 + M) ell).
  { apply sum_le. intros i J. unfold ell.
    assert (T := above_tangent (- u) (- b - L i i)).
    assert (U : sum (1 + M) (fun j => differ j i * ln (1 + exp v) + (b + L i j - v) * differ j i * exp v / (1 + exp v)) <=
      sum (1 + M) (fun j => differ j i * ln (1 + exp (b + L i j)))).
    { apply sum_le. intros j _. assert (W := above_tangent v (b + L i j)).
      apply (Rmult_le_compat_l _ _ _ (differ_nonneg j i)) in W. rewrite Rmult_plus_distr_l in W. unfold Rdiv in *. lra. }
    rewrite (sum_plus (1 + M) (fun j => differ j i * ln (1 + exp v))), (sum_scale_r (1 + M) (ln (1 + exp v)) (fun j => differ j i)) in U.
    assert (C : sum (1 + M) (fun j => differ j i) = INR M).
    { rewrite (sum_ext (1 + M) _ (fun j => 1 - delta j i * 1)) by (intros; rewrite differ_delta; ring).
      rewrite (sum_minus (1 + M) (fun _ => 1) (fun j => delta j i * 1)), sum_one, (sum_delta (1 + M) i (fun _ => 1) J), E. ring. }
    rewrite C in U. replace ((- b - L i i - - u) * exp (- u)) with ((u - b - L i i) * exp (- u)) in T by ring. lra. }
  rewrite (sum_plus (1 + M) (fun _ => INR M * ln (1 + exp v) + ln (1 + exp (- u)))) in B.
  rewrite (sum_plus (1 + M) (fun i => (u - b - L i i) * exp (- u) / (1 + exp (- u)))) in B.
  rewrite (sum_ext (1 + M) (fun _ => INR M * ln (1 + exp v) + ln (1 + exp (- u))) (fun _ => (INR M * ln (1 + exp v) + ln (1 + exp (- u))) * 1)) in B by (intros; ring).
  rewrite (sum_scale (1 + M) (INR M * ln (1 + exp v) + ln (1 + exp (- u))) (fun _ => 1)), sum_one, E in B.
  change (fun i : nat => ell i) with ell.
  apply (Rmult_le_reg_r (1 + INR M)); [lra|]. rewrite Rmult_0_l.
  match goal with |- ?l <= 0 => cut (l = (INR M * ln (1 + exp v) + ln (1 + exp (- u))) * (1 + INR M) + (sum (1 + M) (fun i => (u - b - L i i) * exp (- u) / (1 + exp (- u)))
    + sum (1 + M) (fun i => sum (1 + M) (fun j => (b + L i j - v) * differ j i * exp v / (1 + exp v)))) - sum (1 + M) ell) end.
  - intros Q. rewrite Q. lra.
  - field. lra.
Qed.

(*! M32: above *)
Proof.
  intros M d b p q x tau I T A P D S r u v kappa. assert (V : 0 < INR M) by (apply INR_pos; assumption).
  assert (E : INR (1 + M) = 1 + INR M) by (rewrite plus_INR; simpl; lra).
  assert (C : sum (1 + M) (fun i => sum (1 + M) (fun j => differ j i * S i j)) =
    sum d (fun f => sum (1 + M) (fun i => I i f) * sum (1 + M) (fun j => T j f)) - sum (1 + M) (fun i => S i i)).
  { rewrite (sum_ext (1 + M) _ (fun i => sum (1 + M) (fun j => S i j) - S i i)).
    - rewrite (sum_minus (1 + M) (fun i => sum (1 + M) (fun j => S i j)) (fun i => S i i)). f_equal. unfold S.
      rewrite (sum_ext (1 + M) _ (fun i => sum d (fun f => I i f * sum (1 + M) (fun j => T j f)))).
      + rewrite (sum_swap (1 + M) d (fun i f => I i f * sum (1 + M) (fun j => T j f))). apply sum_ext. intros f F.
        apply (sum_scale_r (1 + M) (sum (1 + M) (fun j => T j f)) (fun i => I i f)).
      + intros i _. rewrite (sum_swap (1 + M) d (fun j f => I i f * T j f)). apply sum_ext. intros f F.
        apply (sum_scale (1 + M) (I i f) (fun j => T j f)).
    - intros i J. rewrite (sum_ext (1 + M) _ (fun j => S i j - delta j i * S i j)) by (intros; rewrite differ_delta; ring).
      rewrite (sum_minus (1 + M) (fun j => S i j) (fun j => delta j i * S i j)), (sum_delta (1 + M) i (fun j => S i j) J). reflexivity. }
  rewrite C. unfold u, v, kappa. field. repeat split; lra.
Qed.

Lemma centred_squares : forall n (x : nat -> R), INR n <> 0 ->
  sum n (fun i => (x i - sum n x / INR n) ^ 2) = sum n (fun i => x i ^ 2) - (sum n x) ^ 2 / INR n.
Proof.
  intros n x N. set (c := sum n x / INR n).
  rewrite (sum_ext n _ (fun i => x i ^ 2 - (2 * c * x i - c ^ 2 * 1))) by (intros; ring).
  rewrite (sum_minus n (fun i => x i ^ 2) (fun i => 2 * c * x i - c ^ 2 * 1)), (sum_minus n (fun i => 2 * c * x i) (fun _ => c ^ 2 * 1)).
  rewrite (sum_scale n (2 * c) x), (sum_scale n (c ^ 2) (fun _ => 1)), sum_one. unfold c. field. exact N.
Qed.

Lemma sum_over : forall n (x : nat -> R) c, sum n x / c = sum n (fun k => x k / c).
Proof. intros. unfold Rdiv. symmetry. apply (sum_scale_r n (/ c) x). Qed.

(*! M32: leaves *)
Proof.
  intros M d I T A D S r. assert (V : 0 < INR M) by (apply INR_pos; assumption).
  assert (E : 1 + INR M = INR (1 + M)) by (rewrite plus_INR; simpl; lra). unfold r, S. clear r S.
  replace (2 + 2 * INR M) with (2 * INR (1 + M)) by lra. rewrite E. assert (W : INR (1 + M) <> 0) by lra. clear E V A.
  generalize dependent (1 + M)%nat. intros n W.
  rewrite (sum_swap n d (fun i f => I i f ^ 2 + T i f ^ 2)), (sum_swap n d (fun i f => I i f * T i f)).
  rewrite (sum_swap n d (fun i f => (I i f - T i f - sum n (fun j => I j f - T j f) / INR n) ^ 2)).
  rewrite (sum_ext d (fun f => sum n (fun i => (I i f - T i f - sum n (fun j => I j f - T j f) / INR n) ^ 2))
    (fun f => sum n (fun i => I i f ^ 2 + T i f ^ 2) - 2 * sum n (fun i => I i f * T i f) - (sum n (fun i => I i f) - sum n (fun i => T i f)) ^ 2 / INR n)).
  2: { intros f F. rewrite (centred_squares n (fun i => I i f - T i f) W), (sum_minus n (fun i => I i f) (fun i => T i f)).
       rewrite (sum_ext n _ (fun i => I i f ^ 2 + T i f ^ 2 - 2 * (I i f * T i f))) by (intros; ring).
       rewrite (sum_minus n (fun i => I i f ^ 2 + T i f ^ 2) (fun i => 2 * (I i f * T i f))), (sum_scale n 2 (fun i => I i f * T i f)). reflexivity. }
  rewrite <- (sum_scale d 2 (fun f => sum n (fun i => I i f) * sum n (fun j => T j f))), !sum_over.
  rewrite <- (sum_plus d), <- (sum_minus d), <- (sum_plus d). apply sum_ext. intros f F.
  rewrite (sum_plus n (fun i => I i f) (fun i => T i f)). field. exact W.
Qed.

(*! M32: opposite *)
Proof.
  intros M d I T A D r. assert (V : 0 < INR M) by (apply INR_pos; assumption).
  assert (E : 1 + INR M = INR (1 + M)) by (rewrite plus_INR; simpl; lra). unfold r. clear r.
  replace (2 + 2 * INR M) with (2 * INR (1 + M)) by lra. rewrite E. assert (W : INR (1 + M) <> 0) by lra. clear E V A.
  generalize dependent (1 + M)%nat. intros n W.
  rewrite (sum_swap n d (fun i f => I i f ^ 2 + T i f ^ 2)).
  rewrite (sum_swap n d (fun i f => (I i f - sum n (fun j => I j f) / INR n) ^ 2 + (T i f - sum n (fun j => T j f) / INR n) ^ 2)).
  rewrite (sum_ext d (fun f => sum n (fun i => (I i f - sum n (fun j => I j f) / INR n) ^ 2 + (T i f - sum n (fun j => T j f) / INR n) ^ 2))
    (fun f => sum n (fun i => I i f ^ 2 + T i f ^ 2) - ((sum n (fun i => I i f)) ^ 2 + (sum n (fun i => T i f)) ^ 2) / INR n)).
  2: { intros f F. rewrite (sum_plus n (fun i => (I i f - sum n (fun j => I j f) / INR n) ^ 2)).
       rewrite (centred_squares n (fun i => I i f) W), (centred_squares n (fun i => T i f) W).
       rewrite (sum_plus n (fun i => I i f ^ 2) (fun i => T i f ^ 2)). field. exact W. }
  rewrite !sum_over. rewrite <- (sum_plus d), <- (sum_plus d). apply sum_ext. intros f F.
  rewrite (sum_plus n (fun i => I i f) (fun i => T i f)). field. exact W.
Qed.

(*! M32: pair *)
Proof. intros. unfold u, c. field. lra. Qed.

(*! M32: another *)
Proof. intros. assert (m0 := INR_pos M H0). unfold v, c. field. lra. Qed.

(*! M32: reached *)
Proof.
  intros. rewrite (sum_ext _ _ (fun j => 1 * ln (1 + exp v) - delta j i * ln (1 + exp v))) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => ln (1 + exp v))), plus_INR by assumption. simpl (INR 1). ring.
Qed.
