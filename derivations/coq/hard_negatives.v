(* Which samples an anchor learns from: the conclusions that document D2 draws from its gradient, and others. *)

(* The probabilities of a row have the same denominator. *)
Lemma over_shares : forall x y s, y <> 0 -> s <> 0 -> x / s / (y / s) = x / y.
Proof. intros. field. split; assumption. Qed.

Ltac by_shares := intros; unfold_names; rewrite over_shares by (apply not_zero; sign);
  unfold Rminus; rewrite exp_plus, exp_Ropp; reflexivity.

(*! D2.4: odds *)
Proof. by_shares. Qed.

(*! M15: sine falls *)
Proof.
  intros. unfold s. assert (E : 1 - ((o - 1) / (1 + o)) ^ 2 = 4 * o / (1 + o) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

Lemma after : forall tau P, 0 < tau ->
  (1 - P) / tau - 2 / (2 + tau) / (1 - (2 / (2 + tau)) ^ 2) = - (1 / (4 + tau)) - P / tau.
Proof.
  intros tau P T. assert (E : 1 - (2 / (2 + tau)) ^ 2 = tau * (4 + tau) / (2 + tau) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

(*! D2.4: after *)
Proof. intros. apply after. assumption. Qed.

(* The product of a row of I − zzᵀ with a vector. *)
Lemma projected : forall d (z a : nat -> R) f, (f < d)%nat ->
  sum d (fun g => a g * (delta f g - z f * z g)) = a f - z f * sum d (fun g => a g * z g).
Proof.
  intros d z a f F. rewrite (sum_ext d _ (fun g => delta g f * a g - z f * (a g * z g))) by (intros; rewrite (delta_sym f); ring).
  rewrite sum_minus, sum_delta, sum_scale by exact F. reflexivity.
Qed.

(* The squared length of a row's component orthogonal to a unit row. *)
Lemma across_square : forall d (z a : nat -> R), sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => (sum d (fun g => a g * (delta f g - z f * z g))) ^ 2)
    = sum d (fun f => a f ^ 2) - (sum d (fun g => a g * z g)) ^ 2.
Proof.
  intros d z a U. set (A := sum d (fun g => a g * z g)).
  rewrite (sum_ext d _ (fun f => a f ^ 2 - 2 * A * (a f * z f) + A ^ 2 * z f ^ 2))
    by (intros; rewrite projected by assumption; fold A; ring).
  rewrite sum_plus, sum_minus, !sum_scale, U. fold A. ring.
Qed.

(*! D2.4b: widening *)
Proof.
  intros. rewrite (across_square d (z i) (fun g => y a g - y n g)) by (apply unit_row, H0).
  rewrite (sum_ext d _ (fun f => (y a f - y n f) ^ 2 - sum d (fun g => (y a g - y n g) * z i g) * ((y a f - y n f) * z i f)))
    by (intros; rewrite (projected d (z i) (fun g => y a g - y n g)) by assumption; ring).
  rewrite sum_minus, sum_scale. ring.
Qed.

(*! D2.15b: short *)
Proof.
  intros. rewrite (sum_ext d _ (fun f => (sum d (fun g => z j g * (delta f g - z i f * z i g))) ^ 2))
    by (intros; f_equal; apply sum_ext; intros; ring).
  rewrite (across_square d (z i) (z j)) by (apply unit_row, H0).
  assert (U := unit_row d (w j) (H0 j)). change (sum d (fun f => z j f ^ 2) = 1) in U. rewrite U.
  unfold s. rewrite (sum_ext d (fun g => z j g * z i g) (fun f => z i f * z j f)) by (intros; ring). ring.
Qed.

(* M equal negatives. *)
Lemma equal : forall (M : nat) (L : nat -> nat -> R) (a i n : nat), (0 < M)%nat ->
  sum M (fun m : nat => exp (L i a)) / (sum M (fun m : nat => exp (L i a)) + exp (L i n)) = INR M / (INR M + exp (L i n - L i a)).
Proof.
  intros M L a i n P. assert (X := INR_pos M P). assert (Y := exp_pos (L i a)). assert (Z := exp_pos (L i n)).
  rewrite (sum_ext M _ (fun _ => exp (L i a) * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  unfold Rminus. rewrite exp_plus, exp_Ropp. field. repeat split; try lra; apply not_zero; sign.
Qed.

(*! D2.17: equal *)
Proof. apply equal. Qed.

(*! D2.4b: descent *)
Proof.
  intros. pose (X := fun f => sum d (fun g => ((P w i (p i) - 1) * y (p i) g + sum A (fun a => differ a (p i) * P w i a * y a g)) * (delta f g - z w i f * z w i g))).
  assert (n0 := H4 i H2). assert (S1 : sum A (P w i) = 1) by (apply shares, not_zero; sign).
  assert (D : forall f, (f < d)%nat -> is_derive (fun x => ell (set2 w i f x) i) (w i f) (X f / tau / norm_w w i)).
  { intros f F. pose (l := fun a => sum d (fun g => y a g * ((delta f g - z w i f * z w i g) / norm_w w i)) / tau).
    assert (DL : forall a, is_derive (fun x => L (set2 w i f x) i a) (w i f) (l a)).
    { intros a. apply (d_over (fun x => sum d (fun g => y a g * z (set2 w i f x) i g))). eapply d_eq.
      - apply (d_sum d (fun g x => y a g * z (set2 w i f x) i g)). intros g _. apply (d_scale (fun x => z (set2 w i f x) i g)).
        apply (d_unit d w i i f g); [exact F|apply H5, H2].
      - apply sum_ext. intros g _. rewrite delta_refl. unfold z, norm_w, Rdiv. ring. }
    eapply d_eq.
    - apply (d_opp (fun x => ln (P (set2 w i f x) i (p i)))), (d_softmax A (fun x => L (set2 w i f x) i) l); auto.
    - cbv beta. rewrite set2_same. change (- (l (p i) - sum A (fun a => P w i a * l a)) = X f / tau / norm_w w i).
      rewrite (one_apart A (fun a => P w i a * l a) (p i)) by auto.
      assert (E : X f = sum d (fun g => (P w i (p i) - 1) * (y (p i) g * (delta f g - z w i f * z w i g)))
        + sum A (fun a => differ a (p i) * P w i a * sum d (fun g => y a g * (delta f g - z w i f * z w i g)))).
      { rewrite (sum_ext A _ (fun a => sum d (fun g => differ a (p i) * P w i a * (y a g * (delta f g - z w i f * z w i g))))) by (intros; symmetry; apply sum_scale).
        rewrite sum_swap, <- sum_plus. apply sum_ext. intros g _. rewrite Rmult_plus_distr_r, <- sum_scale_r. f_equal; [ring|]. apply sum_ext. intros. ring. }
      assert (W : forall a, l a = sum d (fun g => y a g * (delta f g - z w i f * z w i g)) * (/ norm_w w i * / tau)).
      { intros a. unfold l, Rdiv. rewrite (sum_ext d _ (fun g => y a g * (delta f g - z w i f * z w i g) * / norm_w w i)) by (intros; ring). rewrite sum_scale_r. ring. }
      rewrite E, sum_scale, W. rewrite (sum_ext A (fun k => differ k (p i) * (P w i k * l k))
        (fun a => differ a (p i) * P w i a * sum d (fun g => y a g * (delta f g - z w i f * z w i g)) * (/ norm_w w i * / tau))) by (intros; rewrite W; ring).
      rewrite sum_scale_r. unfold Rdiv. ring. }
  split; [intros f F; eexists; apply D, F|].
  rewrite (sum_ext d _ (fun f => - (/ (tau ^ 2 * norm_w w i ^ 2)) * X f ^ 2)).
  - rewrite sum_scale. unfold X. field. repeat split; exact n0 || lra.
  - intros f F. replace (Derive (fun x : R => ell (set2 w i f x) i) (w i f)) with (X f / tau / norm_w w i) by (symmetry; apply is_derive_unique, D, F). fold (X f). field. repeat split; exact n0 || lra.
Qed.
