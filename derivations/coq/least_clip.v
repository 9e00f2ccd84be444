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
