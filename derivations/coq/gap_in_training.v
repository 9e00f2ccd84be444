(* The modality gap under gradient descent: when it closes, when it opens, and what stays constant meanwhile. *)

Lemma lowered_to : forall n (L M : nat -> R) x k, (forall m, M m = L m - x) ->
  exp (M k) / sum n (fun m => exp (M m)) = exp (L k) / sum n (fun m => exp (L m)).
Proof.
  intros n L M x k E. rewrite <- (lowered n L x k), E. f_equal. apply sum_ext. intros. rewrite E. reflexivity.
Qed.

(* The derivative of CLIP by a variable of the scale b of its logits. *)
Lemma d_clip : forall B (b : R -> R) (b' : R) (s : nat -> nat -> R) t, (0 < B)%nat -> is_derive b t b' ->
  is_derive (fun x => sum B (fun i => - (ln (exp (b x * s i i) / sum B (fun k => exp (b x * s i k))) / 2)
    - ln (exp (b x * s i i) / sum B (fun k => exp (b x * s k i))) / 2) / INR B) t
    (b' * (sum B (fun i => sum B (fun j => exp (b t * s i j) / sum B (fun k => exp (b t * s i k)) * s i j)
      + sum B (fun j => exp (b t * s j i) / sum B (fun k => exp (b t * s k i)) * s j i) - 2 * s i i) / 2 / INR B)).
Proof.
  intros B b b' s t N D.
  assert (G : is_derive (fun v => sum B (fun i => - (ln (exp (v * s i i) / sum B (fun k => exp (v * s i k))) / 2)
    - ln (exp (v * s i i) / sum B (fun k => exp (v * s k i))) / 2) / INR B) (b t)
    (sum B (fun i => sum B (fun j => exp (b t * s i j) / sum B (fun k => exp (b t * s i k)) * s i j)
      + sum B (fun j => exp (b t * s j i) / sum B (fun k => exp (b t * s k i)) * s j i) - 2 * s i i) / 2 / INR B)) by by_sums.
  apply (is_derive_comp _ b t _ _ G D).
Qed.

Lemma d_gapped : forall B (u g : R -> R) (b' : R) (s : nat -> nat -> R) t, (0 < B)%nat -> is_derive (fun x => u x * (1 - g x ^ 2)) t b' ->
  is_derive (fun x => sum B (fun i => - (ln (exp (u x * ((1 - g x ^ 2) * s i i - g x ^ 2)) / sum B (fun k => exp (u x * ((1 - g x ^ 2) * s i k - g x ^ 2)))) / 2)
    - ln (exp (u x * ((1 - g x ^ 2) * s i i - g x ^ 2)) / sum B (fun k => exp (u x * ((1 - g x ^ 2) * s k i - g x ^ 2)))) / 2) / INR B) t
    (b' * (sum B (fun i => sum B (fun j => exp (u t * ((1 - g t ^ 2) * s i j - g t ^ 2)) / sum B (fun k => exp (u t * ((1 - g t ^ 2) * s i k - g t ^ 2))) * s i j)
      + sum B (fun j => exp (u t * ((1 - g t ^ 2) * s j i - g t ^ 2)) / sum B (fun k => exp (u t * ((1 - g t ^ 2) * s k i - g t ^ 2))) * s j i) - 2 * s i i) / 2 / INR B)).
Proof.
  intros B u g b' s t N D.
  assert (E : forall x i j, exp (u x * ((1 - g x ^ 2) * s i j - g x ^ 2)) / sum B (fun k => exp (u x * ((1 - g x ^ 2) * s i k - g x ^ 2)))
    = exp (u x * (1 - g x ^ 2) * s i j) / sum B (fun k => exp (u x * (1 - g x ^ 2) * s i k))).
  { intros. apply (lowered_to B (fun m => u x * (1 - g x ^ 2) * s i m) (fun m => u x * ((1 - g x ^ 2) * s i m - g x ^ 2)) (u x * g x ^ 2) j). intros. ring. }
  assert (F : forall x i j, exp (u x * ((1 - g x ^ 2) * s i j - g x ^ 2)) / sum B (fun k => exp (u x * ((1 - g x ^ 2) * s k j - g x ^ 2)))
    = exp (u x * (1 - g x ^ 2) * s i j) / sum B (fun k => exp (u x * (1 - g x ^ 2) * s k j))).
  { intros. apply (lowered_to B (fun m => u x * (1 - g x ^ 2) * s m j) (fun m => u x * ((1 - g x ^ 2) * s m j - g x ^ 2)) (u x * g x ^ 2) i). intros. ring. }
  eapply is_derive_ext; [|eapply d_eq; [apply (d_clip B (fun x => u x * (1 - g x ^ 2)) b' s t N D)|]].
  - intros x. cbv beta. f_equal. apply sum_ext. intros i _. rewrite E, F. reflexivity.
  - cbv beta. do 3 f_equal. apply sum_ext. intros i _. do 2 f_equal; apply sum_ext; intros j _; rewrite ?E, ?F; reflexivity.
Qed.

Lemma flowing : forall (f g h k : R -> R) x y a b c e, is_derive f x a -> is_derive g x b -> is_derive h y c -> is_derive k y e ->
  a * b + c * e = 0 -> ex_derive f x /\ ex_derive g x /\ ex_derive h y /\ ex_derive k y /\ - (Derive f x * Derive g x + Derive h y * Derive k y) = 0.
Proof.
  intros f g h k x y a b c e F G H K S. repeat split; try (eexists; eassumption).
  rewrite (is_derive_unique f x a F), (is_derive_unique g x b G), (is_derive_unique h y c H), (is_derive_unique k y e K), S. ring.
Qed.

Lemma flowing_turned : forall (f g h k : R -> R) x y a b c e m, is_derive f x a -> is_derive g x b -> is_derive h y c -> is_derive k y e ->
  a * b + m * c * e = 0 -> ex_derive f x /\ ex_derive g x /\ ex_derive h y /\ ex_derive k y /\ - (Derive f x * Derive g x + m * Derive h y * Derive k y) = 0.
Proof.
  intros f g h k x y a b c e m F G H K S. repeat split; try (eexists; eassumption).
  rewrite (is_derive_unique f x a F), (is_derive_unique g x b G), (is_derive_unique h y c H), (is_derive_unique k y e K), S. ring.
Qed.

(*! R20: gap *)
Proof.
  intros. eapply d_eq; [apply (d_gapped B (fun _ => beta) (fun x => x) (- (2 * gamma * beta)) s gamma H0); by_sums|].
  unfold loss_beta, P, P_c, L. ring.
Qed.

(*! R20: scale *)
Proof.
  intros. eapply d_eq; [apply (d_gapped B exp (fun _ => gamma) (exp upsilon * (1 - gamma ^ 2)) s upsilon H); by_sums|].
  unfold loss_beta, P, P_c, L, beta. ring.
Qed.

(*! R20: flow *)
Proof.
  intros.
  assert (G := d_gapped B (fun _ => exp upsilon) (fun x => x) (- (2 * gamma * exp upsilon)) s gamma H ltac:(by_sums)).
  assert (U := d_gapped B exp (fun _ => gamma) (exp upsilon * (1 - gamma ^ 2)) s upsilon H ltac:(by_sums)). cbv beta in G, U.
  assert (C : is_derive (fun x => x * exp (2 * upsilon - x ^ 2 / 2)) gamma (exp (2 * upsilon - gamma ^ 2 / 2) * (1 - gamma ^ 2))) by by_sums.
  assert (K : is_derive (fun x => gamma * exp (2 * x - gamma ^ 2 / 2)) upsilon (2 * gamma * exp (2 * upsilon - gamma ^ 2 / 2))) by by_sums.
  apply (flowing _ _ _ _ _ _ _ _ _ _ C G K U). ring.
Qed.

(*! R20: turning *)
Proof.
  intros.
  assert (G := d_gapped B (fun _ => exp upsilon) (fun x => x) (- (2 * gamma * exp upsilon)) s gamma H ltac:(by_sums)).
  assert (U := d_gapped B exp (fun _ => gamma) (exp upsilon * (1 - gamma ^ 2)) s upsilon H ltac:(by_sums)). cbv beta in G, U.
  assert (C : is_derive (fun x => x * exp (2 * upsilon)) gamma (exp (2 * upsilon))) by by_sums.
  assert (K : is_derive (fun x => gamma * exp (2 * x)) upsilon (2 * gamma * exp (2 * upsilon))) by by_sums.
  apply (flowing_turned _ _ _ _ _ _ _ _ _ _ (1 - gamma ^ 2) K U C G). ring.
Qed.
