(* DCL, decoupled contrastive learning: NT-Xent without the positive in the denominators (document F). *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! F1: positive *)
Theorem F1_positive :
  forall (L : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  0 < exp (L i j - L i (p i)).
(*! *)
Proof. by_signs. Qed.

(*! F1: odds *)
Theorem F1_odds :
  forall (N nu : nat) (L : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let ell (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) * exp (L
    i k)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun j : nat => differ j i * differ j (p i) * exp (L i j - L i (p
    i)))) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) *
    exp (L i k))) ->
  loss = sum N (fun i : nat => ln (sum N (fun j : nat => differ j i * differ j (p i) * exp (L i j - L i (p
    i))))) / INR nu.
(*! *)
Proof.
  intros. unfold loss. f_equal. apply sum_ext. intros i I_.
  assert (E : sum N (fun k => differ k i * differ k (p i) * exp (L i k))
    = exp (L i (p i)) * sum N (fun j => differ j i * differ j (p i) * exp (L i j - L i (p i)))).
  { rewrite <- sum_scale. apply sum_ext. intros k _. unfold Rminus. rewrite exp_plus, exp_Ropp. field. apply not_zero, exp_pos. }
  apply odds; [apply exp_pos| |exact E]. rewrite E. apply Rmult_lt_0_compat; [apply exp_pos|apply H3, I_].
Qed.

(*! F3: softplus *)
Theorem F3_softplus :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (i < N)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let ell (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))) in
  let ell_d (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) * exp
    (L i k)))) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) *
    exp (L i k))) ->
  ell i = ln (1 + exp (ell_d i)).
(*! *)
Proof.
  intros. assert (E := exp_pos (L i (p i))). assert (S := over_below _ _ E (H6 i H0)). unfold ell, ell_d.
  rewrite exp_Ropp, exp_ln by (apply H6, H0).
  assert (W : sum N (fun k => differ k i * exp (L i k)) = sum N (fun k => differ k i * differ k (p i) * exp (L i k)) + exp (L i (p i))).
  { rewrite (sum_ext N (fun k => differ k i * differ k (p i) * exp (L i k))
      (fun k => differ k i * exp (L i k) - delta k (p i) * (differ k i * exp (L i k)))) by (intros; rewrite (differ_delta k (p i)); ring).
    rewrite sum_minus, sum_delta, (differ_pos _ _ (H1 i)) by auto. ring. }
  rewrite W. apply odds; [exact E|lra|]. field. lra.
Qed.

Lemma flat_weights : forall B i (L e : nat -> R), (i < B)%nat -> sum B (fun m => differ i m * exp (0 * L m)) <> 0 ->
  sum B (fun m => (INR B - 1) * exp (0 * L m) / sum B (fun m => differ i m * exp (0 * L m)) * differ i m * e m)
    = sum B (fun m => differ i m * e m).
Proof.
  intros B i L e I_ Z. assert (F : forall m, exp (0 * L m) = 1) by (intros; rewrite Rmult_0_l; apply exp_0).
  assert (S : sum B (fun m => differ i m * exp (0 * L m)) = INR B - 1).
  { rewrite (sum_ext B _ (fun m => 1 - delta m i * 1)) by (intros; rewrite F, differ_delta, (delta_sym i); ring).
    rewrite sum_minus, sum_one, sum_delta by exact I_. reflexivity. }
  apply sum_ext. intros m _. rewrite F. rewrite S in *. field. exact Z.
Qed.

Lemma row_loss : forall l s, 0 < exp l / s -> ln s - l = - ln (exp l / s).
Proof.
  intros l s P. assert (S := over_below _ _ (exp_pos l) P). unfold Rdiv.
  rewrite ln_mult, ln_exp, ln_Rinv by (apply exp_pos || (try apply Rinv_0_lt_compat); exact S). ring.
Qed.

(*! F3: image *)
Theorem F3_image :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let O (i j : nat) : R := differ i j in
  let beta_1 : R := 0 in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < exp (L i i) / sum B (fun m : nat => O i m * exp (L i m))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  ell i = - (ln (exp (L i i) / sum B (fun m : nat => O i m * exp (L i m)))).
(*! *)
Proof.
  intros. unfold ell, W, O, beta_1. rewrite (flat_weights B i (L i) (fun m => exp (L i m))) by (try apply H5; assumption).
  apply row_loss, H4. assumption.
Qed.

(*! F3: text *)
Theorem F3_text :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let O (i j : nat) : R := differ i j in
  let beta_2 : R := 0 in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (L m i)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < exp (L i i) / sum B (fun m : nat => O i m * exp (L m i))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  ell' i = - (ln (exp (L i i) / sum B (fun m : nat => O i m * exp (L m i)))).
(*! *)
Proof.
  intros. unfold ell', W', O, beta_2. rewrite (flat_weights B i (fun m => L m i) (fun m => exp (L m i))) by (try apply H5; assumption).
  apply row_loss, H4. assumption.
Qed.

(*! F2: row *)
Theorem F2_row :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let ell (w : nat -> nat -> R) (i : nat) : R := - (ln (exp (L w i (p i)) / sum N (fun k : nat => differ k i *
    differ k (p i) * exp (L w i k)))) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := differ j i * differ j (p i) * exp (L w i j) / sum N (fun k :
    nat => differ k i * differ k (p i) * exp (L w i k)) in
  let G (w : nat -> nat -> R) (i j : nat) : R := P w i j - delta j (p i) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * differ k (p i) * exp (L w i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L w i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) *
    exp (L w i k))) ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
  intros. pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k). eapply d_eq.
  - apply (d_rows N (fun i k => differ k i * differ k (p i)) (fun x => L (set2 w k f x)) (fun i j => (delta i k * a j + delta j k * a i) / tau) p (INR nu)).
    + assumption.
    + intros i j I_ J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
    + intros i I_. rewrite set2_same. apply (over_below (exp (L w i (p i)))); [apply exp_pos|apply H11, I_].
  - cbv beta. rewrite set2_same. transitivity (sum N (fun i => sum N (fun j => G w i j * (delta i k * a j + delta j k * a i))) * / tau / INR nu).
    + apply (f_equal (fun t => t / INR nu)). rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale_r. apply sum_ext. intros j _.
      unfold G, P, Rdiv. ring.
    + rewrite by_pairs by assumption.
      rewrite (sum_ext N _ (fun j => (z w j f - s w k j * z w k f) * (G w j k + G w k j) * / norm_w w k)) by (intros; unfold a, Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring.
Qed.

(*! F2: temperature *)
Theorem F2_temperature :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L tau i (p i)) / sum N (fun k : nat => differ k i * differ k
    (p i) * exp (L tau i k)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := differ j i * differ j (p i) * exp (L tau i j) / sum N (fun k : nat =>
    differ k i * differ k (p i) * exp (L tau i k)) in
  let G (tau : R) (i j : nat) : R := P tau i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * differ k (p i) * exp (L tau i k)) <> 0)
    ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L tau i (p i)) / sum N (fun k : nat => differ k i * differ k (p i)
    * exp (L tau i k))) ->
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum N (fun j : nat => G tau i j * L tau i j))
    / tau / INR nu)).
(*! *)
Proof.
  intros. eapply d_eq.
  - apply (d_rows N (fun i k => differ k i * differ k (p i)) L (fun i j => - L tau i j / tau) p (INR nu)).
    + assumption.
    + intros i j _ _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
    + intros i I_. apply (over_below (exp (L tau i (p i)))); [apply exp_pos|apply H8, I_].
  - rewrite <- !Ropp_div. apply (f_equal (fun t => t / INR nu)). unfold Rdiv at 3. rewrite <- sum_opp, <- sum_scale_r. apply sum_ext. intros i _.
    rewrite <- sum_opp, <- sum_scale_r. apply sum_ext. intros j _. unfold G, P, Rdiv. ring.
Qed.

(*! F2: sum *)
Theorem F2_sum :
  forall (N d : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * differ j (p i) * exp (L i j) / sum N (fun k : nat => differ k i *
    differ k (p i) * exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k)) <> 0) ->
  sum N (fun j : nat => G i j) = 0.
(*! *)
Proof.
  intros. unfold G. rewrite sum_minus, (sum_ext N (fun j => delta j (p i)) (fun j => delta j (p i) * 1)) by (intros; ring).
  rewrite sum_delta by auto. unfold P. rewrite (shares N (fun j => differ j i * differ j (p i) * exp (L i j))) by (apply H6; assumption). ring.
Qed.

(*! F1: negative *)
Theorem F1_negative :
  let N : nat := (4)%nat in
  let d : nat := (1)%nat in
  let nu : nat := (4)%nat in
  let tau : R := 1 in
  let w : nat -> nat -> R := list2 ((1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: nil)%list in
  let p : nat -> nat := (places (2 :: 3 :: 0 :: 1 :: nil))%nat in
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let ell (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) * exp (L
    i k)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss < 0.
(*! *)
Proof. at_point. Qed.

(*! F34: below *)
Theorem F34_below :
  forall (N : nat) (sigma : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  0 < INR N * exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)).
(*! *)
Proof.
Admitted.

(*! F34: sum *)
Theorem F34_sum :
  forall (N : nat) (sigma : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  sum N (fun i : nat => W_plus i) = INR N.
(*! *)
Proof.
Admitted.

(*! F34: equal *)
Theorem F34_equal :
  forall (N : nat) (c sigma : R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  let s (i j : nat) : R := c in
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  W_plus i = 1.
(*! *)
Proof.
Admitted.

(*! F34: alike *)
Theorem F34_alike :
  forall (N : nat) (c sigma : R) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let s (i j : nat) : R := c in
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  let ell (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k))) - W_plus i *
    L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) *
    exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k))) ->
  ell i = - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k)))).
(*! *)
Proof.
Admitted.

(*! F34: negative *)
Theorem F34_negative :
  let N : nat := (6)%nat in
  let d : nat := (1)%nat in
  let sigma : R := 1 / 2 in
  let w : nat -> nat -> R := list2 ((1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (-
    1 :: nil) :: nil)%list in
  let p : nat -> nat := (places (3 :: 4 :: 5 :: 0 :: 1 :: 2 :: nil))%nat in
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  W_plus 0%nat < 0.
(*! *)
Proof.
Admitted.

(*! F36: least *)
Theorem F36_least :
  forall (N : nat) (sigma tau : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := s i j / tau in
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  let ell (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k))) - W_plus i *
    L i (p i) in
  let ell_d (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) * exp
    (L i k)))) in
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * differ k (p i) *
    exp (L i k))) ->
  sum N (fun i : nat => ell_d i - ell i) <= 0.
(*! *)
Proof.
Admitted.

(*! F35: held: w *)
Theorem F35_held__w :
  forall (N d nu : nat) (sigma tau : R) (w w_held : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < sigma) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let s_held (i : nat) : R := sum d (fun f : nat => w_held i f * w_held (p i) f) / sqrt (sum d (fun f : nat =>
    w_held i f ^ 2)) / sqrt (sum d (fun f : nat => w_held (p i) f ^ 2)) in
  let rho_plus (i : nat) : R := exp (s_held i / sigma) / sum N (fun k : nat => exp (s_held k / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  let ell (w : nat -> nat -> R) (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp
    (L w i k))) - W_plus i * L w i (p i) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := differ j i * differ j (p i) * exp (L w i j) / sum N (fun k :
    nat => differ k i * differ k (p i) * exp (L w i k)) in
  let G (w : nat -> nat -> R) (i j : nat) : R := P w i j - W_plus i * delta j (p i) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w_held i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w_held (p i) f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L w i k))) ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
Admitted.

(*! F35: held: temperature *)
Theorem F35_held__temperature :
  forall (N d nu : nat) (sigma tau : R) (w w_held : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < sigma) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let s_held (i : nat) : R := sum d (fun f : nat => w_held i f * w_held (p i) f) / sqrt (sum d (fun f : nat =>
    w_held i f ^ 2)) / sqrt (sum d (fun f : nat => w_held (p i) f ^ 2)) in
  let rho_plus (i : nat) : R := exp (s_held i / sigma) / sum N (fun k : nat => exp (s_held k / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  let ell (tau : R) (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp (L tau i k)))
    - W_plus i * L tau i (p i) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := differ j i * differ j (p i) * exp (L tau i j) / sum N (fun k : nat =>
    differ k i * differ k (p i) * exp (L tau i k)) in
  let G (tau : R) (i j : nat) : R := P tau i j - W_plus i * delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w_held i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w_held (p i) f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L tau i k))) ->
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum N (fun j : nat => G tau i j * L tau i j))
    / tau / INR nu)).
(*! *)
Proof.
Admitted.

(*! F35: w *)
Theorem F35_w :
  forall (N d nu : nat) (sigma tau : R) (w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < sigma) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let rho_plus (w : nat -> nat -> R) (i : nat) : R := exp (s w i (p i) / sigma) / sum N (fun k : nat => exp (s
    w k (p k) / sigma)) in
  let W_plus (w : nat -> nat -> R) (i : nat) : R := 2 - INR N * rho_plus w i in
  let ell (w : nat -> nat -> R) (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp
    (L w i k))) - W_plus w i * L w i (p i) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := differ j i * differ j (p i) * exp (L w i j) / sum N (fun k :
    nat => differ k i * differ k (p i) * exp (L w i k)) in
  let G_held (w : nat -> nat -> R) (i j : nat) : R := P w i j - W_plus w i * delta j (p i) in
  let G (w : nat -> nat -> R) (i j : nat) : R := INR N * (s w i (p i) - sum N (fun m : nat => rho_plus w m * s
    w m (p m))) * rho_plus w i * delta j (p i) / sigma + G_held w i j in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L w i k))) ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
Admitted.

(*! F35: temperature *)
Theorem F35_temperature :
  forall (N d nu : nat) (sigma tau : R) (w : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < sigma) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  let ell (tau : R) (i : nat) : R := ln (sum N (fun k : nat => differ k i * differ k (p i) * exp (L tau i k)))
    - W_plus i * L tau i (p i) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := differ j i * differ j (p i) * exp (L tau i j) / sum N (fun k : nat =>
    differ k i * differ k (p i) * exp (L tau i k)) in
  let G_held (tau : R) (i j : nat) : R := P tau i j - W_plus i * delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k i * differ k (p i) * exp (L tau i k))) ->
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum N (fun j : nat => G_held tau i j * L tau i
    j)) / tau / INR nu)).
(*! *)
Proof.
Admitted.
