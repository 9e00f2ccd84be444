(* A batch in micro-batches: what accumulating their gradients computes, and what gradient caching does. *)

(*! R12: alone *)
Proof.
  intros. unfold Y_minus. rewrite sum_zero by (intros; ring). rewrite Rplus_0_r. apply ln_1.
Qed.

(*! R12: row *)
Proof.
  intros. pose (e := fun m => differ m (p i) * exp (L i m - L i (p i))).
  assert (P : forall m, 0 <= e m) by (intros; unfold e; sign). assert (S : 0 <= sum A e) by (apply sum_nonneg; auto).
  unfold ell. fold (sum A e). change (sum A (fun m => differ m (p i) * exp (L i m - L i (p i)))) with (sum A e). rewrite exp_ln by lra.
  transitivity (sum Gamma (fun l => sum A (fun m => delta l (psi m) * e m))).
  - apply sum_ext. intros l _. unfold ell_g.
    rewrite (sum_ext A _ (fun m => delta l (psi m) * e m)) by (intros; unfold e; ring).
    assert (T : 0 <= sum A (fun m => delta l (psi m) * e m)) by (apply sum_nonneg; intros; apply Rmult_le_pos; [apply delta_nonneg|auto]).
    rewrite exp_ln by lra. ring.
  - rewrite sum_swap. replace (1 + sum A e - 1) with (sum A e) by ring. apply sum_ext. intros m M. apply (sum_delta Gamma (psi m) (fun _ => e m)). auto.
Qed.

(*! R12: cached *)
Proof.
  intros. pose (l := fun i j => sum d (fun f => V i f * z t j f + z t i f * V j f) / tau). eapply d_eq.
  - apply (is_derive_ext (fun t => sum N (fun i => - ln (exp (L t i (p i)) / sum N (fun k => differ k i * exp (L t i k)))) / INR nu)).
    { intros x. unfold loss, ell, P. f_equal. apply sum_ext. intros i _. rewrite (differ_pos _ _ (H5 i)), Rmult_1_l. reflexivity. }
    apply (d_rows N (fun i k => differ k i) L l p (INR nu)).
    + assumption.
    + intros i j _ _. unfold L, l. apply (d_over (fun t => sum d (fun f => z t i f * z t j f))).
      apply (d_sum d (fun f t => z t i f * z t j f)). intros f _.
      assert (D : forall i, is_derive (fun t => z t i f) t (V i f)) by (intros; unfold z; eapply d_eq; [diff|ring]).
      apply (d_mult (fun t => z t i f) (fun t => z t j f)); apply D.
    + intros i I_. apply nonneg_not_zero; [sign|apply H7, I_].
  - rewrite (sum_ext Gamma _ (fun g => sum N (fun k => delta g (psi k) * (sum N (fun j => (G t j k + G t k j) * sum d (fun f => V k f * z t j f)) / tau / INR nu)))).
    + rewrite (sum_swap Gamma N), (sum_ext N (fun k => sum Gamma _) (fun k => sum N (fun j => (G t j k + G t k j) * sum d (fun f => V k f * z t j f)) * / tau * / INR nu))
        by (intros k K; rewrite (sum_delta Gamma (psi k) (fun _ => sum N (fun j => (G t j k + G t k j) * sum d (fun f => V k f * z t j f)) / tau / INR nu)) by auto; reflexivity).
      rewrite !sum_scale_r. unfold Rdiv at 1. f_equal.
      rewrite (sum_ext N (fun k => sum N (fun j => (G t j k + G t k j) * _)) (fun k => sum N (fun j => G t j k * sum d (fun f => V k f * z t j f)) + sum N (fun j => G t k j * sum d (fun f => V k f * z t j f))))
        by (intros; rewrite <- sum_plus; apply sum_ext; intros; ring).
      rewrite sum_plus, (sum_swap N N (fun k j => G t j k * sum d (fun f => V k f * z t j f))), <- sum_plus, <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_plus, <- sum_scale_r. apply sum_ext. intros j _.
      change (differ j i * exp (L t i j) / sum N (fun k => differ k i * exp (L t i k)) - delta j (p i)) with (G t i j).
      assert (E : l i j = (sum d (fun f => V i f * z t j f) + sum d (fun f => V j f * z t i f)) / tau)
        by (unfold l; f_equal; rewrite <- sum_plus; apply sum_ext; intros; ring).
      rewrite E. unfold Rdiv. ring.
    + intros g _. apply sum_ext. intros k _. rewrite (sum_ext d _ (fun f => / tau * / INR nu * sum N (fun j => (G t j k + G t k j) * (V k f * z t j f)))).
      * rewrite sum_scale, sum_swap. unfold Rdiv. rewrite (sum_ext N (fun j => sum d _) (fun j => (G t j k + G t k j) * sum d (fun f => V k f * z t j f))) by (intros; apply sum_scale). ring.
      * intros f _. unfold Rdiv. rewrite (sum_ext N (fun j => (G t j k + G t k j) * (V k f * z t j f)) (fun j => V k f * ((G t j k + G t k j) * z t j f))), sum_scale by (intros; ring). ring.
Qed.
