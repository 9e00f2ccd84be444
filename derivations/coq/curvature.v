(* Bounds on the gradient and the second derivatives of the loss: by its logits, by one anchor, by all rows. *)

(*! M9: hessian *)
Proof.
  intros. assert (S0 : forall L, 0 < sum N (fun m => exp (L i m))) by (intros; sign).
  assert (D : forall L j, (j < N)%nat -> is_derive (fun x => ell (set2 L i j x) i) (L i j) (P L i j - delta (p i) j)).
  { intros M a A. unfold ell, P. eapply d_eq.
    - apply (d_opp (fun x => ln (exp (set2 M i a x i (p i)) / sum N (fun k => exp (set2 M i a x i k))))).
      apply (d_softmax N (fun x => set2 M i a x i) (fun m => delta i i * delta m a)); [assumption|intros; apply d_set2|apply d_set2].
    - cbv beta. rewrite set2_same, delta_refl.
      rewrite (sum_ext N _ (fun m => delta m a * (exp (M i m) / sum N (fun k => exp (M i k))))) by (intros; unfold Rdiv; ring).
      rewrite sum_delta by exact A. ring. }
  apply (is_derive_ext (fun x => P (set2 L i k x) i j - delta (p i) j)).
  - intros x. symmetry. apply is_derive_unique, (D (set2 L i k x) j). assumption.
  - apply d_eq with (P L i j * delta j k - P L i j * P L i k - 0); [|ring]. apply d_minus; [|apply d_const].
    unfold P. assert (S := S0 L). eapply d_eq.
    + apply (d_div (fun x => exp (set2 L i k x i j)) (fun x => sum N (fun m => exp (set2 L i k x i m)))).
      * apply (d_exp (fun x => set2 L i k x i j)), d_set2.
      * apply (d_sum N (fun m x => exp (set2 L i k x i m))). intros m _. apply (d_exp (fun x => set2 L i k x i m)), d_set2.
      * apply not_zero, S0.
    + cbv beta. rewrite set2_same, delta_refl. rewrite (sum_ext N (fun m => exp (L i m) * _) (fun m => delta m k * exp (L i m))) by (intros; ring).
      rewrite sum_delta by assumption. field. lra.
Qed.

(*! M14: gradient *)
Proof.
  intros. assert (S : 0 < sum A (fun m => exp (L q i m))) by sign. unfold ell, P. eapply d_eq.
  - apply (d_opp (fun x => ln (exp (L (set2 q i f x) i (p i)) / sum A (fun k => exp (L (set2 q i f x) i k))))).
    assert (D : forall a, is_derive (fun x => L (set2 q i f x) i a) (q i f) (z a f / tau)).
    { intros a. unfold L. apply (d_over (fun x => sum d (fun g => set2 q i f x i g * z a g))). eapply d_eq.
      - apply (d_sum d (fun g x => set2 q i f x i g * z a g)). intros g _. apply (d_scale_r (fun x => set2 q i f x i g)), d_set2.
      - cbv beta. rewrite delta_refl, (sum_ext d _ (fun g => delta g f * z a g)) by (intros; ring). apply sum_delta. assumption. }
    apply (d_softmax A (fun x => L (set2 q i f x) i) (fun a => z a f / tau)); [assumption|intros; apply D|apply D].
  - cbv beta. rewrite set2_same.
    assert (S1 := shares A (fun m => exp (L q i m)) ltac:(lra)). cbv beta in S1. set (s := sum A (fun m => exp (L q i m))) in *.
    rewrite (sum_ext A (fun n => (z n f - z (p i) f) * _ * _) (fun n => z n f * (exp (L q i n) / s) - z (p i) f * (exp (L q i n) / s))).
    + rewrite sum_minus, sum_scale, S1. rewrite (sum_ext A (fun k => exp (L q i k) / s * _) (fun k => z k f * (exp (L q i k) / s) * / tau)) by (intros; unfold Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring.
    + intros n _. unfold differ. destruct (Nat.eqb_spec n (p i)) as [->|]; ring.
Qed.

(* The derivative of a probability by a variable of its logits. *)
Lemma d_probability : forall n (L : R -> nat -> R) (l : nat -> R) q x, (0 < n)%nat -> (forall j, is_derive (fun y => L y j) x (l j)) ->
  is_derive (fun y => exp (L y q) / sum n (fun k => exp (L y k))) x
    (exp (L x q) / sum n (fun k => exp (L x k)) * (l q - sum n (fun k => exp (L x k) / sum n (fun k => exp (L x k)) * l k))).
Proof.
  intros n L l q x N D. assert (S : 0 < sum n (fun k => exp (L x k))) by sign. eapply d_eq.
  - apply (d_div (fun y => exp (L y q)) (fun y => sum n (fun k => exp (L y k)))); [apply (d_exp (fun y => L y q)), D| |apply not_zero, S].
    apply (d_sum n (fun k y => exp (L y k))). intros k _. apply (d_exp (fun y => L y k)), D.
  - cbv beta. rewrite (sum_ext n (fun k => exp (L x k) / _ * _) (fun k => exp (L x k) * l k * / sum n (fun k => exp (L x k)))) by (intros; unfold Rdiv; ring).
    rewrite sum_scale_r. field. lra.
Qed.

Lemma d_logit : forall d tau (q z : nat -> nat -> R) i a f, (f < d)%nat ->
  is_derive (fun x => sum d (fun g => set2 q i f x i g * z a g) / tau) (q i f) (z a f / tau).
Proof.
  intros d tau q z i a f F. apply (d_over (fun x => sum d (fun g => set2 q i f x i g * z a g))). eapply d_eq.
  - apply (d_sum d (fun g x => set2 q i f x i g * z a g)). intros g _. apply (d_scale_r (fun x => set2 q i f x i g)), d_set2.
  - cbv beta. rewrite delta_refl, (sum_ext d _ (fun g => delta g f * z a g)) by (intros; ring). apply sum_delta. assumption.
Qed.

(*! M10: gap *)
Proof.
  intros. assert (P1 : sum A (P i) = 1) by (apply shares, not_zero; sign). pose (u := fun a => sum d (fun h => t h * z a h)).
  pose (T := sum d (fun f => t f ^ 2)). pose (m := sum A (fun a => P i a * u a)). pose (q2 := sum A (fun a => P i a * u a ^ 2)).
  assert (M : sum A (fun n => sum d (fun h => t h * P i n * z n h)) = m).
  { apply sum_ext. intros n _. unfold u. rewrite <- sum_scale. apply sum_ext. intros. ring. }
  rewrite !M. fold T.
  rewrite (sum_ext A (fun a => (_ - m) ^ 2 * P i a) (fun a => P i a * u a ^ 2 - 2 * m * (P i a * u a) + m ^ 2 * P i a)) by (intros; unfold u; ring).
  rewrite sum_plus, sum_minus, !sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite P1. fold q2 m.
  rewrite (sum_ext A (fun a => P i a * sum d _) (fun a => T * P i a - P i a * u a ^ 2)).
  - rewrite sum_minus, sum_scale. change (sum A (fun k => P i k)) with (sum A (P i)). rewrite P1. fold q2. ring.
  - intros a _. assert (U : sum d (fun f => z a f ^ 2) = 1) by (apply unit_row, H2).
    rewrite (sum_ext d _ (fun f => t f ^ 2 - 2 * u a * (t f * z a f) + u a ^ 2 * z a f ^ 2)) by (intros; unfold u; ring).
    rewrite sum_plus, sum_minus, !sum_scale, U. fold (u a) T. ring.
Qed.

(*! M10: hessian *)
Proof.
  intros. pose (mean := fun q f => sum A (fun a => P q i a * z a f)).
  assert (D : forall q f, (f < d)%nat -> is_derive (fun x => ell (set2 q i f x) i) (q i f) ((mean q f - z (p i) f) / tau)).
  { intros r h I_. unfold ell. eapply d_eq.
    - apply (d_opp (fun x => ln (P (set2 r i h x) i (p i)))), (d_softmax A (fun x => L (set2 r i h x) i) (fun a => z a h / tau)); [assumption| |]; intros; apply d_logit; assumption.
    - cbv beta. rewrite set2_same. unfold mean. rewrite (sum_ext A (fun k => _ * (z k h / tau)) (fun k => P r i k * z k h * / tau)) by (intros; unfold P, Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring. }
  apply (is_derive_ext (fun x => (mean (set2 q i g x) f - z (p i) f) / tau)).
  - intros x. symmetry. apply is_derive_unique, (D (set2 q i g x) f). assumption.
  - eapply d_eq.
    + apply (d_over (fun x => mean (set2 q i g x) f - z (p i) f)), (d_minus (fun x => mean (set2 q i g x) f)); [|apply d_const].
      apply (d_sum A (fun a x => P (set2 q i g x) i a * z a f)). intros a _. apply (d_scale_r (fun x => P (set2 q i g x) i a)).
      apply (d_probability A (fun x => L (set2 q i g x) i) (fun a => z a g / tau)); [assumption|]. intros. apply d_logit. assumption.
    + cbv beta. rewrite set2_same. fold (mean q f) (mean q g).
      rewrite (sum_ext A (fun k => exp (L q i k) / _ * (z k g / tau)) (fun k => P q i k * z k g * / tau)) by (intros; unfold P, Rdiv; ring).
      rewrite sum_scale_r. fold (mean q g).
      rewrite (sum_ext A _ (fun a => / tau * (P q i a * z a f * z a g) - mean q g * / tau * (P q i a * z a f))) by (intros; unfold P, Rdiv; ring).
      rewrite sum_minus, !sum_scale. fold (mean q f). change (sum A (fun n => P q i n * z n g)) with (mean q g). field. lra.
Qed.

(*! M11: second *)
Proof.
  intros. pose (l := fun t i j => sum d (fun f => V i f * z t j f + V j f * z t i f) / tau). pose (m := fun t i => sum N (fun j => P t i j * l t i j)).
  assert (DZ : forall i f t, is_derive (fun t => z t i f) t (V i f)) by (intros; unfold z; eapply d_eq; [diff|ring]).
  assert (DL : forall i j t, is_derive (fun t => L t i j) t (l t i j)).
  { intros i j x. unfold L, l. apply (d_over (fun t => sum d (fun f => z t i f * z t j f))). eapply d_eq.
    - apply (d_sum d (fun f t => z t i f * z t j f)). intros f _. apply (d_mult (fun t => z t i f) (fun t => z t j f)); apply DZ.
    - apply sum_ext. intros. ring. }
  assert (DM : forall i j t, is_derive (fun t => l t i j) t (2 * sum d (fun f => V i f * V j f) / tau)).
  { intros i j x. unfold l. eapply d_eq.
    - apply (d_over (fun t => sum d (fun f => V i f * z t j f + V j f * z t i f))), (d_sum d (fun f t => V i f * z t j f + V j f * z t i f)). intros f _.
      apply (d_plus (fun t => V i f * z t j f)); [apply (d_scale (fun t => z t j f))|apply (d_scale (fun t => z t i f))]; apply DZ.
    - rewrite <- sum_scale. f_equal. apply sum_ext. intros. ring. }
  assert (DP : forall i j t, is_derive (fun t => P t i j) t (P t i j * (l t i j - m t i))).
  { intros i j x. apply (d_probability N (fun t => L t i) (fun j => l x i j) j x H). intros. apply DL. }
  assert (D1 : forall t, is_derive loss t (sum N (fun i => m t i - l t i (p i)) / INR nu)).
  { intros x. apply (d_over (fun t => sum N (fun i => ell t i))), (d_sum N (fun i t => ell t i)). intros i _. eapply d_eq.
    - apply (d_opp (fun t => ln (P t i (p i)))), (d_softmax N (fun t => L t i) (fun j => l x i j)); [assumption| |]; intros; apply DL.
    - cbv beta. change (- (l x i (p i) - m x i) = m x i - l x i (p i)). ring. }
  apply (is_derive_ext (fun t => sum N (fun i => m t i - l t i (p i)) / INR nu)); [intros x; symmetry; apply is_derive_unique, D1|].
  eapply d_eq.
  - apply (d_over (fun t => sum N (fun i => m t i - l t i (p i)))), (d_sum N (fun i t => m t i - l t i (p i))). intros i _.
    apply (d_minus (fun t => m t i)); [|apply DM]. apply (d_sum N (fun j t => P t i j * l t i j)). intros j _.
    apply (d_mult (fun t => P t i j) (fun t => l t i j)); [apply DP|apply DM].
  - cbv beta. apply (f_equal (fun t => t / INR nu)). transitivity (sum N (fun i => 2 / tau * sum N (fun j => G t i j * sum d (fun f => V i f * V j f))
      + sum N (fun j => (sum d (fun f => V i f * z t j f + V j f * z t i f) / tau - sum N (fun m => P t i m * sum d (fun f => V i f * z t m f + V m f * z t i f) / tau)) ^ 2 * P t i j)));
      [|rewrite sum_plus, sum_scale; unfold Rdiv; ring]. apply sum_ext. intros i I_.
    assert (S : sum N (P t i) = 1) by (apply shares, not_zero; sign).
    assert (M : sum N (fun m => P t i m * sum d (fun f => V i f * z t m f + V m f * z t i f) / tau) = m t i) by (apply sum_ext; intros; unfold l, Rdiv; ring).
    rewrite M. pose (v := fun j => sum d (fun f => V i f * V j f)).
    rewrite (sum_ext N (fun k => P t i k * _ * _ + _) (fun j => P t i j * l t i j ^ 2 - m t i * (P t i j * l t i j) + 2 / tau * (P t i j * v j))) by (intros; unfold v, Rdiv; ring).
    rewrite (sum_ext N (fun j => (_ - m t i) ^ 2 * P t i j) (fun j => P t i j * l t i j ^ 2 - 2 * m t i * (P t i j * l t i j) + m t i ^ 2 * P t i j)) by (intros; unfold l; ring).
    rewrite (sum_ext N (fun j => G t i j * _) (fun j => P t i j * v j - delta j (p i) * v j)) by (intros; unfold G, v; ring).
    rewrite !sum_plus, !sum_minus, !sum_scale, (sum_delta N (p i) v) by auto. change (sum N (fun j => P t i j * l t i j)) with (m t i).
    change (sum N (fun k => P t i k)) with (sum N (P t i)). rewrite S. unfold v, Rdiv. ring.
Qed.
