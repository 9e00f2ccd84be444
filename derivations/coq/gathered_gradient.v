(* A batch over several ranks: the gradient if the features gathered from other ranks are constants, and if they
   are not. *)

(*! R2: numbers *)
Proof.
  intros. do 3 f_equal. apply sum_ext. intros j _. unfold y. ring.
Qed.

(*! R2: whole *)
Proof.
  intros. pose (m := fun z i g => (1 - Y_r i) * y i g + Y_r i * z i g). pose (a := fun j => Y_r k * m z j f).
  assert (X : forall z i, P z i (p i) = exp (L z i (p i)) / sum N (fun k => differ k i * exp (L z i k))).
  { intros. unfold P. rewrite (differ_pos _ _ (H4 i)), Rmult_1_l. reflexivity. }
  eapply d_eq.
  - apply (is_derive_ext (fun x => sum N (fun i => - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n)))) / INR nu)).
    { intros x. unfold loss, ell. f_equal. apply sum_ext. intros i _. rewrite X. reflexivity. }
    apply (d_rows N (fun i n => differ n i) (fun x => L (set2 z k f x)) (fun i j => (delta i k * a j + delta j k * a i) / tau) p (INR nu)).
    + assumption.
    + intros i j _ _. unfold L. apply (d_over (fun x => sum d (fun g => m (set2 z k f x) i g * m (set2 z k f x) j g))).
      assert (D : forall i g, is_derive (fun x => m (set2 z k f x) i g) (z k f) (Y_r i * (delta i k * delta g f))).
      { intros b g. unfold m. eapply d_eq; [apply d_plus; [apply d_const|apply (d_scale (fun x => set2 z k f x b g)), d_set2]|ring]. }
      eapply d_eq.
      * apply (d_sum d (fun g x => m (set2 z k f x) i g * m (set2 z k f x) j g)). intros g _.
        apply (d_mult (fun x => m (set2 z k f x) i g) (fun x => m (set2 z k f x) j g)); apply D.
      * cbv beta. rewrite set2_same, (sum_ext d _ (fun g => delta g f * (delta i k * Y_r i * m z j g + delta j k * Y_r j * m z i g))) by (intros; ring).
        rewrite (sum_delta d f (fun g => delta i k * Y_r i * m z j g + delta j k * Y_r j * m z i g)), (delta_replace i k Y_r), (delta_replace j k Y_r) by assumption.
        unfold a. ring.
    + intros i I_. rewrite set2_same. apply nonneg_not_zero; [sign|apply H8, I_].
  - cbv beta. rewrite set2_same. apply (f_equal (fun t => t / INR nu)).
    transitivity (sum N (fun i => sum N (fun j => G z i j * (delta i k * a j + delta j k * a i))) * / tau).
    + rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale_r. apply sum_ext. intros j _. unfold G, P, Rdiv. ring.
    + rewrite by_pairs by assumption. unfold Rdiv. f_equal. rewrite <- sum_scale. apply sum_ext. intros j _. unfold a, m. ring.
Qed.

(*! R27: shares *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption).
  rewrite (sum_ext Gamma _ (fun l => sum N (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f)) * (INR Gamma * / tau * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun j => sum Gamma _) (fun j => (G j k + G k j) * z j f)).
    + field. repeat split; try exact M; apply Rgt_not_eq; first [assumption|apply INR_pos; assumption].
    + intros j J. rewrite sum_plus, (sum_delta Gamma (psi j) (fun _ => G j k * z j f)), (sum_delta Gamma (psi k) (fun _ => G k j * z j f)) by auto. ring.
  - intros l _. unfold Rdiv. rewrite (sum_ext N (fun j => (_ + _) * _) (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f))) by (intros; ring). ring.
Qed.

(*! R27: losses *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption). unfold loss_r, loss, Rdiv.
  rewrite (sum_ext Gamma _ (fun l => sum N (fun i => delta l (psi i) * ell i) * (INR Gamma * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun i => sum Gamma _) (fun i => ell i)).
    + field. split; [apply Rgt_not_eq, INR_pos; assumption|exact M].
    + intros i I_. apply (sum_delta Gamma (psi i) (fun _ => ell i)). auto.
  - intros l _. rewrite (sum_ext N (fun i => ell i * delta l (psi i)) (fun i => delta l (psi i) * ell i)) by (intros; ring). ring.
Qed.

(*! R27: encoder *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption).
  pose (g := fun k f => sum N (fun j => (G j k + G k j) * z j f) / tau / INR nu).
  rewrite sum_swap, (sum_ext N (fun k => sum Gamma _) (fun k => sum d (fun f => V k f * g k f) * INR Gamma)).
  - rewrite sum_scale_r. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by exact M.
    apply sum_ext. intros k _. apply sum_ext. intros f _. unfold g. unfold Rdiv. ring.
  - intros k K. transitivity (sum Gamma (fun l => delta l (psi k) * sum d (fun f => V k f * sum Gamma (fun _ => g k f)))); [reflexivity|].
    rewrite (sum_delta Gamma (psi k) (fun _ => sum d (fun f => V k f * sum Gamma (fun _ => g k f)))) by auto.
    rewrite <- sum_scale_r. apply sum_ext. intros f _.
    rewrite (sum_ext Gamma (fun _ => g k f) (fun _ => g k f * 1)), sum_scale, sum_one by (intros; ring). ring.
Qed.

(*! R27: share *)
Proof.
  intros. pose (w := fun i => delta l (psi i)). pose (dL := fun i j => (delta i k * z j f + delta j k * z i f) / tau).
  apply (is_derive_ext (fun x => INR Gamma * sum N (fun i => w i * - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n)))) / INR nu)).
  { intros x. unfold loss_r, ell, P, w. f_equal. f_equal. apply sum_ext. intros i _.
    rewrite (differ_pos _ _ (H4 i)), Rmult_1_l. ring. }
  eapply d_eq.
  - apply (d_over (fun x => INR Gamma * sum N (fun i => w i * - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n)))))).
    apply (d_scale (fun x => sum N (fun i => w i * - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n)))))).
    apply (d_sum N (fun i x => w i * - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n)))) (z k f)
      (fun i => w i * - (dL i (p i) - sum N (fun j => P z i j * dL i j)))).
    intros i I_. apply (d_scale (fun x => - ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n))))).
    apply (d_opp (fun x => ln (exp (L (set2 z k f x) i (p i)) / sum N (fun n => differ n i * exp (L (set2 z k f x) i n))))).
    assert (D : forall j, is_derive (fun x => L (set2 z k f x) i j) (z k f) (dL i j)).
    { intros j. unfold L. apply (d_over (fun x => sum d (fun g => set2 z k f x i g * set2 z k f x j g))).
      eapply d_eq.
      - apply (d_sum d (fun g x => set2 z k f x i g * set2 z k f x j g)). intros g _.
        apply (d_mult (fun x => set2 z k f x i g) (fun x => set2 z k f x j g)); apply d_set2.
      - cbv beta. rewrite set2_same, (sum_ext d _ (fun g => delta g f * (delta i k * z j g + delta j k * z i g))) by (intros; ring).
        apply (sum_delta d f (fun g => delta i k * z j g + delta j k * z i g)). assumption. }
    eapply d_eq.
    + apply (d_row N (fun n => differ n i) (fun x => L (set2 z k f x) i) (dL i)); [intros j _; apply D|apply D|].
      rewrite set2_same. apply nonneg_not_zero; [sign|apply H8, I_].
    + cbv beta. rewrite set2_same. reflexivity.
  - unfold Rdiv. rewrite !Rmult_assoc. f_equal. rewrite <- !Rmult_assoc. f_equal.
    transitivity (sum N (fun i => sum N (fun j => (w i * G z i j) * (delta i k * z j f + delta j k * z i f))) * / tau).
    + rewrite <- sum_scale_r. apply sum_ext. intros i I_.
      rewrite (sum_ext N (fun j => _ * _ * (_ + _)) (fun j => w i * tau * (P z i j * dL i j) - delta j (p i) * (w i * (delta i k * z j f + delta j k * z i f)))).
      * rewrite sum_minus, sum_scale, (sum_delta N (p i) (fun j => w i * (delta i k * z j f + delta j k * z i f))) by auto.
        unfold dL. field. apply Rgt_not_eq. assumption.
      * intros j _. unfold G, dL. field. apply Rgt_not_eq. assumption.
    + rewrite (by_pairs N (fun i j => w i * G z i j) (fun j => z j f)) by assumption. f_equal. apply sum_ext. intros j _. unfold w. ring.
Qed.
