(* SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (document F). *)

(* The loss of a row with the positive j as a function of the odds of all candidates. *)
Lemma row_odds : forall n (o L : nat -> R) j, 0 < sum n (fun k => o k * exp (L k - L j)) ->
  ln (exp (L j) / sum n (fun k => o k * exp (L k))) = - ln (sum n (fun k => o k * exp (L k - L j))).
Proof.
  intros n o L j P. assert (E := exp_pos (L j)).
  assert (S : sum n (fun k => o k * exp (L k)) = exp (L j) * sum n (fun k => o k * exp (L k - L j))).
  { rewrite <- sum_scale. apply sum_ext. intros k _. unfold Rminus. rewrite exp_plus, exp_Ropp. field. lra. }
  assert (S0 : 0 < sum n (fun k => o k * exp (L k))) by (rewrite S; apply Rmult_lt_0_compat; assumption). rewrite <- (odds _ _ _ E S0 S). ring.
Qed.

(*! F21: whole *)
Proof.
  intros. unfold loss. f_equal. apply sum_ext. intros i I_. unfold ell. rewrite <- Ropp_div. f_equal.
  rewrite Ropp_mult_distr_r, <- sum_opp. f_equal. apply sum_ext. intros j J.
  rewrite row_odds by (apply H4; assumption). ring.
Qed.

(*! F24: count *)
Proof.
  intros. rewrite (sum_ext N _ (fun i => sum B (fun n => delta i (r n) * 1))).
  - rewrite sum_swap, <- sum_one. apply sum_ext. intros n K. apply sum_delta. auto.
  - intros i _. unfold n_c, psi_plus, Y_c. rewrite sum_swap. ring_simplify. apply sum_ext. intros n K.
    rewrite (sum_ext N _ (fun j => delta j (q n) * delta i (r n))) by (intros; ring). rewrite sum_delta by auto. ring.
Qed.

(*! F24: one, in *)
Proof.
  intros. assert (Y : forall f, sum N (fun j => Y_c i j * f j) = f (p i)).
  { intros f. rewrite (sum_ext N _ (fun j => delta j (p i) * (differ j i * f j))) by (intros; unfold Y_c, calY; ring).
    rewrite sum_delta, (differ_pos _ _ (H0 i)) by auto. ring. }
  unfold ell, n_c, psi_plus. rewrite (sum_ext N (fun j => Y_c i j) (fun j => Y_c i j * 1)) by (intros; ring).
  rewrite (Y (fun _ => 1)), (Y (fun j => exp (L i j))), Rmult_1_l. do 2 f_equal. unfold Rdiv. f_equal. field.
Qed.

(*! F24: pairs *)
Proof.
  intros. pose (P := fun i j => ln (exp (L i j) / sum N (fun k => differ k i * exp (L i k)))).
  rewrite (sum_ext N _ (fun i => sum B (fun n => delta i (r n) * - (P i (q n) / n_c i)))).
  - rewrite sum_swap, <- sum_opp. apply sum_ext. intros n K. apply (sum_delta N (r n) (fun i => - (P i (q n) / n_c i))). auto.
  - intros i _. unfold ell, psi_plus. rewrite Rmult_1_l. unfold Rdiv at 1. rewrite <- sum_scale_r, <- sum_opp.
    rewrite (sum_ext N _ (fun j => sum B (fun n => delta j (q n) * (delta i (r n) * - (P i j * / n_c i))))).
    + rewrite sum_swap. apply sum_ext. intros n K.
      apply (sum_delta N (q n) (fun j => delta i (r n) * - (P i j * / n_c i))). auto.
    + intros j _. unfold Y_c. fold (P i j). rewrite <- !sum_scale_r, <- sum_opp. apply sum_ext. intros. ring.
Qed.

(*! F23: out *)
Proof.
  intros. assert (E : sum N (P i) = 1) by (apply (shares N (fun j => differ j i * exp (L i j))); apply H8). unfold G.
  rewrite (sum_ext N _ (fun m => P i j * Y_c i m - Y_c i j * P i m)).
  - rewrite sum_minus, !sum_scale. change (sum N (fun m => P i m)) with (sum N (P i)). rewrite E.
    destruct (H5 i) as [Z|Z]; rewrite Z; [unfold Rdiv; ring|]. assert (C := H6 i).
    assert (NC : n_c i = sum N (Y_c i)) by (unfold n_c; rewrite Z; change (sum N (fun m => Y_c i m)) with (sum N (Y_c i)); ring).
    change (sum N (fun m => Y_c i m)) with (sum N (Y_c i)). rewrite NC in *. field. exact C.
  - intros m _. unfold differ. destruct (Nat.eqb_spec m j) as [->|]; ring.
Qed.

(* If the mean is inside the logarithm: 1 − ΣP over the positives is ΣP over the others. *)
Lemma within : forall N (y o e : nat -> R) j, (forall m, y m * o m = y m) ->
  sum N (fun k => o k * e k) <> 0 -> sum N (fun k => y k * e k) <> 0 ->
  (1 - y j) * (o j * e j / sum N (fun k => o k * e k))
    - y j * e j / sum N (fun k => y k * e k) * sum N (fun m => (1 - y m) * (o m * e m / sum N (fun k => o k * e k)))
  = o j * e j / sum N (fun k => o k * e k) - y j * e j / sum N (fun k => y k * e k).
Proof.
  intros N y o e j M S X. set (s := sum N (fun k => o k * e k)) in *. set (x := sum N (fun k => y k * e k)) in *.
  rewrite (sum_ext N (fun m => (1 - y m) * (o m * e m / s)) (fun m => / s * (o m * e m) - / s * (y m * e m)))
    by (intros m _; rewrite <- (M m) at 2; unfold Rdiv; ring).
  rewrite sum_minus, !sum_scale. fold s x. replace ((1 - y j) * (o j * e j / s)) with (o j * e j / s - y j * e j / s)
    by (rewrite <- (M j) at 1; unfold Rdiv; ring).
  field. split; assumption.
Qed.

(*! F23: in *)
Proof.
  intros. assert (M : forall m, Y_c i m * differ m i = Y_c i m).
  { intros m. unfold Y_c, differ. destruct (Nat.eqb m i); ring. }
  destruct (H6 i) as [Z|Z]; unfold G; rewrite Z; [ring|]. rewrite !Rmult_1_r.
  assert (X : forall j, R_c i j = Y_c i j * exp (L i j) / sum N (fun k => Y_c i k * exp (L i k))).
  { intros m. unfold R_c. rewrite Z. f_equal. ring. }
  rewrite X. apply (within N (Y_c i) (fun m => differ m i) (fun m => exp (L i m)) j M); [apply H8|].
  assert (W := H9 i). rewrite Z in W. intro V. apply W. rewrite V. ring.
Qed.

(*! F23: sum in *)
Proof.
  intros. assert (M : forall m, Y_c i m * differ m i = Y_c i m).
  { intros m. unfold Y_c, differ. destruct (Nat.eqb m i); ring. }
  destruct (H6 i) as [Z|Z]; unfold G; rewrite Z; [apply sum_zero; intros; ring|].
  assert (X : forall j, R_c i j = Y_c i j * exp (L i j) / sum N (fun k => Y_c i k * exp (L i k))).
  { intros m. unfold R_c. rewrite Z. f_equal. ring. }
  assert (W : sum N (fun k => Y_c i k * exp (L i k)) <> 0).
  { assert (W := H9 i H4). rewrite Z in W. intro V. apply W. rewrite V. ring. }
  assert (S := H8 i H4).
  rewrite (sum_ext N _ (fun j => P i j - R_c i j)).
  - assert (P1 : sum N (P i) = 1) by (apply (shares N (fun j => differ j i * exp (L i j)) S)).
    assert (R1 := shares N (fun j => Y_c i j * exp (L i j)) W). cbv beta in R1.
    rewrite sum_minus. change (sum N (fun j => P i j)) with (sum N (P i)). rewrite P1.
    rewrite (sum_ext N (R_c i) (fun j => Y_c i j * exp (L i j) / sum N (fun k => Y_c i k * exp (L i k)))), R1 by auto. ring.
  - intros j _. rewrite !X, Rmult_1_r. apply (within N (Y_c i) (fun m => differ m i) (fun m => exp (L i m)) j M S W).
Qed.

(* The derivative of a row's loss by its logits; the mean over its positives is outside the logarithm. *)
Lemma d_out : forall N i (psi n : R) (y : nat -> R) (L : R -> nat -> R) (l : nat -> R) x,
  (forall j, (j < N)%nat -> is_derive (fun t => L t j) x (l j)) -> 0 < sum N (fun k => differ k i * exp (L x k)) ->
  let P j := differ j i * exp (L x j) / sum N (fun k => differ k i * exp (L x k)) in
  is_derive (fun t => - (psi * sum N (fun j => y j * ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k)))) / n)) x
    (sum N (fun j => psi * sum N (fun m => (P j * y m - P m * y j) * differ m j) / n * l j)).
Proof.
  intros N i psi n y L l x D S P. assert (E : sum N P = 1) by (apply (shares N (fun j => differ j i * exp (L x j))); lra). eapply d_eq.
  - apply (d_opp (fun t => psi * sum N (fun j => y j * ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k)))) / n)).
    apply (d_over (fun t => psi * sum N (fun j => y j * ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k)))))).
    apply (d_scale (fun t => sum N (fun j => y j * ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k)))))).
    apply (d_sum N (fun j t => y j * ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k))))). intros j J.
    apply (d_scale (fun t => ln (exp (L t j) / sum N (fun k => differ k i * exp (L t k))))).
    apply (d_row N (fun k => differ k i) L l); auto.
  - change (- (psi * sum N (fun j => y j * (l j - sum N (fun k => P k * l k))) / n)
      = sum N (fun j => psi * sum N (fun m => (P j * y m - P m * y j) * differ m j) / n * l j)).
    set (m := sum N (fun k => P k * l k)).
    rewrite (sum_ext N (fun j => psi * _ / n * l j) (fun j => psi / n * (sum N y * (P j * l j) - y j * l j))).
    + rewrite sum_scale, sum_minus, sum_scale. fold m. rewrite (sum_ext N (fun j => y j * (l j - m)) (fun j => y j * l j - m * y j)) by (intros; ring).
      rewrite sum_minus, sum_scale. change (sum N (fun k => y k)) with (sum N y). unfold Rdiv. ring.
    + intros j _. rewrite (sum_ext N _ (fun m => P j * y m - y j * P m)).
      * rewrite sum_minus, !sum_scale. change (sum N (fun m => P m)) with (sum N P). change (sum N (fun m => y m)) with (sum N y). rewrite E. unfold Rdiv. ring.
      * intros a _. unfold differ at 1. destruct (Nat.eqb_spec a j) as [->|]; ring.
Qed.

(*! F23: w *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [assumption|]. intros i I_.
  pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k). assert (S := H11 i I_).
  assert (D := d_out N i (psi_plus i) (n_c i) (Y_c i) (fun x => L (set2 w k f x) i) (fun j => (delta i k * a j + delta j k * a i) / tau) (w k f)).
  cbv beta in D. rewrite set2_same in D. apply D.
  - intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - apply nonneg_not_zero; [|exact S]. sign.
Qed.

(*! F23: temperature *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. assert (S := H8 i I_).
  apply (d_out N i (psi_plus i) (n_c i) (Y_c i) (fun x => L x i) (fun j => - L tau i j / tau) tau).
  - intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - apply nonneg_not_zero; [|exact S]. sign.
Qed.

(* The same with the mean inside the logarithm. *)
Lemma d_in : forall N i (psi n : R) (y : nat -> R) (L : R -> nat -> R) (l : nat -> R) x, psi = 0 \/ psi = 1 ->
  (forall m, y m * differ m i = y m) ->
  (forall j, (j < N)%nat -> is_derive (fun t => L t j) x (l j)) -> 0 < sum N (fun k => differ k i * exp (L x k)) ->
  0 < (1 + sum N (fun j => y j * exp (L x j)) - psi) / n / sum N (fun k => differ k i * exp (L x k)) -> n <> 0 ->
  let P j := differ j i * exp (L x j) / sum N (fun k => differ k i * exp (L x k)) in
  let R_ j := y j * exp (L x j) / (1 + sum N (fun k => y k * exp (L x k)) - psi) in
  is_derive (fun t => - (psi * ln ((1 + sum N (fun j => y j * exp (L t j)) - psi) / n / sum N (fun k => differ k i * exp (L t k))))) x
    (sum N (fun j => ((1 - y j) * P j - R_ j * sum N (fun m => (1 - y m) * P m)) * psi * l j)).
Proof.
  intros N i psi n y L l x Z M D S X n0 P R_.
  assert (DS : is_derive (fun t => sum N (fun k => differ k i * exp (L t k))) x (sum N (fun k => differ k i * (exp (L x k) * l k)))).
  { apply (d_sum N (fun k t => differ k i * exp (L t k))). intros k K. apply (d_scale (fun t => exp (L t k))), (d_exp (fun t => L t k)), D, K. }
  assert (DX : is_derive (fun t => sum N (fun k => y k * exp (L t k))) x (sum N (fun k => y k * (exp (L x k) * l k)))).
  { apply (d_sum N (fun k t => y k * exp (L t k))). intros k K. apply (d_scale (fun t => exp (L t k))), (d_exp (fun t => L t k)), D, K. }
  set (s := sum N (fun k => differ k i * exp (L x k))) in *. destruct Z as [->| ->].
  - apply (is_derive_ext (fun _ => 0)); [intros; symmetry; rewrite Rmult_0_l; apply Ropp_0|].
    apply d_eq with 0; [apply d_const|]. symmetry. apply sum_zero. intros. ring.
  - assert (X0 : sum N (fun k => y k * exp (L x k)) <> 0).
    { intro V. rewrite V in X. replace ((1 + 0 - 1) / n / s) with 0 in X by (unfold Rdiv; ring). lra. }
    eapply d_eq.
    + apply (d_opp (fun t => 1 * ln ((1 + sum N (fun j => y j * exp (L t j)) - 1) / n / sum N (fun k => differ k i * exp (L t k))))).
      apply (d_scale (fun t => ln ((1 + sum N (fun j => y j * exp (L t j)) - 1) / n / sum N (fun k => differ k i * exp (L t k))))).
      apply (d_ln (fun t => (1 + sum N (fun j => y j * exp (L t j)) - 1) / n / sum N (fun k => differ k i * exp (L t k)))); [|exact X].
      apply (d_div (fun t => (1 + sum N (fun j => y j * exp (L t j)) - 1) / n) (fun t => sum N (fun k => differ k i * exp (L t k)))); [|exact DS|fold s; lra].
      apply (d_over (fun t => 1 + sum N (fun j => y j * exp (L t j)) - 1)).
      apply (d_minus (fun t => 1 + sum N (fun j => y j * exp (L t j)))); [|apply d_const]. apply d_plus; [apply d_const|exact DX].
    + fold s. rewrite (sum_ext N (fun j => _ * 1 * l j) (fun j => / s * (differ j i * (exp (L x j) * l j)) - / sum N (fun k => y k * exp (L x k)) * (y j * (exp (L x j) * l j)))).
      * rewrite sum_minus, !sum_scale. replace (1 + sum N (fun j => y j * exp (L x j)) - 1) with (sum N (fun j => y j * exp (L x j))) by ring.
        field. repeat split; assumption || lra.
      * intros j _. assert (W := within N y (fun m => differ m i) (fun m => exp (L x m)) j M ltac:(change (s <> 0); lra) X0). cbv beta in W. fold s in W.
        unfold R_. replace (1 + sum N (fun k => y k * exp (L x k)) - 1) with (sum N (fun k => y k * exp (L x k))) by ring.
        change ((1 - y j) * P j - y j * exp (L x j) / sum N (fun k => y k * exp (L x k)) * sum N (fun m => (1 - y m) * P m) = P j - y j * exp (L x j) / sum N (fun k => y k * exp (L x k))) in W.
        rewrite W. unfold P, Rdiv. ring.
Qed.

Lemma masked : forall (y : nat -> nat -> R) i m, differ m i * y i m * differ m i = differ m i * y i m.
Proof. intros. unfold differ. destruct (Nat.eqb m i); ring. Qed.

(*! F23: in: w *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [assumption|]. intros i I_.
  pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k). assert (S := H12 i I_).
  assert (D := d_in N i (psi_plus i) (n_c i) (Y_c i) (fun x => L (set2 w k f x) i) (fun j => (delta i k * a j + delta j k * a i) / tau) (w k f)).
  cbv beta in D. rewrite set2_same in D. apply D.
  - apply H8.
  - apply masked.
  - intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - apply nonneg_not_zero; [|exact S]. sign.
  - apply H15, I_.
  - apply H14, I_.
Qed.

(*! F23: in: temperature *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. assert (S := H9 i I_).
  apply (d_in N i (psi_plus i) (n_c i) (Y_c i) (fun x => L x i) (fun j => - L tau i j / tau) tau).
  - apply H6.
  - apply masked.
  - intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - apply nonneg_not_zero; [|exact S]. sign.
  - apply H12, I_.
  - apply H11, I_.
Qed.

(* A term of the form "pairs" as a function of the odds of the negatives; c is 1 at each of them. *)
Lemma pair_odds : forall n (c L : nat -> R) l, sum n (fun k => c k * exp (L k)) + exp l = exp l * (1 + sum n (fun k => c k * exp (L k - l))).
Proof.
  intros. rewrite Rmult_plus_distr_l, <- sum_scale.
  rewrite (sum_ext n (fun k => exp l * (c k * exp (L k - l))) (fun k => c k * exp (L k))); [ring|].
  intros k _. unfold Rminus. rewrite exp_plus, exp_Ropp. field. apply not_zero, exp_pos.
Qed.

Lemma falls_short : forall n (c L : nat -> R) l y, sum n (fun k => c k * exp (L k)) + exp l <> 0 ->
  y * exp l / (sum n (fun k => c k * exp (L k)) + exp l) * sum n (fun k => c k * exp (L k - l)) =
  y - y * exp l / (sum n (fun k => c k * exp (L k)) + exp l).
Proof.
  intros n c L l y D. assert (E := exp_pos l). rewrite pair_odds in *. field. split; [|lra].
  intro Z. apply D. rewrite Z. ring.
Qed.

(* The gradient of a row of the form "pairs". *)
Lemma d_pairs : forall N i (y : nat -> R) (L : R -> nat -> R) (l : nat -> R) x,
  (forall j, (j < N)%nat -> is_derive (fun t => L t j) x (l j)) ->
  (forall j, (j < N)%nat -> 0 < exp (L x j) / (sum N (fun k => (1 - y k) * differ k i * exp (L x k)) + exp (L x j))) ->
  let P j := y j * exp (L x j) / (sum N (fun k => (1 - y k) * differ k i * exp (L x k)) + exp (L x j)) in
  is_derive (fun t => - sum N (fun j => y j * ln (exp (L t j) / (sum N (fun k => (1 - y k) * differ k i * exp (L t k)) + exp (L t j))))) x
    (sum N (fun j => ((1 - y j) * differ j i * sum N (fun m => P m * exp (L x j - L x m)) - P j * sum N (fun k => (1 - y k) * differ k i * exp (L x k - L x j))) * l j)).
Proof.
  intros N i y L l x D X P. pose (c := fun k => (1 - y k) * differ k i).
  assert (S : forall j, (j < N)%nat -> 0 < sum N (fun k => c k * exp (L x k)) + exp (L x j)).
  { intros j J. apply (over_below (exp (L x j))); [apply exp_pos|apply X, J]. }
  eapply d_eq.
  - apply (d_opp (fun t => sum N (fun j => y j * ln (exp (L t j) / (sum N (fun k => c k * exp (L t k)) + exp (L t j)))))).
    apply (d_sum N (fun j t => y j * ln (exp (L t j) / (sum N (fun k => c k * exp (L t k)) + exp (L t j))))
      x (fun j => y j * (l j - (sum N (fun k => c k * (exp (L x k) * l k)) + exp (L x j) * l j) / (sum N (fun k => c k * exp (L x k)) + exp (L x j))))).
    intros j J. apply (d_scale (fun t => ln (exp (L t j) / (sum N (fun k => c k * exp (L t k)) + exp (L t j))))).
    apply (d_ln_exp_over (fun t => L t j) (fun t => sum N (fun k => c k * exp (L t k)) + exp (L t j))); [apply D, J| |apply S, J].
    apply (d_plus (fun t => sum N (fun k => c k * exp (L t k)))).
    + apply (d_sum N (fun k t => c k * exp (L t k))). intros k K. apply (d_scale (fun t => exp (L t k))), (d_exp (fun t => L t k)), D, K.
    + apply (d_exp (fun t => L t j)), D, J.
  - rewrite <- sum_opp.
    rewrite (sum_ext N (fun j => ((1 - y j) * differ j i * sum N (fun m => P m * exp (L x j - L x m)) - _) * l j)
      (fun j => sum N (fun m => c j * l j * (P m * exp (L x j - L x m))) - (y j - P j) * l j)).
    + rewrite sum_minus, sum_swap, <- sum_minus. apply sum_ext. intros j J. assert (Z := S j J).
      rewrite (sum_ext N (fun k => c k * l k * (P j * exp (L x k - L x j))) (fun k => y j / (sum N (fun k => c k * exp (L x k)) + exp (L x j)) * (c k * (exp (L x k) * l k)))).
      * rewrite sum_scale. unfold P. change (sum N (fun k => (1 - y k) * differ k i * exp (L x k))) with (sum N (fun k => c k * exp (L x k))). field. lra.
      * intros k _. unfold P. change (sum N (fun k => (1 - y k) * differ k i * exp (L x k))) with (sum N (fun k => c k * exp (L x k))).
        unfold Rminus. rewrite exp_plus, exp_Ropp.
        field. split; [lra|apply not_zero, exp_pos].
    + intros j J. assert (Z := S j J). rewrite sum_scale. unfold P at 2.
      rewrite (falls_short N (fun k => (1 - y k) * differ k i) (L x) (L x j) (y j)) by (apply not_zero; exact Z). fold (P j). unfold c. ring.
Qed.

(*! F32: one class *)
Proof.
  intros. unfold ell. rewrite sum_zero; [ring|]. intros j J.
  rewrite (sum_zero N (fun k => (1 - Y_c i k) * differ k i * exp (L i k))).
  - rewrite Rplus_0_l. unfold Rdiv. rewrite Rinv_r by (apply not_zero, exp_pos). rewrite ln_1. ring.
  - intros k _. unfold Y_c, differ. destruct (Nat.eqb k i); ring.
Qed.

(*! F32: whole *)
Proof.
  intros. unfold loss. f_equal. apply sum_ext. intros i I_. unfold ell. rewrite <- sum_opp. apply sum_ext. intros j J.
  rewrite <- (odds (exp (L i j)) _ _ (exp_pos _) (over_below _ _ (exp_pos _) (H4 i I_ j J)) (pair_odds N (fun k => (1 - Y_c i k) * differ k i) (L i) (L i j))).
  ring.
Qed.

(*! F33: error *)
Proof.
  intros. unfold G. unfold P at 2. rewrite (falls_short N (fun k => (1 - Y_c i k) * differ k i) (L i) (L i j) (Y_c i j)) by apply H6.
  fold (P i j). ring.
Qed.

(*! F33: own *)
Proof.
  intros. assert (B : forall k, Y_c i k = 0 \/ Y_c i k = 1).
  { intros k. unfold Y_c, differ. destruct (H4 i k) as [-> | ->], (Nat.eqb k i); (left; ring) || (right; ring). }
  rewrite (sum_ext N _ (fun k => (1 - Y_c i k) * differ k i * exp (L i k - L i j))).
  - unfold G. destruct (B j) as [Z|Z]; rewrite Z; [|ring].
    replace (P i j) with 0 by (unfold P; rewrite Z; unfold Rdiv; ring). ring.
  - intros k _. destruct (B k) as [Z|Z]; rewrite Z; ring.
Qed.

(*! F33: one *)
Proof.
  intros. assert (Y : forall f, sum N (fun j => Y_c i j * f j) = f (p i)).
  { intros f. rewrite (sum_ext N _ (fun j => delta j (p i) * (differ j i * f j))) by (intros; unfold Y_c, calY; ring).
    rewrite sum_delta, (differ_pos _ _ (H0 i)) by auto. ring. }
  unfold ell. rewrite (Y (fun j => ln (exp (L i j) / (sum N (fun k => (1 - Y_c i k) * differ k i * exp (L i k)) + exp (L i j))))).
  rewrite (sum_ext N (fun k => (1 - Y_c i k) * differ k i * exp (L i k)) (fun k => differ k i * exp (L i k) - Y_c i k * (differ k i * exp (L i k))))
    by (intros; ring).
  rewrite sum_minus, (Y (fun k => differ k i * exp (L i k))), (differ_pos _ _ (H0 i)). do 3 f_equal. ring.
Qed.

(*! F33: more *)
Proof.
  intros. assert (B : forall k, Y_c i k = 0 \/ Y_c i k = 1).
  { intros k. unfold Y_c, differ. destruct (H3 i k) as [-> | ->], (Nat.eqb k i); (left; ring) || (right; ring). }
  destruct (B j) as [Z|Z]; rewrite Z; [ring|]. rewrite <- sum_minus, Rmult_1_r, Rmult_1_l. apply sum_ext. intros k _.
  unfold differ at 2 5. destruct (Nat.eqb_spec k j) as [->|]; [rewrite Z; ring|ring].
Qed.

(*! F33: w *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [assumption|]. intros i I_.
  pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k).
  assert (D := d_pairs N i (Y_c i) (fun x => L (set2 w k f x) i) (fun j => (delta i k * a j + delta j k * a i) / tau) (w k f)).
  cbv beta in D. rewrite set2_same in D. apply D.
  - intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - apply H11, I_.
Qed.

(*! F33: temperature *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_.
  apply (d_pairs N i (Y_c i) (fun x => L x i) (fun j => - L tau i j / tau) tau).
  - intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - apply H8, I_.
Qed.
