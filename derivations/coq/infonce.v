(* InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1). *)

(*! M7: batch *)
Proof.
  intros. apply d_eq with (- (sum N (fun k => sum N (fun j => G tau k j * sum d (fun f => z k f * z j f)))) / tau / tau / INR nu).
  - by_sums.
  - clearbody G. sums.
Qed.

(* 1 − P of a row's positive is the probability of the others. *)
Lemma lacking : forall n (P : nat -> R) q, (q < n)%nat -> sum n P = 1 -> sum n (fun j => differ j q * P j) = 1 - P q.
Proof.
  intros n P q Q S. rewrite (sum_ext n _ (fun j => P j - delta j q * P j)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, S, sum_delta by exact Q. reflexivity.
Qed.

(*! D1.4: below *)
Proof.
  intros. unfold loss. rewrite <- !Ropp_div, <- !sum_opp.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, INR_pos; assumption|]. apply sum_le. intros i I_.
  assert (S : sum N (P i) = 1) by (apply shares, not_zero; sign).
  assert (L' := ln_below (P i (p i)) (H4 i I_)). rewrite lacking by auto. unfold ell. lra.
Qed.

(*! D1.15: forces *)
Proof.
  intros. rewrite (sum_ext N _ (fun k => sum N (fun j => (G j k + G k j) * z j f) * (/ tau * / INR nu))) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r. unfold Rdiv. rewrite Rmult_assoc. f_equal. rewrite sum_swap. apply sum_ext. intros j J.
  assert (S : sum N (P j) = 1) by (apply shares, not_zero; sign).
  assert (Z : sum N (G j) = 0).
  { unfold G. rewrite sum_minus, (sum_ext N (fun k => delta k (p j)) (fun k => delta k (p j) * 1)) by (intros; ring).
    rewrite sum_delta by auto. change (sum N (fun k => P j k)) with (sum N (P j)). rewrite S. ring. }
  rewrite (sum_ext N _ (fun k => z j f * G k j + z j f * G j k)) by (intros; ring). rewrite sum_plus, !sum_scale, Z. ring.
Qed.

(*! M38: z *)
Proof.
  intros. assert (C : forall i j, is_derive (fun x => sum d (fun g => set2 z k f x i g * set2 z k f x j g)) (z k f) (delta i k * z j f + delta j k * z i f)) by (intros; by_sums).
  eapply d_eq.
  - apply (d_over (fun x => sum N (fun i => ell (set2 z k f x) i))), (d_sum N (fun i x => ell (set2 z k f x) i)). intros i I_.
    apply (d_kept_row N (fun m => (differ m i * Y_k i m + delta i m) * differ m (p i)) (fun x => L (set2 z k f x) i)
      (fun j => (delta i k * z j f + delta j k * z i f) / tau) (p i)).
    + auto.
    + intros m. rewrite (delta_sym i). unfold differ, delta. assert (Z := H3 i m). destruct (Nat.eqb m i); destruct (Nat.eqb m (p i)); lra.
    + intros j _. apply (d_over (fun x => sum d (fun g => set2 z k f x i g * set2 z k f x j g))), C.
  - cbv beta zeta. rewrite set2_same.
    transitivity (sum N (fun i => sum N (fun j => G z i j * (delta i k * z j f + delta j k * z i f))) * / tau / INR nu).
    + apply (f_equal (fun t => t / INR nu)). rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale_r. apply sum_ext. intros j _.
      unfold G, P, Rdiv. ring.
    + rewrite (by_pairs N (G z) (fun j => z j f) k) by assumption. unfold Rdiv. do 2 f_equal. apply sum_ext. intros. ring.
Qed.

(*! M38: temperature *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => (differ m i * Y_k i m + delta i m) * differ m (p i)) (fun x => L x i) (fun j => - L tau i j / tau) (p i)).
    + auto.
    + intros m. rewrite (delta_sym i). unfold differ, delta. assert (Z := H3 i m). destruct (Nat.eqb m i); destruct (Nat.eqb m (p i)); lra.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - reflexivity.
Qed.
