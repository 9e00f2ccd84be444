(* Uniformity: the logarithm of the mean Gaussian kernel over all pairs of rows (document F). *)

(*! F19: cosine *)
Proof.
  intros. unfold loss. rewrite exp_ln by assumption.
  assert (U : forall m, (m < N)%nat -> sum d (fun f => z m f ^ 2) = 1).
  { intros m M. assert (n0 := H4 m M). assert (E : norm_w m * norm_w m = sum d (fun f => w m f ^ 2)) by (apply sqrt_sqrt; sign).
    unfold z. rewrite (sum_ext d _ (fun f => w m f ^ 2 * / (norm_w m * norm_w m))) by (intros; field; exact n0).
    rewrite sum_scale_r, E. apply Rinv_r. rewrite <- E. apply Rmult_integral_contrapositive_currified; exact n0. }
  rewrite <- sum_scale_r. do 2 f_equal. apply sum_ext. intros m M. rewrite <- sum_scale_r. apply sum_ext. intros n K.
  rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. unfold norm_Deltanorm__2.
  rewrite (sum_ext d _ (fun f => z m f ^ 2 + z n f ^ 2 - 2 * (z m f * z n f))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scale, !U by assumption. fold (s m n). ring.
Qed.

(*! F20: together *)
Proof.
  intros. assert (K : forall i j, kappa_circumflex i j = kappa_circumflex j i).
  { intros. unfold kappa_circumflex, differ. rewrite Nat.eqb_sym. do 4 f_equal. unfold norm_Deltanorm__2. apply f_equal. apply sum_ext. intros. ring. }
  rewrite sum_scale. set (t := sum N _). assert (T : t = - t); [|replace t with 0 by lra; ring]. unfold t at 1. rewrite sum_swap. unfold t.
  rewrite <- sum_opp. apply sum_ext. intros k _. rewrite <- sum_opp. apply sum_ext. intros j _. rewrite (K j k). ring.
Qed.

(*! F20: z *)
Proof.
  intros. pose (e := fun i j => differ i j * exp (- (t_0 * norm_Deltanorm__2 z i j))). pose (S := sum N (fun m => sum N (fun n => e m n))).
  assert (N0 := INR_pos N H). change (S <> 0) in H6. change (0 < S / INR N / (INR N - 1)) in H5.
  assert (D : is_derive (fun x => sum N (fun m => sum N (fun n => differ m n * exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n))))) (z k f)
    (sum N (fun m => sum N (fun n => e m n * (delta m k * (2 * t_0 * (z n f - z k f)) + delta n k * (2 * t_0 * (z m f - z k f))))))).
  { apply (d_sum N (fun m x => sum N (fun n => differ m n * exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n))))). intros m _.
    apply (d_sum N (fun n x => differ m n * exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n)))). intros n _.
    assert (Q : is_derive (fun x => norm_Deltanorm__2 (set2 z k f x) m n) (z k f) (2 * (z m f - z n f) * (delta m k - delta n k))).
    { unfold norm_Deltanorm__2. eapply d_eq.
      - apply (d_sum d (fun g x => (set2 z k f x m g - set2 z k f x n g) ^ 2)). intros g _.
        apply (d_square (fun x => set2 z k f x m g - set2 z k f x n g)), d_minus; apply d_set2.
      - cbv beta. rewrite set2_same, (sum_ext d _ (fun g => delta g f * (2 * (z m g - z n g) * (delta m k - delta n k)))) by (intros; ring).
        apply (sum_delta d f (fun g => 2 * (z m g - z n g) * (delta m k - delta n k))). assumption. }
    eapply d_eq.
    - apply (d_scale (fun x => exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n)))), (d_exp (fun x => - (t_0 * norm_Deltanorm__2 (set2 z k f x) m n))).
      apply (d_opp (fun x => t_0 * norm_Deltanorm__2 (set2 z k f x) m n)), (d_scale (fun x => norm_Deltanorm__2 (set2 z k f x) m n)), Q.
    - cbv beta. rewrite set2_same. unfold e.
      assert (X : delta m k * z m f = delta m k * z k f) by (apply (delta_replace m k (fun i => z i f))).
      assert (Y : delta n k * z n f = delta n k * z k f) by (apply (delta_replace n k (fun i => z i f))).
      transitivity (differ m n * exp (- (t_0 * norm_Deltanorm__2 z m n)) * (2 * t_0 * (delta m k * z n f - delta m k * z m f + delta n k * z m f - delta n k * z n f))); [ring|].
      rewrite X, Y. ring. }
  apply d_eq with (sum N (fun m => sum N (fun n => e m n * (delta m k * (2 * t_0 * (z n f - z k f)) + delta n k * (2 * t_0 * (z m f - z k f))))) / INR N / (INR N - 1)
    * / (S / INR N / (INR N - 1))).
  - eapply d_eq.
    + apply (d_ln (fun x => sum N (fun m => sum N (fun n => differ m n * exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n)))) / INR N / (INR N - 1))).
      * apply (d_over (fun x => sum N (fun m => sum N (fun n => differ m n * exp (- (t_0 * norm_Deltanorm__2 (set2 z k f x) m n)))) / INR N)), d_over, D.
      * rewrite set2_same. exact H5.
    + cbv beta. rewrite set2_same. reflexivity.
  - rewrite (by_pairs N e (fun j => 2 * t_0 * (z j f - z k f)) k) by assumption.
    rewrite (sum_ext N _ (fun j => 4 * t_0 * S * ((z j f - z k f) * kappa_circumflex z k j))).
    + rewrite sum_scale. field. repeat split; assumption || lra.
    + intros j _. change (kappa_circumflex z k j) with (e k j / S). assert (K : e j k = e k j).
      { assert (Q : norm_Deltanorm__2 z j k = norm_Deltanorm__2 z k j) by (apply sum_ext; intros; ring).
        unfold e, differ. rewrite Nat.eqb_sym, Q. reflexivity. }
      rewrite K. field. exact H6.
Qed.
