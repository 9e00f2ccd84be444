(* The score at which the probability of a positive is one half: above it the row's gradient fades. *)

Lemma d_bar : forall n (s : nat -> R) t, (0 < n)%nat -> 0 < t ->
  is_derive (fun x => x * ln (sum n (fun m => exp (s m / x)))) t
    (ln (sum n (fun m => exp (s m / t))) - sum n (fun a => s a / t * (exp (s a / t) / sum n (fun m => exp (s m / t))))).
Proof. by_sums. Qed.

Lemma d_slope : forall n (s : nat -> R) t, (0 < n)%nat -> 0 < t ->
  is_derive (fun x => ln (sum n (fun m => exp (s m / x))) - sum n (fun a => s a / x * (exp (s a / x) / sum n (fun m => exp (s m / x))))) t
    (sum n (fun a => sum n (fun k => (s a - s k) ^ 2 * (exp (s a / t) / sum n (fun m => exp (s m / t))) * (exp (s k / t) / sum n (fun m => exp (s m / t))))) / 2 / t ^ 3).
Proof. by_sums. Qed.

(*! R18: loss *)
Proof.
  intros. assert (S : 0 < sum M (fun m => exp (L i m))) by sign. assert (E := exp_pos (L_plus i)).
  replace ((T_plus i - s_plus i) / tau) with (ln (sum M (fun m => exp (L i m))) - L_plus i) by (unfold T_plus, L_plus; field; lra).
  apply softplus; [exact S|reflexivity].
Qed.

(*! R18: half *)
Proof.
  intros. assert (S : 0 < sum M (fun m => exp (L i m))) by sign. assert (E := exp_pos (L_plus i)).
  replace ((T_plus i - s_plus i) / tau) with (ln (sum M (fun m => exp (L i m))) + - L_plus i) by (unfold T_plus, L_plus; field; lra).
  rewrite exp_plus, exp_ln, exp_Ropp by exact S. field. lra.
Qed.

(*! R18: awake *)
Proof.
  intros. rewrite <- sum_opp. apply sum_nonneg. intros a A. assert (P := H1 a A i).
  assert (O : sum M (rho i) = 1) by (apply shares, not_zero; sign).
  assert (U : rho i a <= 1).
  { rewrite <- O, (one_apart M (rho i) a) by exact A. assert (0 <= sum M (fun k => differ k a * rho i k)); [|lra].
    apply sum_nonneg. intros k K. apply Rmult_le_pos; [apply differ_nonneg|apply Rlt_le, H1, K]. }
  assert (B := ln_below (rho i a) P). assert (Q := Rmult_le_compat_l (rho i a) (ln (rho i a)) 0 ltac:(lra) ltac:(lra)). lra.
Qed.

(*! R18: curvature *)
Proof.
  intros. apply (is_derive_ext_loc (fun x => ln (sum M (fun m => exp (s i m / x))) - sum M (fun a => s i a / x * (exp (s i a / x) / sum M (fun m => exp (s i m / x)))))).
  - exists (mkposreal tau H). intros y Y. apply Rabs_def2 in Y. unfold minus, plus, opp in Y. simpl in Y.
    symmetry. apply is_derive_unique. apply (d_bar M (s i) y); [assumption|lra].
  - apply (d_slope M (s i) tau); assumption.
Qed.

(*! R18: largest *)
Proof.
  intros. assert (S : 0 <= sum M (fun a => differ a k * exp ((s i a - s i k) / tau))) by sign.
  unfold T_plus, L. rewrite (one_apart M (fun a => exp (s i a / tau)) k) by assumption.
  replace (exp (s i k / tau) + sum M (fun a => differ a k * exp (s i a / tau)))
    with (exp (s i k / tau) * (1 + sum M (fun a => differ a k * exp ((s i a - s i k) / tau)))).
  - rewrite ln_mult, ln_exp by (apply exp_pos || lra). field. lra.
  - rewrite Rmult_plus_distr_l, <- sum_scale. f_equal; [ring|]. apply sum_ext. intros a _.
    rewrite (Rmult_comm (exp _)), Rmult_assoc, <- exp_plus. do 2 f_equal. field. lra.
Qed.

(*! R18: above *)
Proof.
  intros. set (o := sum M (fun a => differ a k * exp ((s i a - s i k) / tau))). assert (O : 0 <= o) by (unfold o; sign).
  assert (B := ln_below (/ (1 + o)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in B by lra.
  replace (o / (1 + o)) with (1 - / (1 + o)) by (field; lra). lra.
Qed.

(*! R18: most *)
Proof.
  intros. assert (X := INR_pos M H). set (f := fun a => exp (- (delta_ i a / tau))).
  assert (F : 0 < sum M f) by (unfold f; sign).
  assert (T : T_plus i / tau = s_m i / tau + ln (sum M f)).
  { unfold T_plus, L, s. rewrite (sum_ext M _ (fun m => exp (s_m i / tau) * f m)).
    - rewrite sum_scale, ln_mult, ln_exp by (apply exp_pos || exact F). field. lra.
    - intros m _. unfold f. rewrite <- exp_plus. f_equal. field. lra. }
  assert (L' := ln_below (sum M f / INR M) ltac:(sign)). unfold Rdiv at 1 in L'.
  rewrite ln_mult, ln_Rinv in L' by (try apply Rinv_0_lt_compat; assumption).
  assert (Y : sum M (fun a => delta_ i a * exp (- (delta_ i a / tau)) / tau) <= INR M - sum M f).
  { rewrite <- (sum_one M), <- sum_minus. apply sum_le. intros a _. unfold f. assert (D := decay (delta_ i a / tau)).
    replace (delta_ i a * exp (- (delta_ i a / tau)) / tau) with (delta_ i a / tau * exp (- (delta_ i a / tau))) by (field; lra). exact D. }
  assert (Z := Rmult_le_compat_r (/ INR M) _ _ ltac:(apply Rlt_le, Rinv_0_lt_compat, X) Y).
  replace ((INR M - sum M f) * / INR M) with (1 - sum M f / INR M) in Z by (field; lra).
  rewrite T. unfold Rdiv at 2. lra.
Qed.

(*! R18: least *)
Proof.
  intros. assert (X := INR_pos M H). assert (S : 0 < sum M (fun m => exp (L i m))) by sign.
  assert (B : sum M (fun a => ln (INR M * exp (L i a) / sum M (fun m => exp (L i m)))) <= sum M (fun a => INR M * exp (L i a) / sum M (fun m => exp (L i m)) - 1)).
  { apply sum_le. intros a _. apply ln_below. sign. }
  rewrite sum_minus, sum_one in B.
  rewrite (sum_ext M (fun a => INR M * exp (L i a) / sum M (fun m => exp (L i m))) (fun a => INR M / sum M (fun m => exp (L i m)) * exp (L i a))) in B by (intros; field; lra).
  rewrite sum_scale in B. replace (INR M / sum M (fun m => exp (L i m)) * sum M (fun a => exp (L i a))) with (INR M) in B by (field; lra).
  rewrite (sum_ext M (fun a => ln _) (fun a => s i a * / tau + (ln (INR M) - ln (sum M (fun m => exp (L i m)))) * 1)) in B.
  - rewrite sum_plus, sum_scale, sum_scale_r, sum_one in B. replace (T_plus i / tau) with (ln (sum M (fun m => exp (L i m)))) by (unfold T_plus; field; lra).
    apply (Rmult_le_reg_l (INR M)); [exact X|]. replace (INR M * (sum M (fun a => s i a) / tau / INR M + ln (INR M))) with (sum M (fun a => s i a) * / tau + INR M * ln (INR M)) by (field; lra). change (sum M (s i)) with (sum M (fun a => s i a)) in B. lra.
  - intros a _. unfold Rdiv. rewrite ln_mult, ln_mult, ln_exp, ln_Rinv by (sign || apply exp_pos || apply Rinv_0_lt_compat, S). unfold L. unfold Rdiv. ring.
Qed.

(*! R18: equal *)
Proof.
  intros. assert (X := INR_pos M H). unfold T_plus, L, s.
  rewrite (sum_ext M _ (fun _ => 1 * exp (s_m i / tau))), sum_scale_r, sum_one, ln_mult, ln_exp by (intros; ring || exact X || apply exp_pos).
  field. lra.
Qed.
