(* NT-Xent, the loss of SimCLR: cosine similarities, without the anchor in its own denominator (document D3). *)

(*! M5: gradient *)
Proof.
  intros. assert (E : forall i j, (i < N)%nat -> G w i j = P w i j - delta j (p i)) by
    (intros; apply (error N (P w i)); [auto|apply shares; auto]).
  apply d_eq with (sum N (fun j => (P w k j - delta j (p k) + (P w j k - delta k (p j)))
    * (z w j f - s w k j * z w k f)) / tau / INR nu / norm_w w k).
  - clear E. by_sums.
  - unfold Rdiv. do 3 f_equal. apply sum_ext. intros j J. rewrite !E by assumption. ring.
Qed.

(*! D3.3: scale *)
Proof.
  intros. rewrite sum_scale, sqrt_mult, sqrt_pow2 by (try apply pow2_ge_0; try apply Rlt_le; auto).
  field. split; [apply not_zero, sqrt_lt_R0; auto|lra].
Qed.

(*! M37: w *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [exact H7|]. intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => differ m i * differ m (p i) * Y_k i m) (fun x => L (set2 w k f x) i)
      (fun j => (delta i k * ((z w j f - s w k j * z w k f) / norm_w w k) + delta j k * ((z w i f - s w k i * z w k f) / norm_w w k)) / tau) (p i)).
    + auto.
    + intros m. apply Rmult_le_pos; [|auto]. apply Rmult_le_pos; unfold differ; destruct (Nat.eqb _ _); lra.
    + intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - cbv beta zeta. rewrite set2_same. reflexivity.
Qed.

(*! M37: temperature *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => differ m i * differ m (p i) * Y_k i m) (fun x => L x i) (fun j => - L tau i j / tau) (p i)).
    + auto.
    + intros m. apply Rmult_le_pos; [|auto]. apply Rmult_le_pos; unfold differ; destruct (Nat.eqb _ _); lra.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - reflexivity.
Qed.

(*! M37: left *)
Proof.
  intros. unfold G, P, differ, delta. destruct (H6 i j) as [Z|Z]; rewrite Z; destruct (Nat.eqb j (p i)); unfold Rdiv; ring.
Qed.
