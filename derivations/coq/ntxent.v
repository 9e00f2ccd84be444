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

(* A row before candidates that a mask keeps, in the safe form. *)
Lemma d_kept_row : forall n (c : nat -> R) (L : R -> nat -> R) (l : nat -> R) q x, (q < n)%nat -> (forall m, 0 <= c m) ->
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) ->
  let P j := (c j + delta j q) * exp (L x j) / (sum n (fun m => c m * exp (L x m)) + exp (L x q)) in
  is_derive (fun y => - ln (exp (L y q) / (sum n (fun m => c m * exp (L y m)) + exp (L y q)))) x
    (sum n (fun j => (differ j q * P j - delta j q * sum n (fun m => differ m q * P m)) * l j)).
Proof.
  intros n c L l q x Q C D P.
  assert (B : forall y, sum n (fun m => (c m + delta m q) * exp (L y m)) = sum n (fun m => c m * exp (L y m)) + exp (L y q)).
  { intros y. rewrite (sum_ext n (fun m => (c m + delta m q) * _) (fun m => c m * exp (L y m) + delta m q * exp (L y m))) by (intros; ring).
    rewrite sum_plus, (sum_delta n q (fun m => exp (L y m))) by exact Q. reflexivity. }
  assert (S : 0 < sum n (fun m => c m * exp (L x m)) + exp (L x q)).
  { assert (E := exp_pos (L x q)). assert (0 <= sum n (fun m => c m * exp (L x m))); [|lra].
    apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]. }
  apply (is_derive_ext (fun y => - ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))); [intros y; rewrite B; reflexivity|].
  eapply d_eq.
  - apply (d_opp (fun y => ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))).
    apply (d_row n (fun m => c m + delta m q) L l q x); [exact D|apply D, Q|rewrite B; exact S].
  - assert (T : sum n P = 1).
    { unfold P. rewrite <- B. apply (shares n (fun m => (c m + delta m q) * exp (L x m))). rewrite B. lra. }
    rewrite (sum_ext n (fun j => (differ j q * P j - _) * l j) (fun j => P j * l j - delta j q * l j))
      by (intros; rewrite (error n P) by assumption; ring).
    rewrite sum_minus, sum_delta by exact Q. rewrite B. fold P. unfold P. ring.
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
