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

(* DCLW: shares of the positives, by numbers a of the rows. *)
Lemma sum_of_exp : forall n (a : nat -> R), (0 < n)%nat -> 0 < sum n (fun k => exp (a k)).
Proof. intros n a H. apply sum_pos; [exact H|]. intros. apply exp_pos. Qed.

Lemma sum_of_weights : forall n (a : nat -> R), (0 < n)%nat ->
  sum n (fun i => 2 - INR n * (exp (a i) / sum n (fun k => exp (a k)))) = INR n.
Proof.
  intros n a H. assert (S := sum_of_exp n a H). rewrite sum_minus, sum_scale, (shares n (fun k => exp (a k))) by lra.
  rewrite (sum_ext n (fun _ => 2) (fun _ => 2 * 1)) by (intros; ring). rewrite sum_scale, sum_one. ring.
Qed.

Lemma weight_of_equal : forall n a, (0 < n)%nat -> 2 - INR n * (exp a / sum n (fun _ => exp a)) = 1.
Proof.
  intros n a H. rewrite (sum_ext n (fun _ => exp a) (fun _ => exp a * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  assert (E := exp_pos a). assert (I_ := INR_pos n H). field. lra.
Qed.

Lemma d_share : forall n (A : R -> nat -> R) (b : nat -> R) i x, (i < n)%nat ->
  (forall k, (k < n)%nat -> is_derive (fun y => A y k) x (b k)) ->
  let rho k := exp (A x k) / sum n (fun k => exp (A x k)) in
  is_derive (fun y => exp (A y i) / sum n (fun k => exp (A y k))) x (rho i * (b i - sum n (fun k => rho k * b k))).
Proof.
  intros n A b i x I_ D rho. assert (S : 0 < sum n (fun k => exp (A x k))) by (apply sum_of_exp; lia). eapply d_eq.
  - apply (d_div (fun y => exp (A y i)) (fun y => sum n (fun k => exp (A y k)))).
    + apply (d_exp (fun y => A y i)), D, I_.
    + apply (d_sum n (fun k y => exp (A y k))). intros k K. apply (d_exp (fun y => A y k)), D, K.
    + lra.
  - unfold rho. rewrite (sum_ext n (fun k => _ / _ * b k) (fun k => exp (A x k) * b k * / sum n (fun k => exp (A x k)))) by (intros; unfold Rdiv; ring).
    rewrite sum_scale_r. field. lra.
Qed.

(* A row whose positive has a weight W. *)
Lemma d_weighed_row : forall n (c : nat -> R) (L : R -> nat -> R) (l : nat -> R) (W : R -> R) W' q x, (q < n)%nat ->
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) -> is_derive W x W' -> 0 < sum n (fun k => c k * exp (L x k)) ->
  is_derive (fun y => ln (sum n (fun k => c k * exp (L y k))) - W y * L y q) x
    (sum n (fun j => (c j * exp (L x j) / sum n (fun k => c k * exp (L x k)) - W x * delta j q) * l j) - W' * L x q).
Proof.
  intros n c L l W W' q x Q D DW S. eapply d_eq.
  - apply (d_minus (fun y => ln (sum n (fun k => c k * exp (L y k)))) (fun y => W y * L y q)).
    + apply (d_ln (fun y => sum n (fun k => c k * exp (L y k)))); [|exact S].
      apply (d_sum n (fun k y => c k * exp (L y k))). intros k K. apply (d_scale (fun y => exp (L y k))), (d_exp (fun y => L y k)), D, K.
    + apply (d_mult W (fun y => L y q)); [exact DW|apply D, Q].
  - rewrite (sum_ext n (fun j => (_ - _) * _) (fun j => c j * (exp (L x j) * l j) * / sum n (fun k => c k * exp (L x k)) - delta j q * (W x * l j)))
      by (intros; unfold Rdiv; ring).
    rewrite sum_minus, sum_scale_r, (sum_delta n q (fun j => W x * l j)) by exact Q. ring.
Qed.

Lemma weights_move : forall n (rho b s : nat -> R),
  sum n (fun i => rho i * (b i - sum n (fun k => rho k * b k)) * s i) = sum n (fun i => rho i * (s i - sum n (fun k => rho k * s k)) * b i).
Proof.
  intros n rho b s. set (m := sum n (fun k => rho k * b k)). set (t := sum n (fun k => rho k * s k)).
  rewrite (sum_ext n (fun i => rho i * (b i - m) * s i) (fun i => rho i * b i * s i - m * (rho i * s i))) by (intros; ring).
  rewrite (sum_ext n (fun i => rho i * (s i - t) * b i) (fun i => rho i * b i * s i - t * (rho i * b i))) by (intros; ring).
  rewrite !sum_minus, !sum_scale. fold m t. ring.
Qed.

(*! F34: below *)
Theorem F34_below :
  forall (N : nat) (sigma : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  0 < INR N * exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)).
(*! *)
Proof.
  intros. assert (S := sum_of_exp N (fun k => s k (p k) / sigma) H). assert (E := exp_pos (s i (p i) / sigma)).
  assert (I_ := INR_pos N H). apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption|apply Rinv_0_lt_compat, S].
Qed.

(*! F34: sum *)
Theorem F34_sum :
  forall (N : nat) (sigma : R) (s : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < sigma) ->
  let rho_plus (i : nat) : R := exp (s i (p i) / sigma) / sum N (fun k : nat => exp (s k (p k) / sigma)) in
  let W_plus (i : nat) : R := 2 - INR N * rho_plus i in
  sum N (fun i : nat => W_plus i) = INR N.
(*! *)
Proof. intros. apply (sum_of_weights N (fun k => s k (p k) / sigma)), H. Qed.

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
Proof. intros. apply weight_of_equal, H. Qed.

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
  intros. unfold ell, W_plus, rho_plus, s. rewrite (weight_of_equal N (c / sigma) H), Rmult_1_l. apply row_loss, H4, H2.
Qed.

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
Proof. at_point. Qed.

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
  intros. pose (a := fun k => s k (p k) / sigma). assert (S := sum_of_exp N a H).
  rewrite (sum_ext N (fun i => ell_d i - ell i) (fun i => sigma / tau * (a i - INR N * (exp (a i) / sum N (fun k => exp (a k)) * a i)))).
  - rewrite sum_scale. rewrite <- (Rmult_0_r (sigma / tau)). apply Rmult_le_compat_l; [apply Rlt_le, Rdiv_lt_0_compat; assumption|].
    pose (rho := fun i => exp (a i) / sum N (fun k => exp (a k))). assert (R1 : sum N rho = 1) by (apply (shares N (fun k => exp (a k))); lra).
    assert (T : sum N (fun i => sum N (fun k => rho i * ln (exp (a k - a i)))) <= 0).
    { apply Rle_trans with (sum N (fun i => sum N (fun k => rho i * (exp (a k - a i) - 1)))).
      - apply sum_le. intros i _. apply sum_le. intros k _. apply Rmult_le_compat_l; [|apply ln_below, exp_pos].
        apply Rlt_le, Rdiv_lt_0_compat; [apply exp_pos|exact S].
      - right. rewrite (sum_ext N _ (fun i => 1 - INR N * rho i)).
        + rewrite sum_minus, (sum_scale N (INR N) rho), sum_one, R1. ring.
        + intros i _. rewrite (sum_ext N _ (fun k => exp (a k) * / sum N (fun k => exp (a k)) - rho i * 1)).
          * rewrite sum_minus, sum_scale_r, sum_scale, sum_one. field. lra.
          * intros k _. unfold rho, Rminus. rewrite exp_plus, exp_Ropp. field. split; [lra|apply not_zero, exp_pos]. }
    apply Rle_trans with (sum N (fun i => sum N (fun k => rho i * ln (exp (a k - a i))))); [right|exact T]. symmetry.
    rewrite (sum_ext N (fun i => sum N (fun k => rho i * ln (exp (a k - a i)))) (fun i => rho i * sum N a - INR N * (rho i * a i))).
    + rewrite !sum_minus, (sum_scale_r N (sum N a) rho), R1. unfold rho. ring.
    + intros i _. rewrite (sum_ext N _ (fun k => rho i * a k - rho i * a i * 1)) by (intros; rewrite ln_exp; ring).
      rewrite sum_minus, !sum_scale, sum_one. ring.
  - intros i I_. unfold ell_d, ell. rewrite <- (row_loss (L i (p i)) _ (H5 i I_)). unfold W_plus, rho_plus, L, a. field.
    repeat split; first [lra|apply not_zero, S].
Qed.

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
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [exact H7|]. intros i I_. eapply d_eq.
  - apply (d_weighed_row N (fun m => differ m i * differ m (p i)) (fun x => L (set2 w k f x) i)
      (fun j => (delta i k * ((z w j f - s w k j * z w k f) / norm_w w k) + delta j k * ((z w i f - s w k i * z w k f) / norm_w w k)) / tau)
      (fun _ => W_plus i) 0 (p i)).
    + apply H5, I_.
    + intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
    + apply d_const.
    + rewrite set2_same. apply H13, I_.
  - cbv beta. rewrite set2_same, Rmult_0_l, Rminus_0_r. reflexivity.
Qed.

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
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_weighed_row N (fun m => differ m i * differ m (p i)) (fun x => L x i) (fun j => - L tau i j / tau) (fun _ => W_plus i) 0 (p i)).
    + auto.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
    + apply d_const.
    + auto.
  - cbv beta. rewrite Rmult_0_l, Rminus_0_r. reflexivity.
Qed.

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
  intros. pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k). pose (l := fun i j => (delta i k * a j + delta j k * a i) / tau).
  pose (b := fun i => (delta i k * a (p i) + delta (p i) k * a i) / sigma).
  assert (C : forall i j, (i < N)%nat -> (j < N)%nat -> is_derive (fun x => s (set2 w k f x) i j) (w k f) (delta i k * a j + delta j k * a i))
    by (intros; apply (d_cosine N d w k f i j); assumption).
  eapply d_eq.
  - apply (d_over (fun x => sum N (fun i => ell (set2 w k f x) i))), (d_sum N (fun i x => ell (set2 w k f x) i)). intros i I_.
    apply (d_weighed_row N (fun m => differ m i * differ m (p i)) (fun x => L (set2 w k f x) i) (l i) (fun x => W_plus (set2 w k f x) i)
      (0 - INR N * (rho_plus w i * (b i - sum N (fun k => rho_plus w k * b k)))) (p i)).
    + apply H5, I_.
    + intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), C; assumption.
    + apply (d_minus (fun _ => 2) (fun x => INR N * rho_plus (set2 w k f x) i)); [apply d_const|].
      apply (d_scale (fun x => rho_plus (set2 w k f x) i)). eapply d_eq.
      * apply (d_share N (fun x m => s (set2 w k f x) m (p m) / sigma) b i (w k f) I_). intros m M.
        apply (d_over (fun x => s (set2 w k f x) m (p m))), C; auto.
      * cbv beta zeta. rewrite set2_same. reflexivity.
    + rewrite set2_same. apply H11, I_.
  - cbv beta. rewrite set2_same. transitivity (sum N (fun i => sum N (fun j => G w i j * (delta i k * a j + delta j k * a i))) * / tau / INR nu).
    + apply (f_equal (fun t => t / INR nu)). rewrite sum_minus. set (m := sum N (fun m => rho_plus w m * s w m (p m))).
      assert (W_ : sum N (fun i => (0 - INR N * (rho_plus w i * (b i - sum N (fun k => rho_plus w k * b k)))) * L w i (p i))
        = - (INR N / tau) * sum N (fun i => rho_plus w i * (s w i (p i) - m) * b i)).
      { unfold m. rewrite <- (weights_move N (rho_plus w) b (fun i => s w i (p i))), <- sum_scale. apply sum_ext. intros i _. unfold L. field. lra. }
      rewrite W_, <- sum_scale, <- sum_minus, <- sum_scale_r. apply sum_ext. intros i I_.
      rewrite (sum_ext N (fun j => G w i j * _)
        (fun j => delta j (p i) * (INR N * (s w i (p i) - m) * rho_plus w i / sigma * (delta i k * a j + delta j k * a i)) + tau * (G_held w i j * l i j))).
      * rewrite sum_plus, sum_scale, (sum_delta N (p i) (fun j => INR N * (s w i (p i) - m) * rho_plus w i / sigma * (delta i k * a j + delta j k * a i))) by auto.
        change (fun j => (_ - _) * l i j) with (fun j => G_held w i j * l i j). unfold b. field. lra.
      * intros j _. unfold G, l. fold m. field. lra.
    + rewrite by_pairs by assumption.
      rewrite (sum_ext N _ (fun j => (z w j f - s w k j * z w k f) * (G w j k + G w k j) * / norm_w w k)) by (intros; unfold a, Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring.
Qed.

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
  intros. apply (d_by_temperature N tau (INR nu) ell (G_held tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_weighed_row N (fun m => differ m i * differ m (p i)) (fun x => L x i) (fun j => - L tau i j / tau) (fun _ => W_plus i) 0 (p i)).
    + auto.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
    + apply d_const.
    + auto.
  - cbv beta. rewrite Rmult_0_l, Rminus_0_r. reflexivity.
Qed.
