(* Mutual information of two variables with finitely many values (document D3). *)

(*! D3.22: marginal *)
Proof. intros; unfold_names. reorder. sums. Qed.

(*! D3.26: far *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (P0 : forall i, 0 < Pi i) by (intros; unfold Pi, J_y, J_x; sign).
  unfold information. rewrite <- sum_opp.
  rewrite (sum_ext V (fun l => sum V (fun k => varkappa k l ^ 2 * J k * J l)) (fun l => sum V (fun k => varkappa k l * J k * J l)))
    by (intros; apply sum_ext; intros; rewrite masked_square by apply H1; reflexivity).
  apply (Rle_trans _ (sum V (fun i => Pi i - J i - (sqrt (J i) - sqrt (Pi i)) ^ 2))).
  - apply sum_le. intros i _. replace (- (J i * ln (J i / Pi i))) with (J i * ln (Pi i / J i)); [apply gibbs_by_roots; auto|].
    assert (X := J0 i). assert (Y := P0 i). unfold Rdiv. rewrite !ln_mult, !ln_Rinv by (auto using Rinv_0_lt_compat). ring.
  - right. rewrite !sum_minus. unfold Pi at 1, J_y, J_x. rewrite (outside V J c x J1).
    change (sum V (fun k => J k)) with (sum V J). rewrite J1. unfold varkappa. ring.
Qed.

(*! D3.21: gibbs *)
Proof.
  intros. assert (F := D3_26_far V pi c x H H0 H1). cbv zeta in F. fold J in F.
  assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  apply Ropp_le_cancel. rewrite Ropp_0. eapply Rle_trans; [exact F|].
  match goal with |- - ?a - ?b <= 0 => assert (A : 0 <= a) by sign; assert (B : 0 <= b) by sign; lra end.
Qed.

(* If J is part of a marginal, Σ J log(J/(J_x J_y)) is at most −Σ J log J_x. *)
Lemma below_entropy : forall V (J J_x J_y : nat -> R), (forall i, 0 < J i) -> (forall i, 0 < J_x i) -> (forall i, J i <= J_y i) ->
  sum V (fun i => J i * ln (J i / (J_y i * J_x i))) <= - sum V (fun i => J i * ln (J_x i)).
Proof.
  intros V J J_x J_y P X Y. rewrite <- sum_opp. apply sum_le. intros i _. assert (p := P i). assert (x := X i). assert (y := Y i). assert (y0 : 0 < J_y i) by lra.
  replace (- (J i * ln (J_x i))) with (J i * - ln (J_x i)) by ring. apply Rmult_le_compat_l; [lra|].
  rewrite <- ln_Rinv by exact x. apply ln_le; [sign|]. apply Rmult_le_reg_r with (J_y i * J_x i); [sign|].
  replace (J i / (J_y i * J_x i) * (J_y i * J_x i)) with (J i) by (field; lra). replace (/ J_x i * (J_y i * J_x i)) with (J_y i) by (field; lra). exact y.
Qed.

(*! D3.27: below x *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). apply below_entropy; auto.
  intros i. unfold J_y. assert (S : 0 <= sum V (fun k => differ k i * J k * delta (c i) (c k))) by sign. lra.
Qed.

(*! D3.27: below y *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). unfold information, Pi.
  rewrite (sum_ext V _ (fun i => J i * ln (J i / (J_x i * J_y i)))) by (intros; rewrite (Rmult_comm (J_y _)); reflexivity).
  apply below_entropy; auto.
  intros i. unfold J_x. assert (S : 0 <= sum V (fun k => differ k i * J k * delta (x i) (x k))) by sign. lra.
Qed.
