(* DCL, decoupled contrastive learning: NT-Xent without the positive in the denominators (document F). *)

(*! F3: softplus *)
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
Proof.
  intros. unfold ell, W, O, beta_1. rewrite (flat_weights B i (L i) (fun m => exp (L i m))) by (try apply H5; assumption).
  apply row_loss, H4. assumption.
Qed.

(*! F3: text *)
Proof.
  intros. unfold ell', W', O, beta_2. rewrite (flat_weights B i (fun m => L m i) (fun m => exp (L m i))) by (try apply H5; assumption).
  apply row_loss, H4. assumption.
Qed.

(*! F2: row *)
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

(*! F2: sum *)
Proof.
  intros. unfold G. rewrite sum_minus, (sum_ext N (fun j => delta j (p i)) (fun j => delta j (p i) * 1)) by (intros; ring).
  rewrite sum_delta by auto. unfold P. rewrite (shares N (fun j => differ j i * differ j (p i) * exp (L i j))) by (apply H6; assumption). ring.
Qed.

(* DCLW: shares of the positives, by numbers a of the rows. *)
Lemma sum_of_exp : forall n (a : nat -> R), (0 < n)%nat -> 0 < sum n (fun k => exp (a k)).
Proof. intros n a H. apply sum_pos; [exact H|]. intros. apply exp_pos. Qed.

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

(*! F36: least *)
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

(*! F35: w *)
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
