(* CLIP's two directions: their losses differ as the row and column sums of the joint softmax differ in evenness. *)

(* The divergence of the masses of a joint softmax from equal masses. *)
Lemma uneven : forall B (m : nat -> R), (0 < B)%nat -> (forall k, (k < B)%nat -> 0 < m k) ->
  sum B (fun k => ln (1 / INR B / m k)) / INR B = - ln (INR B) - sum B (fun k => ln (m k)) / INR B.
Proof.
  intros B m N P. assert (X := INR_pos B N).
  rewrite (sum_ext B _ (fun k => - (1 * ln (INR B)) - ln (m k))).
  - rewrite sum_minus, sum_opp, sum_scale_r, sum_one. field. lra.
  - intros k K. assert (Q := P k K). unfold Rdiv. rewrite Rmult_1_l, ln_mult, !ln_Rinv by auto using Rinv_0_lt_compat. ring.
Qed.

Lemma uneven_nonneg : forall B (m : nat -> R), (0 < B)%nat -> (forall k, (k < B)%nat -> 0 < m k) -> sum B m = 1 ->
  0 <= sum B (fun k => ln (1 / INR B / m k)) / INR B.
Proof.
  intros B m N P S. rewrite (uneven B m N P). assert (X := INR_pos B N).
  assert (Q := mean_ln B (fun _ => / INR B) (fun k => INR B * m k) ltac:(intros; apply Rlt_le, Rinv_0_lt_compat, X)
    ltac:(intros; apply Rmult_lt_0_compat; auto)). cbv beta in Q.
  rewrite (sum_ext B (fun k => / INR B * (INR B * m k)) m), S in Q by (intros; field; lra).
  rewrite (sum_ext B (fun k => / INR B * ln (INR B * m k)) (fun k => 1 * (/ INR B * ln (INR B)) + ln (m k) * / INR B)), sum_plus,
    !sum_scale_r, sum_one, (sum_ext B (fun _ => / INR B) (fun _ => 1 * / INR B)), sum_scale_r, sum_one in Q
    by (intros; try rewrite ln_mult by auto; ring).
  rewrite Rinv_r in Q by lra. replace (INR B * (/ INR B * ln (INR B))) with (ln (INR B)) in Q by (field; lra). unfold Rdiv. lra.
Qed.

Lemma mass : forall B T (e : nat -> R), sum B (fun k => e k / T) = sum B e / T.
Proof. intros. unfold Rdiv. apply sum_scale_r. Qed.

Lemma ln_share : forall l s, 0 < s -> ln (exp l / s) = l - ln s.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv, ln_exp by auto using exp_pos, Rinv_0_lt_compat. ring. Qed.

Lemma ln_over : forall s t, 0 < s -> 0 < t -> ln (s / t) = ln s - ln t.
Proof. intros. unfold Rdiv. rewrite ln_mult, ln_Rinv by auto using Rinv_0_lt_compat. ring. Qed.

(* Writes every logarithm in terms of a logit and the logarithms of the sums of a row, a column and all entries. *)
Lemma logarithms : forall B (L : nat -> nat -> R), (0 < B)%nat ->
  exists T, (forall i, (i < B)%nat -> ln (exp (L i i) / sum B (fun k => exp (L i k))) = L i i - ln (sum B (fun k => exp (L i k))))
    /\ (forall i, (i < B)%nat -> ln (exp (L i i) / sum B (fun k => exp (L k i))) = L i i - ln (sum B (fun k => exp (L k i))))
    /\ (forall i, (i < B)%nat -> ln (sum B (fun j => exp (L i j) / sum B (fun k => sum B (fun l => exp (L k l)))))
      = ln (sum B (fun k => exp (L i k))) - T)
    /\ (forall i, (i < B)%nat -> ln (sum B (fun j => exp (L j i) / sum B (fun k => sum B (fun l => exp (L k l)))))
      = ln (sum B (fun k => exp (L k i))) - T)
    /\ (forall i, (i < B)%nat -> ln (exp (L i i) / sum B (fun k => sum B (fun l => exp (L k l)))) = L i i - T).
Proof.
  intros B L N. exists (ln (sum B (fun k => sum B (fun l => exp (L k l))))).
  repeat split; intros i K; rewrite ?mass; (apply ln_share || apply ln_over); sign.
Qed.

(*! R23: difference *)
Proof.
  intros. unfold K_c, K_r. rewrite !uneven by (assumption || (intros; unfold m_r, m_c, J_l; sign)).
  destruct (logarithms B L H) as (T & PR & PC & MR & MC & _).
  rewrite (sum_ext B (fun i => ln (P_c i i)) _ PC), (sum_ext B (fun i => ln (P i i)) _ PR), (sum_ext B (fun k => ln (m_r k)) _ MR),
    (sum_ext B (fun k => ln (m_c k)) _ MC), !sum_minus. unfold Rdiv. ring.
Qed.

(*! R23: level *)
Proof.
  intros. unfold K_c, K_r, loss, ell. rewrite !uneven by (assumption || (intros; unfold m_r, m_c, J_l; sign)).
  destruct (logarithms B L H) as (T & PR & PC & MR & MC & J). assert (X := INR_pos B H).
  rewrite (sum_ext B (fun i => - (ln (P i i) / 2) - ln (P_c i i) / 2) (fun i => (ln (P i i) + ln (P_c i i)) * - / 2)), sum_scale_r, sum_plus
    by (intros; field).
  rewrite (sum_ext B (fun i => ln (P_c i i)) _ PC), (sum_ext B (fun i => ln (P i i)) _ PR), (sum_ext B (fun k => ln (m_r k)) _ MR),
    (sum_ext B (fun k => ln (m_c k)) _ MC), (sum_ext B (fun i => ln (J_l i i)) _ J), !sum_minus.
  rewrite (sum_ext B (fun _ => T) (fun _ => 1 * T)), sum_scale_r, sum_one by (intros; ring). field. lra.
Qed.

(*! R23: uneven images *)
Proof.
  intros. apply uneven_nonneg; [assumption|intros; unfold m_r, J_l; sign|apply (R23_images B L H)].
Qed.

(*! R23: uneven texts *)
Proof.
  intros. apply uneven_nonneg; [assumption|intros; unfold m_c, J_l; sign|apply (R23_texts B L H)].
Qed.
