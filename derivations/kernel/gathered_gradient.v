(* A batch over several ranks: the gradient if the features gathered from other ranks are constants, and if they
   are not. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R2: logits *)
Theorem R2_logits :
  forall (d : nat) (tau : R) (Y_s z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let y (j f : nat) : R := z j f in
  sum d (fun g : nat => ((1 - Y_s i j) * y j g + Y_s i j * z j g) * z i g) / tau = sum d (fun f : nat => z i f
    * z j f) / tau.
(*! *)
Proof. by_sums. Qed.

(*! R2: local *)
Theorem R2_local :
  forall (N d nu : nat) (tau : R) (Y_s y z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, p i <> i) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => ((1 - Y_s i j) * y j g + Y_s i j * z j
    g) * z i g) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L z i j) / sum N (fun k : nat => differ k i
    * exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L z i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) ((sum N (fun j : nat => ((1 - Y_s k j) * y j f + Y_s k
    j * z j f) * G z k j) + sum N (fun i : nat => G z i k * Y_s i k * z i f)) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R2: mean *)
Theorem R2_mean :
  forall (N Gamma nu : nat) (tau : R) (G z : nat -> nat -> R) (psi : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (psi i < Gamma)%nat) ->
  sum Gamma (fun l : nat => delta l (psi k) * sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu) /
    INR Gamma = sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR Gamma / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! R2: missing *)
Theorem R2_missing :
  forall (N nu : nat) (tau : R) (G Y_s z : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu - (sum N (fun j : nat => G k j * z j f) + sum
    N (fun i : nat => G i k * Y_s i k * z i f)) / tau / INR nu = sum N (fun i : nat => (1 - Y_s i k) * G i k *
    z i f) / tau / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! R2: numbers *)
Theorem R2_numbers :
  forall (N nu : nat) (tau : R) (G Y_s z : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  let y (j f : nat) : R := z j f in
  (sum N (fun j : nat => ((1 - Y_s k j) * y j f + Y_s k j * z j f) * G k j) + sum N (fun i : nat => G i k *
    Y_s i k * z i f)) / tau / INR nu = (sum N (fun j : nat => G k j * z j f) + sum N (fun i : nat => G i k *
    Y_s i k * z i f)) / tau / INR nu.
(*! *)
Proof.
  intros. do 3 f_equal. apply sum_ext. intros j _. unfold y. ring.
Qed.

(*! R2: whole *)
Theorem R2_whole :
  forall (N d nu : nat) (tau : R) (Y_r : nat -> R) (y z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, Y_r i = 0 \/ Y_r i = 1) ->
  (forall i : nat, p i <> i) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => ((1 - Y_r i) * y i g + Y_r i * z i g) *
    ((1 - Y_r j) * y j g + Y_r j * z j g)) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L z i j) / sum N (fun k : nat => differ k i
    * exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L z i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) (Y_r k * sum N (fun j : nat => ((1 - Y_r j) * y j f +
    Y_r j * z j f) * (G z j k + G z k j)) / tau / INR nu).
(*! *)
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

(*! R27: whole *)
Theorem R27_whole :
  forall (N Gamma nu : nat) (tau : R) (G z : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  sum Gamma (fun l : nat => sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu) / INR Gamma = sum N
    (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! R27: shares *)
Theorem R27_shares :
  forall (N Gamma nu : nat) (tau : R) (G z : nat -> nat -> R) (psi : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (psi i < Gamma)%nat) ->
  (k < N)%nat ->
  sum Gamma (fun l : nat => INR Gamma * sum N (fun j : nat => (G j k * delta l (psi j) + G k j * delta l (psi
    k)) * z j f) / tau / INR nu) / INR Gamma = sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu.
(*! *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption).
  rewrite (sum_ext Gamma _ (fun l => sum N (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f)) * (INR Gamma * / tau * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun j => sum Gamma _) (fun j => (G j k + G k j) * z j f)).
    + field. repeat split; try exact M; apply Rgt_not_eq; first [assumption|apply INR_pos; assumption].
    + intros j J. rewrite sum_plus, (sum_delta Gamma (psi j) (fun _ => G j k * z j f)), (sum_delta Gamma (psi k) (fun _ => G k j * z j f)) by auto. ring.
  - intros l _. unfold Rdiv. rewrite (sum_ext N (fun j => (_ + _) * _) (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f))) by (intros; ring). ring.
Qed.

(*! R27: losses *)
Theorem R27_losses :
  forall (N d Gamma nu : nat) (tau : R) (z : nat -> nat -> R) (p psi : nat -> nat),
  (0 < Gamma)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (psi i < Gamma)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let loss_r (l : nat) : R := INR Gamma * sum N (fun i : nat => ell i * delta l (psi i)) / INR nu in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  sum Gamma (fun l : nat => loss_r l) / INR Gamma = loss.
(*! *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption). unfold loss_r, loss, Rdiv.
  rewrite (sum_ext Gamma _ (fun l => sum N (fun i => delta l (psi i) * ell i) * (INR Gamma * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun i => sum Gamma _) (fun i => ell i)).
    + field. split; [apply Rgt_not_eq, INR_pos; assumption|exact M].
    + intros i I_. apply (sum_delta Gamma (psi i) (fun _ => ell i)). auto.
  - intros l _. rewrite (sum_ext N (fun i => ell i * delta l (psi i)) (fun i => delta l (psi i) * ell i)) by (intros; ring). ring.
Qed.

(*! R27: encoder *)
Theorem R27_encoder :
  forall (N d Gamma nu : nat) (tau : R) (G V z : nat -> nat -> R) (psi : nat -> nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (psi i < Gamma)%nat) ->
  sum Gamma (fun l : nat => sum N (fun k : nat => delta l (psi k) * sum d (fun f : nat => V k f * sum Gamma
    (fun m : nat => sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu)))) / INR Gamma = sum N (fun
    k : nat => sum d (fun f : nat => V k f * sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu)).
(*! *)
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
Theorem R27_share :
  forall (N d Gamma nu : nat) (tau : R) (z : nat -> nat -> R) (p psi : nat -> nat) (f k l : nat),
  (0 < N)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, p i <> i) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L z i j) / sum N (fun k : nat => differ k i
    * exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss_r (z : nat -> nat -> R) (l : nat) : R := INR Gamma * sum N (fun i : nat => ell z i * delta l (psi
    i)) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L z i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss_r (set2 z k f x) l) (z k f) (INR Gamma * sum N (fun j : nat => (G z j k * delta
    l (psi j) + G z k j * delta l (psi k)) * z j f) / tau / INR nu).
(*! *)
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
