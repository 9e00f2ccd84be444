(* The least loss of CLIP: by log x ≤ x − 1 at equal gaps. *)

Lemma square_of_sum : forall n (a : nat -> R), (sum n a) ^ 2 <= INR n * sum n (fun i => a i ^ 2).
Proof.
  intros n a. assert (A : 0 <= sum n (fun i => sum n (fun j => (a i - a j) ^ 2))) by (do 2 (apply sum_nonneg; intros); apply pow2_ge_0).
  rewrite (sum_ext n _ (fun i => INR n * a i ^ 2 + sum n (fun j => a j ^ 2) - 2 * sum n a * a i)) in A.
  - rewrite sum_minus, sum_plus, !sum_scale, (sum_ext n (fun _ => sum n (fun j => a j ^ 2)) (fun _ => 1 * sum n (fun j => a j ^ 2))), sum_scale_r, sum_one in A by (intros; ring).
    change (sum n (fun k => a k)) with (sum n a) in A. lra.
  - intros i _. rewrite <- (sum_one n), <- sum_scale_r, <- sum_plus. rewrite (Rmult_assoc 2), (Rmult_comm (sum n a)), <- !sum_scale, <- sum_minus.
    apply sum_ext. intros. ring.
Qed.

(* A row of e^x whose own x is 0, by the concavity of the logarithm at gaps t. *)
Lemma row_below : forall M (x : nat -> R) i t, (0 < M)%nat -> (i < 1 + M)%nat -> x i = 0 ->
  ln (1 + INR M * exp t) + exp t / (1 + INR M * exp t) * (sum (1 + M)%nat x - INR M * t) <= ln (sum (1 + M)%nat (fun j => exp (x j))).
Proof.
  intros M x i t M0 I X. assert (m0 := INR_pos M M0). assert (e0 := exp_pos t). assert (l0 : 0 < 1 + INR M * exp t) by (apply Rplus_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
  pose (w := fun j => delta j i * (1 - exp t) + exp t). pose (P := fun j => exp (x j + delta j i * t - t)).
  assert (w0 : forall j, 0 < w j) by (intros j; unfold w, delta; destruct (Nat.eqb j i); lra).
  assert (one : sum (1 + M)%nat (fun _ => 1) = 1 + INR M) by (rewrite sum_one, plus_INR; reflexivity).
  assert (w1 : sum (1 + M)%nat w = 1 + INR M * exp t).
  { unfold w. rewrite sum_plus, (sum_delta (1 + M) i (fun _ => 1 - exp t)) by exact I.
    rewrite (sum_ext _ (fun _ => exp t) (fun _ => 1 * exp t)), sum_scale_r, one by (intros; ring). ring. }
  assert (wP : sum (1 + M)%nat (fun j => w j * P j) = sum (1 + M)%nat (fun j => exp (x j))).
  { apply sum_ext. intros j _. unfold w, P, delta. destruct (Nat.eqb_spec j i) as [E|E].
    - replace (x j + 1 * t - t) with (x j) by ring. ring.
    - replace (x j + 0 * t - t) with (x j + - t) by ring. rewrite exp_plus, exp_Ropp. field. lra. }
  assert (wl : sum (1 + M)%nat (fun j => w j * ln (P j)) = exp t * (sum (1 + M)%nat x - INR M * t)).
  { rewrite (sum_ext _ _ (fun j => exp t * (x j - 1 * t) + delta j i * (exp t * t))).
    - rewrite sum_plus, sum_scale, sum_minus, sum_scale_r, one, (sum_delta (1 + M) i (fun _ => exp t * t)) by exact I.
      change (sum (1 + M)%nat (fun k => x k)) with (sum (1 + M)%nat x). ring.
    - intros j _. unfold w, P. rewrite ln_exp. unfold delta. destruct (Nat.eqb_spec j i) as [->|E]; [rewrite X|]; ring. }
  assert (W0 : 0 < sum (1 + M)%nat (fun j => exp (x j))) by (apply sum_pos; [lia|intros; apply exp_pos]).
  assert (B := mean_of_ln (1 + M) w P ltac:(intros; apply Rlt_le; auto) ltac:(intros; apply exp_pos)).
  rewrite wl, wP, w1 in B. specialize (B l0 W0). unfold Rdiv in B at 2. rewrite ln_mult, ln_Rinv in B by (try apply Rinv_0_lt_compat; assumption).
  unfold Rdiv in *. lra.
Qed.

Lemma ln_of_share : forall n (x : nat -> R) i, (0 < n)%nat -> - ln (exp (x i) / sum n (fun k => exp (x k))) = ln (sum n (fun k => exp (x k - x i))).
Proof.
  intros n x i N. assert (s0 : 0 < sum n (fun k => exp (x k))) by (apply sum_pos; [exact N|intros; apply exp_pos]).
  rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; [apply exp_pos|exact s0]). f_equal.
  rewrite (sum_ext n (fun k => exp (x k - x i)) (fun k => exp (x k) * / exp (x i))) by (intros; unfold Rminus; rewrite exp_plus, exp_Ropp; reflexivity).
  rewrite sum_scale_r. field. split; apply Rgt_not_eq; first [exact s0|apply exp_pos].
Qed.

(*! M30: floor *)
Proof.
  intros. assert (m0 := INR_pos M H). set (n := (1 + M)%nat) in *. assert (N : (0 < n)%nat) by (unfold n; lia).
  assert (e0 := exp_pos t). assert (l0 : 0 < Lambda) by (unfold Lambda; apply Rplus_lt_0_compat; [lra|apply Rmult_lt_0_compat; lra]).
  assert (nn : INR n = 1 + INR M) by (unfold n; rewrite plus_INR; reflexivity).
  assert (const : forall a, sum n (fun _ => a) = INR n * a).
  { intros a. rewrite <- sum_one, <- sum_scale_r. apply sum_ext. intros. ring. }
  pose (Q := sum n (fun i => sum d (fun f => I i f ^ 2 + T i f ^ 2))).
  pose (gaps := fun i => sum n (fun k => L i k - L i i) + sum n (fun k => L k i - L i i) - 2 * (INR M * t)).
  assert (R : forall i, (i < n)%nat -> ln Lambda + exp t / Lambda * (gaps i / 2) <= ell i).
  { intros i A. assert (B := row_below M (fun k => L i k - L i i) i t H A ltac:(cbv beta; ring)). assert (C := row_below M (fun k => L k i - L i i) i t H A ltac:(cbv beta; ring)).
    fold n in B, C. fold Lambda in B, C. cbv beta in B, C. rewrite <- (ln_of_share n (fun k => L i k) i N) in B. rewrite <- (ln_of_share n (fun k => L k i) i N) in C.
    unfold ell, P, P_c, gaps. unfold Rdiv at 2. lra. }
  assert (G : 0 <= sum n gaps).
  { assert (E : sum n gaps = sum d (fun f => (INR n * sum n (fun i => (I i f - T i f) ^ 2) + 2 * (sum n (fun i => I i f) * sum n (fun i => T i f))) / tau)).
    { transitivity (2 * sum n (fun i => sum n (fun k => L i k)) - 2 * (INR n * sum n (fun i => L i i)) + INR n * Q / tau).
      - unfold gaps. rewrite (sum_ext n _ (fun i => sum n (fun k => L i k) + sum n (fun k => L k i) - 2 * INR n * L i i + Q / tau)).
        + rewrite sum_plus, sum_minus, sum_plus, sum_scale, const, (sum_swap n n (fun i k => L k i)). field. lra.
        + intros i _. rewrite !sum_minus, !const. change (sum n (L i)) with (sum n (fun k => L i k)). unfold t. fold Q. field. lra.
      - assert (cross : sum n (fun i => sum n (fun k => L i k)) = sum d (fun f => sum n (fun i => I i f) * sum n (fun i => T i f)) / tau).
        { unfold L, Rdiv. rewrite (sum_ext n _ (fun i => sum n (fun k => sum d (fun g => I i g * T k g)) * / tau)) by (intros; apply sum_scale_r).
          rewrite sum_scale_r. f_equal. rewrite (sum_ext n _ (fun i => sum d (fun g => I i g * sum n (fun k => T k g)))).
          - rewrite sum_swap. apply sum_ext. intros g _. apply sum_scale_r.
          - intros i _. rewrite sum_swap. apply sum_ext. intros g _. apply sum_scale. }
        assert (own : sum n (fun i => L i i) = sum d (fun f => sum n (fun i => I i f * T i f)) / tau).
        { unfold L, Rdiv. rewrite sum_scale_r. f_equal. apply sum_swap. }
        assert (lengths : Q = sum d (fun f => sum n (fun i => I i f ^ 2 + T i f ^ 2))) by apply sum_swap.
        rewrite cross, own, lengths. unfold Rdiv. rewrite sum_scale_r.
        transitivity ((2 * sum d (fun f => sum n (fun i => I i f) * sum n (fun i => T i f)) - 2 * (INR n * sum d (fun f => sum n (fun i => I i f * T i f)))
          + INR n * sum d (fun f => sum n (fun i => I i f ^ 2 + T i f ^ 2))) * / tau); [ring|].
        f_equal. rewrite <- !sum_scale, <- sum_minus, <- sum_plus. apply sum_ext. intros f _.
        rewrite (sum_ext n (fun i => (I i f - T i f) ^ 2) (fun i => I i f ^ 2 + T i f ^ 2 - 2 * (I i f * T i f))) by (intros; ring).
        rewrite sum_minus, sum_scale. ring. }
    rewrite E. apply sum_nonneg. intros f _. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; assumption].
    assert (S := square_of_sum n (fun i => I i f - T i f)). rewrite sum_minus in S.
    assert (U := pow2_ge_0 (sum n (fun i => I i f))). assert (V := pow2_ge_0 (sum n (fun i => T i f))). cbv beta in S. nra. }
  assert (F : sum n (fun i => ln Lambda + exp t / Lambda * (gaps i / 2)) <= sum n ell) by (apply sum_le; exact R).
  rewrite sum_plus, const, sum_scale in F. unfold Rdiv in F at 2. rewrite sum_scale_r in F.
  change (sum n (fun k => gaps k)) with (sum n gaps) in F. rewrite nn in F.
  assert (K : 0 <= exp t / Lambda * (sum n gaps * / 2)).
  { apply Rmult_le_pos; [apply Rlt_le, Rdiv_lt_0_compat; assumption|]. apply Rmult_le_pos; [exact G|lra]. }
  apply Rmult_le_reg_r with (1 + INR M); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. change (sum n (fun i => ell i)) with (sum n ell). lra.
Qed.

(*! M30: reached *)
Proof.
  intros. unfold Lambda. f_equal. rewrite (sum_ext _ _ (fun j => 1 * exp t - delta j i * exp t)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => exp t)), plus_INR by assumption. simpl (INR 1). ring.
Qed.

(* The least loss of DHN-NCE: as that of DCL. *)

(*! M34: reached *)
Proof.
  intros. assert (m0 := INR_pos M H). rewrite (sum_ext _ _ (fun j => 1 * exp t - delta j i * exp t)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => exp t)), plus_INR by assumption. simpl (INR 1).
  replace ((1 + INR M) * exp t - exp t) with (INR M * exp t) by ring. rewrite ln_mult, ln_exp by (try apply exp_pos; assumption). unfold t. field. lra.
Qed.

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

(*! M32: reached *)
Proof.
  intros. rewrite (sum_ext _ _ (fun j => 1 * ln (1 + exp v) - delta j i * ln (1 + exp v))) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => ln (1 + exp v))), plus_INR by assumption. simpl (INR 1). ring.
Qed.

(* The least spectral loss of unit rows: squares. *)

(*! M33: near *)
Proof.
  intros M d w w' A D norm_w Z_1 norm_w' Z_2 S ell N N'.
  assert (U : forall i, (i < 1 + M)%nat -> sum d (fun f => Z_1 i f ^ 2) = 1) by (intros; apply unit_row, N; assumption).
  assert (U' : forall i, (i < 1 + M)%nat -> sum d (fun f => Z_2 i f ^ 2) = 1) by (intros; apply unit_row, N'; assumption).
  assert (V : 0 < INR M) by (apply INR_pos; assumption).
  unfold ell. rewrite (sum_minus (1 + M) (fun i => sum (1 + M) (fun j => S i j ^ 2 * differ i j) / INR M) (fun i => 2 * S i i)).
  rewrite (sum_ext (1 + M) (fun i => sum d (fun f => (Z_1 i f - Z_2 i f) ^ 2)) (fun i => 2 - 2 * S i i)).
  - rewrite (sum_minus (1 + M) (fun _ => 2) (fun i => 2 * S i i)).
    rewrite (sum_ext (1 + M) (fun _ => 2) (fun _ => 2 * 1)) by (intros; ring). rewrite (sum_scale (1 + M) 2 (fun _ => 1)), sum_one.
    unfold Rdiv at 2. rewrite (sum_scale_r (1 + M) (/ INR M)). rewrite plus_INR. simpl (INR 1). field. lra.
  - intros i I. rewrite (sum_ext d _ (fun f => Z_1 i f ^ 2 + Z_2 i f ^ 2 - 2 * (Z_1 i f * Z_2 i f))) by (intros; ring).
    rewrite (sum_minus d (fun f => Z_1 i f ^ 2 + Z_2 i f ^ 2) (fun f => 2 * (Z_1 i f * Z_2 i f))).
    rewrite (sum_plus d (fun f => Z_1 i f ^ 2) (fun f => Z_2 i f ^ 2)), (U i I), (U' i I).
    rewrite (sum_scale d 2 (fun f => Z_1 i f * Z_2 i f)). unfold S. ring.
Qed.

(*! M33: circle *)
Proof. intros. unfold ell, S, M, d, Z_1, Z_2, list2. cbv -[Rplus Rmult Rdiv Rinv Ropp Rminus IZR pow INR]. simpl. field. Qed.

(* The minimum of SupCon for unit rows: each class in one point, the points at the corners of a regular simplex. *)

Lemma positives : forall n i q e, (i < 1 + n)%nat -> (q < 1 + n)%nat -> q <> i ->
  sum (1 + n)%nat (fun j => differ j i * differ j q * e) = (INR n - 1) * e.
Proof.
  intros n i q e I Q D.
  rewrite (sum_ext _ _ (fun j => 1 * e - delta j i * e - delta j q * e)).
  - rewrite !sum_minus, (sum_delta _ i (fun _ => e)), (sum_delta _ q (fun _ => e)), sum_scale_r, sum_one by assumption.
    change (1 + n)%nat with (S n). rewrite S_INR. ring.
  - intros j _. rewrite !differ_delta. destruct (Nat.eq_dec j i) as [->|J].
    + rewrite delta_refl, (delta_differ i q) by auto. ring.
    + rewrite (delta_differ j i) by exact J. ring.
Qed.

Lemma negatives : forall n l k e, (k < 1 + n)%nat ->
  sum (1 + n)%nat (fun m => sum (1 + l)%nat (fun j => differ m k * e)) = INR n * (1 + INR l) * e.
Proof.
  intros n l k e K. rewrite (sum_ext _ _ (fun m => 1 * (INR (S l) * e) - delta m k * (INR (S l) * e))).
  - rewrite sum_minus, (sum_delta _ k (fun _ => INR (S l) * e)), sum_scale_r, sum_one by assumption.
    change (1 + n)%nat with (S n). rewrite !S_INR. ring.
  - intros m _. change (1 + l)%nat with (S l). rewrite (sum_ext _ _ (fun j => 1 * (differ m k * e))) by (intros; ring).
    rewrite sum_scale_r, sum_one, differ_delta. ring.
Qed.

(*! R19: in *)
Proof.
  intros. assert (X := INR_pos K H). assert (Y := INR_pos M H0). assert (T : 0 < tau) by assumption.
  assert (A : sum (1 + K)%nat (fun j => differ j i * differ j (p i) * exp (1 / tau)) = (INR K - 1) * exp (1 / tau)) by (apply positives; auto).
  assert (C : sum (1 + M)%nat (fun m => sum (1 + K)%nat (fun j => differ m k * exp (- (1 / tau / INR M))))
    = INR M * (1 + INR K) * exp (- (1 / tau / INR M))) by (apply negatives; assumption).
  assert (G : exp (- (1 / tau / INR M)) = exp (1 / tau) * exp t) by (unfold t; rewrite <- exp_plus; f_equal; field; lra).
  assert (P : 0 < Lambda) by (unfold Lambda; sign).
  assert (E := exp_pos (1 / tau)). rewrite A, C, G.
  replace ((INR K - 1) * exp (1 / tau) + INR M * (1 + INR K) * (exp (1 / tau) * exp t) + exp (1 / tau))
    with (exp (1 / tau) * Lambda) by (unfold Lambda; ring).
  replace ((INR K - 1) * exp (1 / tau) + exp (1 / tau)) with (exp (1 / tau) * INR K) by ring.
  rewrite !ln_mult by assumption. ring.
Qed.

(*! R19: out *)
Proof.
  intros. assert (X := INR_pos K H). assert (Y := INR_pos M H0). assert (T : 0 < tau) by assumption.
  assert (A : sum (1 + K)%nat (fun j => differ j i * differ j (p i) * exp (1 / tau)) = (INR K - 1) * exp (1 / tau)) by (apply positives; auto).
  assert (C : sum (1 + M)%nat (fun m => sum (1 + K)%nat (fun j => differ m k * exp (- (1 / tau / INR M))))
    = INR M * (1 + INR K) * exp (- (1 / tau / INR M))) by (apply negatives; assumption).
  assert (G : exp (- (1 / tau / INR M)) = exp (1 / tau) * exp t) by (unfold t; rewrite <- exp_plus; f_equal; field; lra).
  assert (P : 0 < Lambda) by (unfold Lambda; sign).
  assert (E := exp_pos (1 / tau)). rewrite A, C, G.
  replace ((INR K - 1) * exp (1 / tau) + INR M * (1 + INR K) * (exp (1 / tau) * exp t) + exp (1 / tau))
    with (exp (1 / tau) * Lambda) by (unfold Lambda; ring).
  rewrite ln_mult, ln_exp by assumption.
  assert (D : sum (1 + K)%nat (fun j => differ j i / tau) = INR K / tau).
  { rewrite (sum_ext _ _ (fun j => 1 * / tau - delta j i * / tau)) by (intros; rewrite differ_delta; unfold Rdiv; ring).
    rewrite sum_minus, (sum_delta _ i (fun _ => / tau)), sum_scale_r, sum_one by assumption. change (1 + K)%nat with (S K). rewrite S_INR. unfold Rdiv. ring. }
  rewrite D. field. lra.
Qed.
