(* The score at which the probability of a positive is one half: above it the row's gradient fades. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

Lemma d_bar : forall n (s : nat -> R) t, (0 < n)%nat -> 0 < t ->
  is_derive (fun x => x * ln (sum n (fun m => exp (s m / x)))) t
    (ln (sum n (fun m => exp (s m / t))) - sum n (fun a => s a / t * (exp (s a / t) / sum n (fun m => exp (s m / t))))).
Proof. by_sums. Qed.

Lemma d_slope : forall n (s : nat -> R) t, (0 < n)%nat -> 0 < t ->
  is_derive (fun x => ln (sum n (fun m => exp (s m / x))) - sum n (fun a => s a / x * (exp (s a / x) / sum n (fun m => exp (s m / x))))) t
    (sum n (fun a => sum n (fun k => (s a - s k) ^ 2 * (exp (s a / t) / sum n (fun m => exp (s m / t))) * (exp (s k / t) / sum n (fun m => exp (s m / t))))) / 2 / t ^ 3).
Proof. by_sums. Qed.

(*! R18: loss *)
Theorem R18_loss :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (s_plus : nat -> R) (i : nat),
  (0 < tau) ->
  (0 < M)%nat ->
  let L (i a : nat) : R := s i a / tau in
  let L_plus (i : nat) : R := s_plus i / tau in
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  ell i = ln (1 + exp ((T_plus i - s_plus i) / tau)).
(*! *)
Proof.
  intros. assert (S : 0 < sum M (fun m => exp (L i m))) by sign. assert (E := exp_pos (L_plus i)).
  replace ((T_plus i - s_plus i) / tau) with (ln (sum M (fun m => exp (L i m))) - L_plus i) by (unfold T_plus, L_plus; field; lra).
  apply softplus; [exact S|reflexivity].
Qed.

(*! R18: half *)
Theorem R18_half :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (s_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := s i a / tau in
  let L_plus (i : nat) : R := s_plus i / tau in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) = 1 / (1 + exp ((T_plus i - s_plus i)
    / tau)).
(*! *)
Proof.
  intros. assert (S : 0 < sum M (fun m => exp (L i m))) by sign. assert (E := exp_pos (L_plus i)).
  replace ((T_plus i - s_plus i) / tau) with (ln (sum M (fun m => exp (L i m))) + - L_plus i) by (unfold T_plus, L_plus; field; lra).
  rewrite exp_plus, exp_ln, exp_Ropp by exact S. field. lra.
Qed.

(*! R18: slope *)
Theorem R18_slope :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i : nat),
  (0 < tau) ->
  (0 < M)%nat ->
  let L (tau : R) (i a : nat) : R := s i a / tau in
  let T_plus (tau : R) (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L tau i m))) in
  let rho (tau : R) (i a : nat) : R := exp (L tau i a) / sum M (fun m : nat => exp (L tau i m)) in
  let M_equal (tau : R) (i : nat) : R := exp (- (sum M (fun a : nat => rho tau i a * ln (rho tau i a)))) in
  (forall a : nat, (a < M)%nat -> forall i : nat, 0 < rho tau i a) ->
  is_derive (fun x : R => T_plus x i) tau (ln (M_equal tau i)).
(*! *)
Proof.
  intros. unfold M_equal, rho. rewrite ln_exp.
  assert (En := entropy M (L tau i) H0). set (S := sum M (fun m => exp (L tau i m))) in *.
  replace (- sum M (fun a => exp (L tau i a) / S * ln (exp (L tau i a) / S)))
    with (ln S - sum M (fun a => L tau i a * (exp (L tau i a) / S))) by lra.
  apply (d_bar M (s i) tau); assumption.
Qed.

(*! R18: awake *)
Theorem R18_awake :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := s i a / tau in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  (forall a : nat, (a < M)%nat -> forall i : nat, 0 < rho i a) ->
  0 <= - (sum M (fun a : nat => rho i a * ln (rho i a))).
(*! *)
Proof.
  intros. rewrite <- sum_opp. apply sum_nonneg. intros a A. assert (P := H1 a A i).
  assert (O : sum M (rho i) = 1) by (apply shares, not_zero; sign).
  assert (U : rho i a <= 1).
  { rewrite <- O, (one_apart M (rho i) a) by exact A. assert (0 <= sum M (fun k => differ k a * rho i k)); [|lra].
    apply sum_nonneg. intros k K. apply Rmult_le_pos; [apply differ_nonneg|apply Rlt_le, H1, K]. }
  assert (B := ln_below (rho i a) P). assert (Q := Rmult_le_compat_l (rho i a) (ln (rho i a)) 0 ltac:(lra) ltac:(lra)). lra.
Qed.

(*! R18: curvature *)
Theorem R18_curvature :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i : nat),
  (0 < tau) ->
  (0 < M)%nat ->
  let L (tau : R) (i a : nat) : R := s i a / tau in
  let T_plus (tau : R) (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L tau i m))) in
  let rho (tau : R) (i a : nat) : R := exp (L tau i a) / sum M (fun m : nat => exp (L tau i m)) in
  is_derive (fun x : R => Derive (fun t : R => T_plus t i) x) tau (sum M (fun a : nat => sum M (fun n : nat =>
    (s i a - s i n) ^ 2 * rho tau i a * rho tau i n)) / 2 / tau ^ 3).
(*! *)
Proof.
  intros. apply (is_derive_ext_loc (fun x => ln (sum M (fun m => exp (s i m / x))) - sum M (fun a => s i a / x * (exp (s i a / x) / sum M (fun m => exp (s i m / x)))))).
  - exists (mkposreal tau H). intros y Y. apply Rabs_def2 in Y. unfold minus, plus, opp in Y. simpl in Y.
    symmetry. apply is_derive_unique. apply (d_bar M (s i) y); [assumption|lra].
  - apply (d_slope M (s i) tau); assumption.
Qed.

(*! R18: convex *)
Theorem R18_convex :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := s i a / tau in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  0 <= sum M (fun a : nat => sum M (fun n : nat => (s i a - s i n) ^ 2 * rho i a * rho i n)) / 2 / tau ^ 3.
(*! *)
Proof. by_signs. Qed.

(*! R18: largest *)
Theorem R18_largest :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i k : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  (k < M)%nat ->
  let L (i a : nat) : R := s i a / tau in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  T_plus i - s i k = tau * ln (1 + sum M (fun a : nat => differ a k * exp ((s i a - s i k) / tau))).
(*! *)
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
Theorem R18_above :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i k : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  (k < M)%nat ->
  - (ln (1 + sum M (fun a : nat => differ a k * exp ((s i a - s i k) / tau)))) <= - (sum M (fun a : nat =>
    differ a k * exp ((s i a - s i k) / tau)) / (1 + sum M (fun a : nat => differ a k * exp ((s i a - s i k) /
    tau)))).
(*! *)
Proof.
  intros. set (o := sum M (fun a => differ a k * exp ((s i a - s i k) / tau))). assert (O : 0 <= o) by (unfold o; sign).
  assert (B := ln_below (/ (1 + o)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in B by lra.
  replace (o / (1 + o)) with (1 - / (1 + o)) by (field; lra). lra.
Qed.

(*! R18: most *)
Theorem R18_most :
  forall (M : nat) (tau : R) (s_m : nat -> R) (delta_ : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i j : nat, 0 <= delta_ i j) ->
  (0 < tau) ->
  let s (i a : nat) : R := s_m i - delta_ i a in
  let L (i a : nat) : R := s i a / tau in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  T_plus i / tau + sum M (fun a : nat => delta_ i a * exp (- (delta_ i a / tau)) / tau) / INR M <= s_m i / tau
    + ln (INR M).
(*! *)
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
Theorem R18_least :
  forall (M : nat) (tau : R) (s : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := s i a / tau in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  sum M (fun a : nat => s i a) / tau / INR M + ln (INR M) <= T_plus i / tau.
(*! *)
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
Theorem R18_equal :
  forall (M : nat) (tau : R) (s_m : nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < tau) ->
  let s (i a : nat) : R := s_m i in
  let L (i a : nat) : R := s i a / tau in
  let T_plus (i : nat) : R := tau * ln (sum M (fun m : nat => exp (L i m))) in
  T_plus i = tau * ln (INR M) + s_m i.
(*! *)
Proof.
  intros. assert (X := INR_pos M H). unfold T_plus, L, s.
  rewrite (sum_ext M _ (fun _ => 1 * exp (s_m i / tau))), sum_scale_r, sum_one, ln_mult, ln_exp by (intros; ring || exact X || apply exp_pos).
  field. lra.
Qed.
