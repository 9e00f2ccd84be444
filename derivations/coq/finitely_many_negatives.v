(* The mean loss of random negatives is below the loss of their mean; the difference is bounded by the variance. *)

(* The mean of ln(1 + x) is at most ln(1 + mean); the difference is at most a multiple of the variance. *)
Lemma mean_of_losses : forall n (w O : nat -> R), (forall k, (k < n)%nat -> 0 < w k) -> (forall k, (k < n)%nat -> 0 < O k) ->
  sum n w = 1 -> sum n (fun k => ln (1 + O k) * w k) <= ln (1 + sum n (fun k => O k * w k)).
Proof.
  intros n w O W P S. assert (N : (0 < n)%nat) by (destruct n; [simpl in S; lra|lia]).
  assert (A : 0 < sum n (fun k => O k * w k)) by (apply sum_pos; [assumption|]; intros; apply Rmult_lt_0_compat; auto).
  assert (B := mean_of_ln n w (fun k => 1 + O k) ltac:(intros; apply Rlt_le; auto) ltac:(intros k K; assert (Q := P k K); lra)).
  unfold Rdiv in B. rewrite S, Rinv_1, !Rmult_1_r in B.
  rewrite (sum_ext n (fun k => w k * (1 + O k)) (fun k => w k + O k * w k)), sum_plus in B by (intros; ring).
  change (sum n (fun k => w k)) with (sum n w) in B. rewrite S in B.
  rewrite (sum_ext n (fun k => ln (1 + O k) * w k) (fun k => w k * ln (1 + O k))) by (intros; ring). apply B; lra.
Qed.

Lemma loss_of_mean : forall n (w O : nat -> R) b, (forall k, (k < n)%nat -> 0 < w k) -> (forall k, (k < n)%nat -> b <= 1 + O k) -> 0 < b ->
  sum n w = 1 -> let m := sum n (fun k => O k * w k) in 0 < m ->
  ln (1 + m) - sum n (fun k => ln (1 + O k) * w k) <= sum n (fun k => (O k - m) ^ 2 * w k) / (1 + m) / b.
Proof.
  intros n w O b W P Z S m A.
  assert (B := mean_ln n w (fun k => (1 + m) / (1 + O k)) ltac:(intros; apply Rlt_le; auto)
    ltac:(intros k K; assert (Q := P k K); apply Rdiv_lt_0_compat; lra)). cbv beta in B.
  rewrite (sum_ext n (fun k => w k * ln ((1 + m) / (1 + O k))) (fun k => w k * ln (1 + m) - ln (1 + O k) * w k)), sum_minus, sum_scale_r in B
    by (intros k K; assert (Q := P k K); unfold Rdiv; rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra); ring).
  change (sum n (fun k => w k)) with (sum n w) in B. rewrite S in B.
  assert (C : sum n (fun k => w k * ((1 + m) / (1 + O k)))
    <= sum n (fun k => w k + (m - O k) / (1 + m) * w k + (O k - m) ^ 2 * w k / (1 + m) / b)).
  { apply sum_le. intros k K. assert (Q := P k K). assert (V := W k K).
    replace (w k * ((1 + m) / (1 + O k))) with (w k + (m - O k) / (1 + m) * w k + (O k - m) ^ 2 * w k / (1 + m) / (1 + O k)) by (field; lra).
    apply Rplus_le_compat_l. unfold Rdiv. apply Rmult_le_compat_l.
    - apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow2_ge_0|lra]|apply Rlt_le, Rinv_0_lt_compat; lra].
    - apply Rinv_le_contravar; lra. }
  rewrite !sum_plus in C.
  rewrite (sum_ext n (fun k => (m - O k) / (1 + m) * w k) (fun k => w k * (m / (1 + m)) - O k * w k * / (1 + m))), sum_minus, !sum_scale_r in C
    by (intros; field; lra).
  rewrite (sum_ext n (fun k => (O k - m) ^ 2 * w k / (1 + m) / b) (fun k => (O k - m) ^ 2 * w k * (/ (1 + m) * / b))), sum_scale_r in C
    by (intros; unfold Rdiv; ring).
  change (sum n (fun k => w k)) with (sum n w) in C. rewrite S in C. fold m in C. unfold Rdiv in *. rewrite Rmult_assoc. lra.
Qed.

(*! R21: at most *)
Proof.
  intros. apply mean_of_losses; intros; [unfold R_; sign|unfold O_r; sign|].
  apply shares, not_zero. sign.
Qed.

(*! R21: at least *)
Proof.
  intros. assert (X := INR_pos M H1).
  assert (EP : forall m, 0 < O_r m).
  { intros m. unfold O_r, E. apply sum_pos; [assumption|]. intros k K. assert (Q := H2 m k). lra. }
  assert (G := loss_of_mean Omega R_ O_r (1 + E_0 * INR M)). cbv zeta in G. apply G; try (intros; unfold R_; sign).
  - intros m _. unfold O_r, E. rewrite sum_plus, (sum_ext M (fun _ => E_0) (fun _ => 1 * E_0)), sum_scale_r, sum_one by (intros; ring).
    assert (Q : 0 <= sum M (E_plus m)) by (apply sum_nonneg; intros; apply H2).
    change (sum M (fun k => E_plus m k)) with (sum M (E_plus m)). lra.
  - apply shares, not_zero. sign.
Qed.

(*! R21: normal *)
Proof.
  intros. assert (T : tau <> 0) by lra.
  transitivity (exp (2 * x / tau + 2 * v / tau ^ 2 + (- (v / tau ^ 2) - 2 * x / tau)) - exp (v / tau ^ 2 + 2 * x / tau + (- (v / tau ^ 2) - 2 * x / tau))).
  - rewrite !(exp_plus _ (- (v / tau ^ 2) - 2 * x / tau)). ring.
  - replace (v / tau ^ 2 + 2 * x / tau + (- (v / tau ^ 2) - 2 * x / tau)) with 0 by ring. rewrite exp_0. f_equal. f_equal. field. exact T.
Qed.
