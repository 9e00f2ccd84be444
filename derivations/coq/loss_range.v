(* How small and how large the loss can be, with and without the anchor in its own denominator; the limits τ → 0 and τ → ∞. *)

(* The total mass of a row's candidates as a function of the odds against its positive, without and with the anchor. *)
Lemma masked_sum : forall n (L : nat -> R) i q, (q < n)%nat -> q <> i ->
  sum n (fun k => differ k i * exp (L k)) = exp (L q) * (1 + sum n (fun j => differ j i * differ j q * exp (L j - L q))).
Proof.
  intros n L i q Q D. rewrite Rmult_plus_distr_l, <- sum_scale.
  rewrite (sum_ext n (fun k => exp (L q) * _) (fun k => differ k i * exp (L k) - delta k q * (differ k i * exp (L k)))).
  - rewrite sum_minus, sum_delta, (differ_pos _ _ D) by exact Q. ring.
  - intros k _. unfold Rminus at 1. rewrite exp_plus, exp_Ropp, (differ_delta k q). field. apply not_zero, exp_pos.
Qed.

(*! M1: bound *)
Proof.
  intros. assert (S : 0 < sum N (fun m => exp (L i m))) by sign. assert (P := H6 i H3). unfold ell_s.
  assert (B := ln_below (2 * P_s i (p i)) ltac:(lra)). rewrite ln_mult in B by lra.
  assert (C := ln_below (exp (L i i - L i (p i))) ltac:(sign)). rewrite ln_exp in C.
  assert (E : P_s i (p i) * exp (L i i - L i (p i)) = P_s i i).
  { unfold P_s, Rminus. rewrite exp_plus, exp_Ropp. field. split; apply not_zero; [exact S|apply exp_pos]. }
  assert (T : sum N (P_s i) = 1) by (apply shares; lra).
  rewrite (one_apart N (P_s i) i) in T by assumption.
  rewrite (sum_ext N (fun k => differ k i * P_s i k) (fun k => differ k i * differ k (p i) * P_s i k + delta k (p i) * (differ k i * P_s i k))) in T
    by (intros; rewrite (differ_delta _ (p i)); ring).
  rewrite sum_plus, sum_delta, (differ_pos _ _ (H2 i)) in T by auto.
  assert (D := Rmult_le_compat_l (P_s i (p i)) _ _ ltac:(lra) C). lra.
Qed.

(* The inner product of a unit row with itself. *)
Lemma own_product : forall d (w : nat -> R), sqrt (sum d (fun f => w f ^ 2)) <> 0 ->
  sum d (fun f => w f / sqrt (sum d (fun f => w f ^ 2)) * (w f / sqrt (sum d (fun f => w f ^ 2)))) = 1.
Proof.
  intros d w W. set (n := sqrt (sum d (fun f => w f ^ 2))) in *.
  assert (E : n * n = sum d (fun f => w f ^ 2)) by (apply sqrt_sqrt; sign).
  rewrite (sum_ext d _ (fun f => w f ^ 2 * / (n * n))) by (intros; field; exact W).
  rewrite sum_scale_r, E. apply Rinv_r. rewrite <- E. apply Rmult_integral_contrapositive_currified; exact W.
Qed.

(*! M2: one more *)
Proof.
  intros. assert (U : s i i = 1) by (apply own_product, H3, H2). unfold ell_s, ell. rewrite !exp_Ropp, !exp_ln by auto.
  unfold P_s. rewrite (one_apart N (fun m => exp (L i m)) i) by assumption. assert (E := exp_pos (L i (p i))).
  assert (S := over_below _ _ E (H5 i H2)). assert (F := exp_pos (L i i)).
  replace ((1 - s i (p i)) / tau) with (L i i + - L i (p i)) by (unfold L; rewrite U; field; lra). rewrite exp_plus, exp_Ropp. field. lra.
Qed.

Lemma negatives : forall M (p : nat -> nat) i, (i < 2 + M)%nat -> p i <> i -> (p i < 2 + M)%nat ->
  sum (2 + M)%nat (fun j => differ j i * differ j (p i)) = INR M.
Proof.
  intros M p i I_ D Q. rewrite (sum_ext _ _ (fun j => 1 - delta j i * 1 - delta j (p i) * differ j i)) by (intros; rewrite !differ_delta; ring).
  rewrite !sum_minus, !sum_delta, sum_one, (differ_pos _ _ D), plus_INR by assumption. simpl. ring.
Qed.

(* log(1 + Σ c e^x) is at least its tangent at x = −t. *)
Lemma tangent : forall n (c x : nat -> R) t, (forall j, 0 <= c j) ->
  sum n (fun j => (t + x j) * c j) * exp (- t) / (1 + sum n c * exp (- t)) + ln (1 + sum n c * exp (- t))
    <= ln (1 + sum n (fun j => c j * exp (x j))).
Proof.
  intros n c x t C. assert (K : 0 <= sum n c * exp (- t)) by (apply Rmult_le_pos; [apply sum_nonneg; auto|apply Rlt_le, exp_pos]).
  pose (A := sum n (fun j => (t + x j) * c j) * exp (- t) / (1 + sum n c * exp (- t))). fold A.
  rewrite <- (ln_exp A), <- ln_mult by (try apply exp_pos; lra). apply ln_le; [apply Rmult_lt_0_compat; [apply exp_pos|lra]|].
  assert (T : forall y, exp A * (1 + y - A) <= exp y).
  { intros y. replace (exp y) with (exp A * exp (y - A)) by (rewrite <- exp_plus; f_equal; ring).
    apply Rmult_le_compat_l; [apply Rlt_le, exp_pos|]. assert (L := ln_below (exp (y - A)) (exp_pos _)). rewrite ln_exp in L. lra. }
  assert (S : sum n (fun j => exp (- t) * exp A * ((t + x j) * c j) + exp (- t) * exp A * (1 - A) * c j) <= sum n (fun j => c j * exp (x j))).
  { apply sum_le. intros j _. replace (exp (x j)) with (exp (- t) * exp (t + x j)) by (rewrite <- exp_plus; f_equal; ring).
    assert (X := Rmult_le_compat_l (c j * exp (- t)) _ _ ltac:(apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]) (T (t + x j))). lra. }
  rewrite sum_plus, !sum_scale in S. change (sum n (fun k => c k)) with (sum n c) in S.
  assert (Y : exp (- t) * sum n (fun j => (t + x j) * c j) = A * (1 + sum n c * exp (- t))) by (unfold A; field; lra).
  assert (Z := T 0). rewrite exp_0 in Z.
  replace (exp (- t) * exp A * sum n (fun k => (t + x k) * c k)) with (exp A * (exp (- t) * sum n (fun j => (t + x j) * c j))) in S by ring.
  rewrite Y in S. lra.
Qed.

Lemma ceiling : forall n (c x : nat -> R) t, (forall j, 0 <= c j) ->
  sum n (fun j => (t - x j) * (c j * exp (x j))) / (1 + sum n c * exp t) + ln (1 + sum n (fun j => c j * exp (x j)))
    <= ln (1 + sum n c * exp t).
Proof.
  intros n c x t C. assert (K : 0 <= sum n c * exp t) by (apply Rmult_le_pos; [apply sum_nonneg; auto|apply Rlt_le, exp_pos]).
  assert (O : 0 <= sum n (fun j => c j * exp (x j))) by (apply sum_nonneg; intros; apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]).
  set (h := 1 + sum n c * exp t) in *. set (o := sum n (fun j => c j * exp (x j))) in *.
  assert (S : sum n (fun j => (t - x j) * (c j * exp (x j))) <= h - 1 - o).
  { unfold h, o. replace (1 + sum n c * exp t - 1) with (sum n c * exp t) by ring. rewrite <- sum_scale_r, <- sum_minus. apply sum_le. intros j _.
    replace (exp t) with (exp (x j) * exp (t - x j)) by (rewrite <- exp_plus; f_equal; ring).
    assert (L := ln_below (exp (t - x j)) (exp_pos _)). rewrite ln_exp in L.
    assert (X := Rmult_le_compat_l (c j * exp (x j)) _ _ ltac:(apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]) L). lra. }
  assert (h0 : 0 < h) by (unfold h; lra). assert (L := ln_below ((1 + o) / h) ltac:(apply Rdiv_lt_0_compat; lra)). unfold Rdiv at 1 in L.
  rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; lra).
  assert (X : sum n (fun j => (t - x j) * (c j * exp (x j))) / h <= (h - 1 - o) / h) by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, h0|exact S]).
  replace ((h - 1 - o) / h) with (1 - (1 + o) / h) in X by (field; lra). lra.
Qed.

(*! M23: negatives *)
Proof.
  intros. apply negatives; auto.
Qed.

(*! M23: below *)
Proof.
  intros. unfold s. assert (U : forall a, sum d (fun f => z a f * z a f) = 1) by (intros; apply own_product, H0).
  rewrite (sum_ext d (fun f => (z i f - z j f) ^ 2) (fun f => z i f * z i f + z j f * z j f - 2 * (z i f * z j f))) by (intros; ring).
  rewrite (sum_ext d (fun f => (z i f + z (p i) f) ^ 2) (fun f => z i f * z i f + z (p i) f * z (p i) f + 2 * (z i f * z (p i) f))) by (intros; ring).
  rewrite sum_minus, !sum_plus, !sum_scale, !U. field.
Qed.

Lemma row_loss : forall n (L : nat -> R) i q, (q < n)%nat -> q <> i -> 0 < exp (L q) / sum n (fun k => differ k i * exp (L k)) ->
  - ln (exp (L q) / sum n (fun k => differ k i * exp (L k))) = ln (1 + sum n (fun j => differ j i * differ j q * exp (L j - L q))).
Proof.
  intros n L i q Q D P. apply odds; [apply exp_pos|exact (over_below _ _ (exp_pos _) P)|]. apply masked_sum; assumption.
Qed.

(*! M23: least *)
Proof.
  intros. unfold ell. rewrite (row_loss _ (L i) i (p i)) by auto. rewrite <- (negatives M p i) by auto.
  assert (T := tangent (2 + M)%nat (fun j => differ j i * differ j (p i)) (fun j => L i j - L i (p i)) (2 / tau) ltac:(intros; cbv beta; sign)).
  cbv beta in T. rewrite (sum_ext _ _ (fun j => (2 / tau + (L i j - L i (p i))) * (differ j i * differ j (p i)))) by (intros; ring). lra.
Qed.

(*! M23: most *)
Proof.
  intros. unfold ell. rewrite (row_loss _ (L i) i (p i)) by auto. rewrite <- (negatives M p i) by auto.
  assert (T := ceiling (2 + M)%nat (fun j => differ j i * differ j (p i)) (fun j => L i j - L i (p i)) (2 / tau) ltac:(intros; cbv beta; sign)).
  cbv beta in T. rewrite (sum_ext _ _ (fun j => (2 / tau - (L i j - L i (p i))) * (differ j i * differ j (p i) * exp (L i j - L i (p i))))) by (intros; ring). lra.
Qed.

(*! M8: cold *)
Proof.
  intros. assert (S : 0 <= sum A (fun a => differ a k * exp ((u i a - u i k) / tau))) by sign.
  rewrite (one_apart A (fun a => exp (u i a / tau)) k) by assumption.
  replace ((exp (u i k / tau) + sum A (fun a => differ a k * exp (u i a / tau))) * exp (- (u i (p i) / tau)))
    with (exp ((u i k - u i (p i)) / tau) * (1 + sum A (fun a => differ a k * exp ((u i a - u i k) / tau)))).
  - rewrite ln_mult, ln_exp by (apply exp_pos || lra). reflexivity.
  - rewrite Rmult_plus_distr_l, Rmult_plus_distr_r, <- sum_scale, <- sum_scale_r. f_equal.
    + rewrite Rmult_1_r, <- exp_plus. f_equal. field. lra.
    + apply sum_ext. intros a _. rewrite (Rmult_comm (exp _)), !Rmult_assoc, <- !exp_plus. do 2 f_equal. field. lra.
Qed.

(*! M8: least *)
Proof.
  intros. assert (L := ln_below (/ (1 + x)) ltac:(apply Rinv_0_lt_compat; lra)). rewrite ln_Rinv in L by lra.
  replace (x / (1 + x)) with (1 - / (1 + x)) by (field; lra). lra.
Qed.

(*! M8: decay *)
Proof. intros. apply decay. Qed.

(*! M8: most *)
Proof.
  intros. assert (X := INR_pos A H). assert (S : 0 < sum A (fun m => exp (- (delta_ m / tau)))) by sign.
  assert (L := ln_below (sum A (fun m => exp (- (delta_ m / tau))) / INR A) ltac:(sign)). unfold Rdiv at 1 in L.
  rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; assumption).
  assert (T : sum A (fun a => delta_ a * exp (- (delta_ a / tau)) / tau) <= INR A - sum A (fun m => exp (- (delta_ m / tau)))).
  { rewrite <- (sum_one A), <- sum_minus. apply sum_le. intros a _. assert (D := decay (delta_ a / tau)).
    replace (delta_ a * exp (- (delta_ a / tau)) / tau) with (delta_ a / tau * exp (- (delta_ a / tau))) by (field; lra). exact D. }
  assert (Y := Rmult_le_compat_r (/ INR A) _ _ ltac:(apply Rlt_le, Rinv_0_lt_compat, X) T).
  replace ((INR A - sum A (fun m => exp (- (delta_ m / tau)))) * / INR A) with (1 - sum A (fun m => exp (- (delta_ m / tau))) / INR A) in Y by (field; lra).
  unfold Rdiv at 1. lra.
Qed.

(*! M4: attained *)
Proof. intros. rewrite sum_scale_r, (negatives M p i) by auto. reflexivity. Qed.

(* log x ≤ x − 1 at a root r of Λ e^{h − ℓ}: log r² ≤ r² − 1 − (r − 1)². *)
Lemma at_root : forall Lambda h ell, 0 < Lambda ->
  ln Lambda + h - ell <= Lambda * exp (h - ell) - 1 - (sqrt Lambda * exp (h / 2 - ell / 2) - 1) ^ 2.
Proof.
  intros La h ell P. assert (a0 := sqrt_lt_R0 _ P). assert (A := sqrt_sqrt _ (Rlt_le _ _ P)). set (a := sqrt La) in *.
  assert (E := exp_pos (h / 2 - ell / 2)). assert (R0 : 0 < a * exp (h / 2 - ell / 2)) by (apply Rmult_lt_0_compat; assumption).
  assert (L := ln_below _ R0). rewrite ln_mult, ln_exp in L by assumption.
  replace (exp (h - ell)) with (exp (h / 2 - ell / 2) * exp (h / 2 - ell / 2)) by (rewrite <- exp_plus; f_equal; field).
  rewrite <- A, ln_mult by exact a0.
  replace (a * a * (exp (h / 2 - ell / 2) * exp (h / 2 - ell / 2)) - 1 - (a * exp (h / 2 - ell / 2) - 1) ^ 2) with (2 * (a * exp (h / 2 - ell / 2) - 1)) by ring.
  lra.
Qed.

(* The same over the terms of a row: 1, perhaps the anchor's own e^h, and the negatives' e^x. *)
Lemma row_squares : forall n (c x : nat -> R) t b h ell, (forall j, 0 <= c j) -> 0 <= b ->
  let Lambda := 1 + b + sum n c * exp t in
  exp ell = 1 + b * exp h + sum n (fun j => c j * exp (x j)) ->
  Lambda * (ln Lambda - ell) + b * h + exp t * sum n (fun j => c j * (x j - t))
    <= - ((sqrt Lambda * exp (- (ell / 2)) - 1) ^ 2 + b * (sqrt Lambda * exp (h / 2 - ell / 2) - 1) ^ 2
      + sum n (fun j => (sqrt Lambda * exp ((x j - t) / 2 - ell / 2) - 1) ^ 2 * c j * exp t)).
Proof.
  intros n c x t b h ell C B La W. assert (c0 : 0 <= sum n c) by (apply sum_nonneg; auto).
  assert (La0 : 0 < La) by (unfold La; assert (X := Rmult_le_pos _ _ c0 (Rlt_le _ _ (exp_pos t))); lra).
  assert (T0 := at_root La 0 ell La0). assert (T1 := Rmult_le_compat_l b _ _ B (at_root La h ell La0)).
  assert (T2 : sum n (fun j => c j * exp t * (ln La + (x j - t) - ell))
    <= sum n (fun j => c j * exp t * (La * exp (x j - t - ell) - 1 - (sqrt La * exp ((x j - t) / 2 - ell / 2) - 1) ^ 2))).
  { apply sum_le. intros j _. apply Rmult_le_compat_l; [apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]|]. apply at_root, La0. }
  rewrite (sum_ext n (fun j => c j * exp t * (ln La + (x j - t) - ell)) (fun j => exp t * (ln La - ell) * c j + exp t * (c j * (x j - t)))) in T2 by (intros; ring).
  rewrite (sum_ext n (fun j => c j * exp t * (La * _ - 1 - _)) (fun j => La * exp (- ell) * (c j * exp (x j)) - exp t * c j
    - (sqrt La * exp ((x j - t) / 2 - ell / 2) - 1) ^ 2 * c j * exp t)) in T2
    by (intros j _; replace (exp (x j - t - ell)) with (exp (x j) * exp (- ell) * / exp t) by (rewrite <- exp_Ropp, <- !exp_plus; f_equal; ring);
        field; apply not_zero, exp_pos).
  rewrite sum_plus, !sum_minus, !sum_scale in T2. change (sum n (fun k => c k)) with (sum n c) in T2.
  replace (0 / 2 - ell / 2) with (- (ell / 2)) in T0 by field. replace (0 - ell) with (- ell) in T0 by ring.
  replace (exp (h - ell)) with (exp h * exp (- ell)) in T1 by (rewrite <- exp_plus; f_equal; ring).
  assert (V : exp (- ell) * (1 + b * exp h + sum n (fun j => c j * exp (x j))) = 1) by (rewrite <- W, <- exp_plus, Rplus_opp_l; apply exp_0).
  set (o := sum n (fun j => c j * exp (x j))) in *. set (q := sum n (fun j => (sqrt La * exp ((x j - t) / 2 - ell / 2) - 1) ^ 2 * c j * exp t)) in *.
  set (y := sum n (fun j => c j * (x j - t))) in *.
  assert (F : La * exp (- ell) + b * (La * (exp h * exp (- ell))) + La * exp (- ell) * o = La) by (transitivity (La * (exp (- ell) * (1 + b * exp h + o))); [ring|rewrite V; ring]).
  assert (G : La * (ln La - ell) = (ln La - ell) + b * (ln La - ell) + exp t * (ln La - ell) * sum n c) by (unfold La at 1; ring).
  assert (G1 : La = 1 + b + exp t * sum n c) by (unfold La; ring).
  rewrite G. rewrite !Rmult_minus_distr_l in T1. lra.
Qed.

(* The sum of the negatives' logits, from the norm of the rows' sum and the distances of the positives. *)
Lemma gaps : forall M (z : nat -> nat -> R) d (p : nat -> nat) tau t, (0 < M)%nat -> tau <> 0 -> t = (- 2 - INR M) / tau / INR M ->
  (forall i, (i < 2 + M)%nat -> (p i < 2 + M)%nat) -> (forall i, p i <> i) -> (forall i, (i < 2 + M)%nat -> sum d (fun f => z i f * z i f) = 1) ->
  let s i j := sum d (fun f => z i f * z j f) in
  sum (2 + M)%nat (fun i => sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (s i j / tau - s i (p i) / tau - t)))
    = ((1 + INR M) * sum (2 + M)%nat (fun i => sum d (fun f => (z i f - z (p i) f) ^ 2)) / 2 + sum d (fun f => (sum (2 + M)%nat (fun i => z i f)) ^ 2)) / tau.
Proof.
  intros M z d p tau t M0 T0 T A D U s. assert (m0 := INR_pos M M0). set (n := (2 + M)%nat) in *.
  assert (N : INR n = 2 + INR M) by (unfold n; rewrite plus_INR; simpl; ring).
  assert (C : sum d (fun f => (sum n (fun i => z i f)) ^ 2) = sum n (fun i => sum n (fun j => s i j))).
  { rewrite (sum_ext d _ (fun f => sum n (fun i => sum n (fun j => z i f * z j f)))).
    - rewrite sum_swap. apply sum_ext. intros i _. apply sum_swap.
    - intros f _. transitivity (sum n (fun i => z i f) * sum n (fun i => z i f)); [ring|]. rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale. reflexivity. }
  assert (Q : sum n (fun i => sum d (fun f => (z i f - z (p i) f) ^ 2)) = 2 * INR n - 2 * sum n (fun i => s i (p i))).
  { rewrite <- (sum_one n), <- !sum_scale, <- sum_minus. apply sum_ext. intros i I_.
    rewrite (sum_ext d _ (fun f => z i f * z i f + z (p i) f * z (p i) f - 2 * (z i f * z (p i) f))) by (intros; ring).
    rewrite sum_minus, sum_plus, sum_scale, !U by auto. unfold s. ring. }
  rewrite C, Q, N.
  rewrite (sum_ext n _ (fun i => / tau * sum n (fun j => s i j) + (2 + INR M - 1) / tau * 1 - (1 + INR M) / tau * s i (p i))).
  - rewrite sum_minus, sum_plus, !sum_scale, sum_one, N. change (sum n (fun i => sum n (s i))) with (sum n (fun i => sum n (fun j => s i j))). field. exact T0.
  - intros i I_. assert (q := A i I_).
    rewrite (sum_ext n _ (fun j => / tau * s i j - delta j i * (s i j / tau) - delta j (p i) * (differ j i * (s i j / tau)) - (s i (p i) / tau + t) * (differ j i * differ j (p i))))
      by (intros; rewrite (differ_delta _ (p i)), (differ_delta _ i); unfold Rdiv; ring).
    rewrite !sum_minus, !sum_scale, (sum_delta n i (fun j => s i j / tau)), (sum_delta n (p i) (fun j => differ j i * (s i j / tau))), (differ_pos _ _ (D i)) by assumption.
    unfold n at 2. rewrite (negatives M p i) by auto. replace (s i i) with 1 by (symmetry; apply U, I_). rewrite T.
    change (sum n (fun j => s i j)) with (sum n (s i)). field. repeat split; exact T0 || lra.
Qed.

(*! M4: masked *)
Proof.
  intros. assert (m0 := INR_pos M H). assert (La0 : 0 < Lambda) by (unfold Lambda; assert (E := exp_pos t); assert (X := Rmult_lt_0_compat _ _ m0 E); lra).
  assert (U : forall i, (i < 2 + M)%nat -> sum d (fun f => z i f * z i f) = 1) by (intros i I_; apply own_product, H4, I_).
  assert (G := gaps M z d p tau t H ltac:(lra) eq_refl H3 H2 U). cbv zeta in G.
  assert (R0 : forall i, (i < 2 + M)%nat -> Lambda * (ln Lambda - ell i) + exp t * sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (L i j - L i (p i) - t))
    <= - ((sqrt Lambda * exp (- (ell i / 2)) - 1) ^ 2 + sum (2 + M)%nat (fun j => (sqrt Lambda * exp (L i j / 2 - t / 2 - ell i / 2 - L i (p i) / 2) - 1) ^ 2 * differ j i * differ j (p i) * exp t))).
  { intros i I_. assert (O : exp (ell i) = 1 + 0 * exp 0 + sum (2 + M)%nat (fun j => differ j i * differ j (p i) * exp (L i j - L i (p i))))
      by (rewrite Rmult_0_l, Rplus_0_r; exact (M4_odds M d tau w p i H H0 H1 I_ H2 H3 H4 H5 H6)).
    assert (W := row_squares (2 + M)%nat (fun j => differ j i * differ j (p i)) (fun j => L i j - L i (p i)) t 0 0 (ell i) ltac:(intros; cbv beta; sign) ltac:(lra) O).
    cbv beta in W. rewrite (negatives M p i), !Rmult_0_l, !Rplus_0_r in W by auto. change (1 + INR M * exp t) with Lambda in W.
    rewrite (sum_ext _ (fun j => (sqrt Lambda * exp ((L i j - L i (p i) - t) / 2 - ell i / 2) - 1) ^ 2 * _ * exp t)
      (fun j => (sqrt Lambda * exp (L i j / 2 - t / 2 - ell i / 2 - L i (p i) / 2) - 1) ^ 2 * differ j i * differ j (p i) * exp t)) in W
      by (intros j _; replace ((L i j - L i (p i) - t) / 2 - ell i / 2) with (L i j / 2 - t / 2 - ell i / 2 - L i (p i) / 2) by field; ring).
    exact W. }
  assert (T := sum_le _ _ _ R0). rewrite sum_plus, !sum_scale, sum_opp, sum_plus, sum_minus in T.
  rewrite (sum_ext _ (fun _ => ln Lambda) (fun _ => ln Lambda * 1)), sum_scale, sum_one, plus_INR in T by (intros; ring). change (INR 2) with 2 in T.
  change (sum (2 + M)%nat (fun i => sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (L i j - L i (p i) - t))))
    with (sum (2 + M)%nat (fun i => sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (sum d (fun f => z i f * z j f) / tau - sum d (fun f => z i f * z (p i) f) / tau - t)))) in T.
  rewrite G in T.
  assert (K := Rmult_le_compat_r (/ (Lambda * (2 + INR M))) _ _ ltac:(apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra) T).
  change (sum (2 + M)%nat (fun i => ell i)) with (sum (2 + M)%nat ell) in *.
  eapply Rle_trans; [|eapply Rle_trans; [exact K|]]; right; field; repeat split; lra.
Qed.

(*! M4: floor *)
Proof.
  intros. assert (X := M4_masked M d tau w p H H0 H1 H2 H3 H4 H5 H6). subst t norm_w z Lambda s L ell. cbv beta zeta in X |- *.
  match type of X with ?a + _ - _ <= - ?q => assert (A : 0 <= a) by sign; assert (Q : 0 <= q) by sign end. lra.
Qed.

(*! M4: own *)
Proof.
  intros. assert (m0 := INR_pos M H). assert (La0 : 0 < Lambda_s) by (unfold Lambda_s; assert (E := exp_pos t); assert (X := Rmult_lt_0_compat _ _ m0 E); lra).
  assert (U : forall i, (i < 2 + M)%nat -> sum d (fun f => z i f * z i f) = 1) by (intros i I_; apply own_product, H4, I_).
  assert (G := gaps M z d p tau t H ltac:(lra) eq_refl H3 H2 U). cbv zeta in G.
  assert (HS : forall i, (i < 2 + M)%nat -> L i i - L i (p i) = sum d (fun f => (z i f - z (p i) f) ^ 2) * (/ 2 * / tau)).
  { intros i I_. rewrite (sum_ext d _ (fun f => z i f * z i f + z (p i) f * z (p i) f - 2 * (z i f * z (p i) f))) by (intros; ring).
    rewrite sum_minus, sum_plus, sum_scale, !U by auto. unfold L, s. rewrite (U i I_). field. lra. }
  assert (R0 : forall i, (i < 2 + M)%nat -> Lambda_s * (ln Lambda_s - ell_s i) + (L i i - L i (p i)) + exp t * sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (L i j - L i (p i) - t))
    <= - ((sqrt Lambda_s * exp (- (ell_s i / 2)) - 1) ^ 2 + (sqrt Lambda_s * exp (L i i / 2 - ell_s i / 2 - L i (p i) / 2) - 1) ^ 2
      + sum (2 + M)%nat (fun j => (sqrt Lambda_s * exp (L i j / 2 - t / 2 - ell_s i / 2 - L i (p i) / 2) - 1) ^ 2 * differ j i * differ j (p i) * exp t))).
  { intros i I_. assert (O : exp (ell_s i) = 1 + 1 * exp (L i i - L i (p i)) + sum (2 + M)%nat (fun j => differ j i * differ j (p i) * exp (L i j - L i (p i)))).
    { unfold ell_s. rewrite exp_Ropp, exp_ln by (apply H5, I_). unfold P_s. assert (E := exp_pos (L i (p i))).
      rewrite (one_apart _ (fun m => exp (L i m)) i I_), (masked_sum _ (L i) i (p i)) by auto.
      assert (X : exp (L i i - L i (p i)) = exp (L i i) / exp (L i (p i))) by (unfold Rminus; rewrite exp_plus, exp_Ropp; reflexivity).
      rewrite X. assert (o0 : 0 <= sum (2 + M)%nat (fun j => differ j i * differ j (p i) * exp (L i j - L i (p i)))) by sign. assert (F := exp_pos (L i i)).
      set (o := sum (2 + M)%nat (fun j => differ j i * differ j (p i) * exp (L i j - L i (p i)))) in *.
      assert (Y : 0 < exp (L i (p i)) * (1 + o)) by (apply Rmult_lt_0_compat; lra). field. lra. }
    assert (W := row_squares (2 + M)%nat (fun j => differ j i * differ j (p i)) (fun j => L i j - L i (p i)) t 1 (L i i - L i (p i)) (ell_s i) ltac:(intros; cbv beta; sign) ltac:(lra) O).
    cbv beta in W. rewrite (negatives M p i), !Rmult_1_l in W by auto. replace (1 + 1 + INR M * exp t) with Lambda_s in W by (unfold Lambda_s; ring).
    replace ((L i i - L i (p i)) / 2 - ell_s i / 2) with (L i i / 2 - ell_s i / 2 - L i (p i) / 2) in W by field.
    rewrite (sum_ext _ (fun j => (sqrt Lambda_s * exp ((L i j - L i (p i) - t) / 2 - ell_s i / 2) - 1) ^ 2 * _ * exp t)
      (fun j => (sqrt Lambda_s * exp (L i j / 2 - t / 2 - ell_s i / 2 - L i (p i) / 2) - 1) ^ 2 * differ j i * differ j (p i) * exp t)) in W
      by (intros j _; replace ((L i j - L i (p i) - t) / 2 - ell_s i / 2) with (L i j / 2 - t / 2 - ell_s i / 2 - L i (p i) / 2) by field; ring).
    exact W. }
  assert (T := sum_le _ _ _ R0). rewrite sum_plus, sum_plus, !sum_scale, sum_opp, !sum_plus, sum_minus in T.
  rewrite (sum_ext _ (fun _ => ln Lambda_s) (fun _ => ln Lambda_s * 1)), sum_scale, sum_one, plus_INR in T by (intros; ring). change (INR 2) with 2 in T.
  change (sum (2 + M)%nat (fun i => sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (L i j - L i (p i) - t))))
    with (sum (2 + M)%nat (fun i => sum (2 + M)%nat (fun j => differ j i * differ j (p i) * (sum d (fun f => z i f * z j f) / tau - sum d (fun f => z i f * z (p i) f) / tau - t)))) in T.
  rewrite G, (sum_ext _ _ _ HS), sum_scale_r in T.
  assert (K := Rmult_le_compat_r (/ (Lambda_s * (2 + INR M))) _ _ ltac:(apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; lra) T).
  change (sum (2 + M)%nat (fun i => ell_s i)) with (sum (2 + M)%nat ell_s) in *.
  eapply Rle_trans; [|eapply Rle_trans; [exact K|]]; right; field; repeat split; lra.
Qed.

(*! M31: reached *)
Proof.
  intros. assert (m0 := INR_pos M H). rewrite sum_scale_r, (negatives M p i) by auto. rewrite ln_mult, ln_exp by (try apply exp_pos; lra).
  unfold t. field. lra.
Qed.

(*! M31: floor *)
Proof.
  intros. assert (m0 := INR_pos M H). set (n := (2 + M)%nat) in *. set (c := fun i j => differ j i * differ j (p i)).
  assert (U : forall i, (i < n)%nat -> sum d (fun f => z i f * z i f) = 1) by (intros i A; apply own_product, H4, A).
  assert (G := gaps M z d p tau t H ltac:(lra) eq_refl H3 H2 U). cbv zeta in G. fold n in G.
  assert (C : forall i, (i < n)%nat -> sum n (c i) = INR M) by (intros i A; apply (negatives M p i); auto).
  assert (R : forall i, (i < n)%nat -> ln (INR M) + t + / INR M * sum n (fun j => c i j * (L i j - L i (p i) - t)) <= ell i).
  { intros i A. assert (P := over_below _ _ (exp_pos _) (H6 i A)). assert (c0 : forall j, 0 <= c i j) by (intros; unfold c; sign).
    assert (E : sum n (fun j => c i j * exp (L i j - L i (p i))) = sum n (fun k => differ k i * differ k (p i) * exp (L i k)) * / exp (L i (p i))).
    { rewrite <- sum_scale_r. apply sum_ext. intros j _. unfold c, Rminus. rewrite exp_plus, exp_Ropp. ring. }
    assert (o0 : 0 < sum n (fun j => c i j * exp (L i j - L i (p i)))).
    { rewrite E. apply Rmult_lt_0_compat; [exact P|apply Rinv_0_lt_compat, exp_pos]. }
    assert (V : ell i = ln (sum n (fun j => c i j * exp (L i j - L i (p i))))).
    { apply odds; [apply exp_pos|exact P|]. rewrite E. field. apply not_zero, exp_pos. }
    assert (B := mean_of_ln n (c i) (fun j => exp (L i j - L i (p i))) ltac:(intros; apply c0) ltac:(intros; apply exp_pos) ltac:(rewrite C; auto) o0).
    cbv beta in B. rewrite C in B by exact A. unfold Rdiv in B. rewrite ln_mult, ln_Rinv, <- V in B by (try apply Rinv_0_lt_compat; assumption).
    rewrite (sum_ext n (fun j => c i j * ln _) (fun j => c i j * (L i j - L i (p i)))) in B by (intros; rewrite ln_exp; ring).
    rewrite (sum_ext n (fun j => c i j * (L i j - L i (p i) - t)) (fun j => c i j * (L i j - L i (p i)) - c i j * t)) by (intros; ring).
    rewrite sum_minus, sum_scale_r, C by exact A. replace (ln (INR M) + t + _) with (sum n (fun j => c i j * (L i j - L i (p i))) * / INR M + ln (INR M)) by (field; lra). lra. }
  assert (T := sum_le _ _ _ R). rewrite sum_plus, sum_scale in T.
  change (sum n (fun k => sum n (fun j => c k j * (L k j - L k (p k) - t))))
    with (sum n (fun i => sum n (fun j => differ j i * differ j (p i) * (sum d (fun f => z i f * z j f) / tau - sum d (fun f => z i f * z (p i) f) / tau - t)))) in T.
  rewrite G in T. rewrite (sum_ext n (fun _ => ln (INR M) + t) (fun _ => 1 * (ln (INR M) + t))), sum_scale_r, sum_one in T by (intros; ring).
  replace (INR n) with (2 + INR M) in T by (unfold n; rewrite plus_INR; simpl; ring).
  match type of T with _ + / _ * ?q <= _ => assert (Q : 0 <= / INR M * q) by (apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat, m0|sign]) end.
  apply Rmult_le_reg_r with (2 + INR M); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. change (sum n (fun i => ell i)) with (sum n ell) in *. lra.
Qed.
