(* Hessian-vector products of InfoNCE, NT-Xent and CLIP, computed by matrix products like the gradient's. *)

(* The inner product of a second direction with the Hessian times the first, in two parts: of the errors G and of
   their change Q. *)
Lemma between : forall N d (tau nu : R) (G Q z x y : nat -> nat -> R), tau <> 0 -> nu <> 0 ->
  sum N (fun k => sum d (fun f => sum N (fun j => (G j k + G k j) * x j f + (Q j k + Q k j) * z j f) / tau / nu * y k f))
    = (sum N (fun i => sum N (fun j => G i j * sum d (fun f => x i f * y j f + x j f * y i f)))
      + sum N (fun i => sum N (fun j => Q i j * sum d (fun f => z i f * y j f + z j f * y i f)))) / tau / nu.
Proof. by_sums. Qed.

Lemma spreads : forall n m (P u v : nat -> nat -> R),
  sum n (fun i => sum m (fun j => (u i j - sum m (fun m => u i m * P i m)) * P i j * v i j))
    = sum n (fun i => sum m (fun j => (v i j - sum m (fun m => v i m * P i m)) * P i j * u i j)).
Proof. by_sums. Qed.

Lemma over_under : forall n d (tau : R) (Q : nat -> nat -> R) (F : nat -> nat -> nat -> R), tau <> 0 ->
  sum n (fun i => sum n (fun j => Q i j * sum d (fun f => F i j f)))
    = tau * sum n (fun i => sum n (fun j => Q i j * (sum d (fun f => F i j f) / tau))).
Proof.
  intros n d tau Q F T. rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros j _. field. exact T.
Qed.

(*! M27: symmetric *)
Proof.
  intros N d nu tau z z_dot z_dot' p A1 A2 A3 A4 A5 L P G L_dot P_dot H L_dot' P_dot' H'. assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  unfold H, H'. rewrite (between N d tau (INR nu) G P_dot z z_dot z_dot'), (between N d tau (INR nu) G P_dot' z z_dot' z_dot) by assumption.
  rewrite !(over_under N d tau P_dot), !(over_under N d tau P_dot') by exact T.
  change (sum N (fun i => sum N (fun j => P_dot i j * (sum d (fun f => z i f * z_dot' j f + z j f * z_dot' i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot i j * L_dot' i j))).
  change (sum N (fun i => sum N (fun j => P_dot' i j * (sum d (fun f => z i f * z_dot j f + z j f * z_dot i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot' i j * L_dot i j))).
  unfold P_dot, P_dot'. rewrite (spreads N N P L_dot L_dot'). do 3 f_equal. apply sum_ext. intros i _. apply sum_ext. intros j _.
  f_equal. apply sum_ext. intros. ring.
Qed.

(*! M27: curvature *)
Proof.
  intros N d nu tau z z_dot p A1 A2 A3 A4 A5 L P G L_dot P_dot H. assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  assert (S : forall i, sum N (P i) = 1) by (intros i; apply shares, not_zero; sign).
  unfold H. rewrite (between N d tau (INR nu) G P_dot z z_dot z_dot), !(over_under N d tau P_dot) by assumption.
  change (sum N (fun i => sum N (fun j => P_dot i j * (sum d (fun f => z i f * z_dot j f + z j f * z_dot i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot i j * L_dot i j))).
  rewrite (sum_ext N (fun i => sum N (fun j => P_dot i j * L_dot i j))
    (fun i => sum N (fun j => (L_dot i j - sum N (fun m => L_dot i m * P i m)) ^ 2 * P i j))).
  - rewrite (sum_ext N (fun i => sum N (fun j => G i j * sum d (fun f => z_dot i f * z_dot j f + z_dot j f * z_dot i f)))
      (fun i => 2 * sum N (fun j => G i j * sum d (fun f => z_dot i f * z_dot j f)))).
    + rewrite sum_scale. field. split; assumption.
    + intros i _. rewrite <- sum_scale. apply sum_ext. intros j _.
      rewrite (sum_ext d _ (fun f => 2 * (z_dot i f * z_dot j f))) by (intros; ring). rewrite sum_scale. ring.
  - intros i _. unfold P_dot. set (m := sum N (fun m => L_dot i m * P i m)).
    rewrite (sum_ext N _ (fun j => (L_dot i j - m) ^ 2 * P i j + m * (L_dot i j * P i j - m * P i j))) by (intros; ring).
    rewrite sum_plus, sum_scale, sum_minus, sum_scale. fold m. change (sum N (fun k => P i k)) with (sum N (P i)). rewrite S. ring.
Qed.

(* The inner product of a row of the Hessian product with a vector y, in terms of inner products. *)
Lemma row_times : forall N d (tau nu n a : R) (s q A sd z zd y : nat -> R) (Z Zd : nat -> nat -> R), tau <> 0 -> nu <> 0 -> n <> 0 ->
  sum d (fun f => (sum N (fun j => (Z j f - s j * z f) * q j + A j * (Zd j f - s j * zd f - z f * sd j)) / tau / nu / n
      - sum N (fun j => (Z j f - s j * z f) * A j) * a / tau / nu / n ^ 2) * y f)
    = sum N (fun j => (sum d (fun f => Z j f * y f) - s j * sum d (fun f => z f * y f)) / n * q j
        + A j * ((sum d (fun f => Zd j f * y f) - s j * sum d (fun f => zd f * y f) - sum d (fun f => z f * y f) * sd j) / n
          - (sum d (fun f => Z j f * y f) - s j * sum d (fun f => z f * y f)) / n * (a / n))) / tau / nu.
Proof.
  intros N d tau nu n a s q A sd z zd y Z Zd T V W.
  rewrite (sum_ext d _ (fun f => sum N (fun j => Z j f * y f * ((/ n * q j - A j * / n * (a * / n)) * / tau * / nu)
    - z f * y f * ((s j * / n * q j + A j * sd j * / n - A j * s j * / n * (a * / n)) * / tau * / nu)
    + Zd j f * y f * (A j * / n * / tau * / nu) - zd f * y f * (A j * s j * / n * / tau * / nu)))).
  - rewrite sum_swap. unfold Rdiv. rewrite <- !sum_scale_r. apply sum_ext. intros j _.
    rewrite sum_minus, sum_plus, sum_minus, !sum_scale_r. ring.
  - intros f _. set (S1 := sum N (fun j => (Z j f - s j * z f) * q j + A j * (Zd j f - s j * zd f - z f * sd j))).
    set (S2 := sum N (fun j => (Z j f - s j * z f) * A j)).
    replace ((S1 / tau / nu / n - S2 * a / tau / nu / n ^ 2) * y f) with (S1 * (y f / tau / nu / n) - S2 * (a * y f / tau / nu / n ^ 2)) by (field; auto).
    unfold S1, S2. rewrite <- !sum_scale_r, <- sum_minus. apply sum_ext. intros j _. field. auto.
Qed.

(* The change of a unit row is orthogonal to it. *)
Lemma turn_across : forall d (n : R) (z x : nat -> R), sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => z f * ((x f - z f * sum d (fun g => z g * x g)) / n)) = 0.
Proof.
  intros d n z x U. rewrite (sum_ext d _ (fun f => (z f * x f - z f ^ 2 * sum d (fun g => z g * x g)) * / n)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r, sum_minus, sum_scale_r, U. ring.
Qed.

Lemma turn_with : forall d (n : R) (z x u : nat -> R),
  sum d (fun f => u f * ((x f - z f * sum d (fun g => z g * x g)) / n))
    = (sum d (fun f => u f * x f) - sum d (fun f => u f * z f) * sum d (fun f => z f * x f)) / n.
Proof.
  intros d n z x u. rewrite (sum_ext d _ (fun f => (u f * x f - u f * z f * sum d (fun g => z g * x g)) * / n)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r, sum_minus, sum_scale_r. reflexivity.
Qed.

Lemma unit_rows : forall d (w : nat -> nat -> R) i, sqrt (sum d (fun f => w i f ^ 2)) <> 0 ->
  sum d (fun f => (w i f / sqrt (sum d (fun f => w i f ^ 2))) ^ 2) = 1.
Proof. intros d w i W. exact (unit_row d (w i) W). Qed.

(*! M28: symmetric *)
Proof.
  intros N d nu tau w x y p A1 A2 A3 A4 A5 norm_w z s L P G z_dot s_dot L_dot P_dot H z_dot' s_dot' L_dot' P_dot' H' B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  pose (a := fun k => sum d (fun f => z k f * x k f) / norm_w k). pose (b := fun k => sum d (fun f => z k f * y k f) / norm_w k).
  pose (e := fun k j => sum d (fun f => z j f * z_dot k f)). pose (e' := fun k j => sum d (fun f => z j f * z_dot' k f)).
  pose (A := fun k j => G j k + G k j).
  assert (S1 : forall k j, s_dot k j = e j k + e k j) by (intros; unfold s_dot, e; rewrite <- sum_plus; apply sum_ext; intros; ring).
  assert (S2 : forall k j, s_dot' k j = e' j k + e' k j) by (intros; unfold s_dot', e'; rewrite <- sum_plus; apply sum_ext; intros; ring).
  assert (C : forall k j, sum d (fun f => z j f * z k f) = s k j) by (intros; apply sum_ext; intros; ring).
  assert (F : forall k, (k < N)%nat -> sum d (fun f => H k f * y k f) = sum N (fun j => e' k j * (P_dot j k + P_dot k j)
    + A k j * (sum d (fun f => z_dot j f * z_dot' k f) - s k j * sum d (fun f => z_dot k f * z_dot' k f) - b k * e k j - a k * e' k j)) / tau / INR nu).
  { intros k K. assert (W := B1 k K). assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
    assert (O : sum d (fun f => z_dot k f * z k f) = 0)
      by (rewrite <- (turn_across d (norm_w k) (z k) (x k) U); apply sum_ext; intros; unfold z_dot; ring).
    unfold H. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * x k g)) (s k) (fun j => P_dot j k + P_dot k j)
      (fun j => G j k + G k j) (s_dot k) (z k) (z_dot k) (y k) z z_dot) by assumption.
    do 2 f_equal. apply sum_ext. intros j J. rewrite S1.
    unfold e', z_dot'. rewrite !turn_with, C, O. unfold A, a, b. fold (e j k) (e k j).
    replace (sum d (fun f => z_dot j f * z k f)) with (e j k) by (apply sum_ext; intros; ring). field. exact W. }
  assert (F' : forall k, (k < N)%nat -> sum d (fun f => H' k f * x k f) = sum N (fun j => e k j * (P_dot' j k + P_dot' k j)
    + A k j * (sum d (fun f => z_dot' j f * z_dot k f) - s k j * sum d (fun f => z_dot' k f * z_dot k f) - a k * e' k j - b k * e k j)) / tau / INR nu).
  { intros k K. assert (W := B1 k K). assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
    assert (O : sum d (fun f => z_dot' k f * z k f) = 0)
      by (rewrite <- (turn_across d (norm_w k) (z k) (y k) U); apply sum_ext; intros; unfold z_dot'; ring).
    unfold H'. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * y k g)) (s k) (fun j => P_dot' j k + P_dot' k j)
      (fun j => G j k + G k j) (s_dot' k) (z k) (z_dot' k) (x k) z z_dot') by assumption.
    do 2 f_equal. apply sum_ext. intros j J. rewrite S2.
    unfold e, z_dot. rewrite !turn_with, C, O. unfold A, a, b. fold (e' j k) (e' k j).
    replace (sum d (fun f => z_dot' j f * z k f)) with (e' j k) by (apply sum_ext; intros; ring). field. exact W. }
  rewrite (sum_ext N _ _ F), (sum_ext N _ _ F'). unfold Rdiv. rewrite !sum_scale_r. do 2 f_equal.
  assert (M : forall (u : nat -> nat -> R) (Q : nat -> nat -> R), sum N (fun k => sum N (fun j => u k j * (Q j k + Q k j))) = sum N (fun k => sum N (fun j => Q k j * (u j k + u k j)))).
  { intros u Q. rewrite (sum_ext N _ (fun k => sum N (fun j => u k j * Q j k) + sum N (fun j => u k j * Q k j))) by (intros; rewrite <- sum_plus; apply sum_ext; intros; ring).
    rewrite sum_plus, sum_swap, <- sum_plus. apply sum_ext. intros. rewrite <- sum_plus. apply sum_ext. intros. ring. }
  assert (R1 := M e' P_dot). assert (R2 := M e P_dot').
  assert (R3 : sum N (fun k => sum N (fun j => P_dot k j * (e' j k + e' k j))) = sum N (fun k => sum N (fun j => P_dot' k j * (e j k + e k j)))).
  { transitivity (tau * sum N (fun k => sum N (fun j => P_dot k j * L_dot' k j))).
    - rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros j _. rewrite <- S2. unfold L_dot'. field. exact T.
    - unfold P_dot. rewrite (spreads N N P L_dot L_dot'). rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros j _.
      rewrite <- S1. unfold P_dot', L_dot. field. exact T. }
  rewrite (sum_ext N _ (fun k => sum N (fun j => e' k j * (P_dot j k + P_dot k j)) + (sum N (fun j => A k j * sum d (fun f => z_dot j f * z_dot' k f))
    + sum N (fun j => A k j * (- (s k j * sum d (fun f => z_dot k f * z_dot' k f)) - b k * e k j - a k * e' k j))))) by (intros; rewrite <- !sum_plus; apply sum_ext; intros; ring).
  rewrite (sum_ext N (fun k => sum N (fun j => e k j * _ + _)) (fun k => sum N (fun j => e k j * (P_dot' j k + P_dot' k j)) + (sum N (fun j => A j k * sum d (fun f => z_dot k f * z_dot' j f))
    + sum N (fun j => A k j * (- (s k j * sum d (fun f => z_dot k f * z_dot' k f)) - b k * e k j - a k * e' k j))))).
  - rewrite !sum_plus, R1, R2, R3. do 2 f_equal. apply sum_swap.
  - intros k _. rewrite <- !sum_plus. apply sum_ext. intros j _.
    rewrite (sum_ext d (fun f => z_dot' j f * z_dot k f) (fun f => z_dot k f * z_dot' j f)), (sum_ext d (fun f => z_dot' k f * z_dot k f) (fun f => z_dot k f * z_dot' k f)) by (intros; ring).
    unfold A. ring.
Qed.

(*! M28: outward *)
Proof.
  intros N d nu tau c w p f k A1 A2 A3 A4 A5 A6 norm_w z s L P G w_dot z_dot s_dot L_dot P_dot H B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption). assert (W := B1 k A5).
  assert (X : forall i, (i < N)%nat -> sum d (fun g => z i g * w_dot i g) = c i * norm_w i).
  { intros i I_. assert (U : sum d (fun f => z i f ^ 2) = 1) by (apply unit_rows, (B2 i I_)).
    rewrite (sum_ext d _ (fun g => c i * norm_w i * z i g ^ 2)) by (intros; unfold w_dot, z; field; apply (B2 i I_)). rewrite sum_scale, U. ring. }
  assert (Z : forall i g, (i < N)%nat -> z_dot i g = 0).
  { intros i g I_. unfold z_dot. rewrite X by exact I_. unfold w_dot, z. field. apply (B2 i I_). }
  assert (S : forall i j, (i < N)%nat -> (j < N)%nat -> s_dot i j = 0).
  { intros i j I_ J. unfold s_dot. apply sum_zero. intros g _. rewrite !Z by assumption. ring. }
  assert (Q : forall i j, (i < N)%nat -> (j < N)%nat -> P_dot i j = 0).
  { intros i j I_ J. unfold P_dot, L_dot. rewrite S by assumption. rewrite sum_zero by (intros m M; rewrite S by assumption; unfold Rdiv; ring). unfold Rdiv. ring. }
  unfold H. rewrite X by exact A5. rewrite sum_zero.
  - field. auto.
  - intros j J. rewrite !Q, !Z, S by assumption. ring.
Qed.

(*! M28: radial *)
Proof.
  intros N d nu tau w x p k A1 A2 A3 A4 A5 A6 norm_w z s L P G z_dot s_dot L_dot P_dot H B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption). assert (W := B1 k A5).
  assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
  assert (X : forall f, w k f = norm_w k * z k f) by (intros; unfold z; field; exact W).
  assert (O : sum d (fun f => z k f * z_dot k f) = 0) by (apply turn_across; exact U).
  unfold H. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * x k g)) (s k) (fun j => P_dot j k + P_dot k j)
    (fun j => G j k + G k j) (s_dot k) (z k) (z_dot k) (w k) z z_dot) by assumption.
  assert (E : forall u : nat -> R, sum d (fun f => u f * w k f) = norm_w k * sum d (fun f => u f * z k f)).
  { intros u. rewrite <- sum_scale. apply sum_ext. intros f _. rewrite X. ring. }
  assert (E1 : sum d (fun f => z k f * z k f) = 1) by (rewrite <- U; apply sum_ext; intros; ring).
  assert (E2 : sum d (fun f => z_dot k f * z k f) = 0) by (rewrite <- O; apply sum_ext; intros; ring).
  rewrite (sum_ext d (fun f => x k f * _ / tau / INR nu / norm_w k) (fun f => sum N (fun j => (z j f * x k f - s k j * (z k f * x k f)) * ((G j k + G k j) / norm_w k)) * (/ tau * / INR nu))).
  - rewrite sum_scale_r, sum_swap. unfold Rdiv at 1 2. rewrite Rmult_assoc, Ropp_mult_distr_l, <- sum_opp. f_equal. apply sum_ext. intros j J.
    rewrite !E, E1, E2, sum_scale_r, sum_minus, sum_scale.
    replace (sum d (fun f => z j f * z k f)) with (s k j) by (apply sum_ext; intros; ring).
    assert (Q := turn_with d (norm_w k) (z k) (x k) (z j)). change (fun f => z j f * ((x k f - z k f * sum d (fun g => z k g * x k g)) / norm_w k)) with (fun f => z j f * z_dot k f) in Q.
    replace (s_dot k j) with (sum d (fun f => z_dot j f * z k f) + sum d (fun f => z j f * z_dot k f)) by (unfold s_dot; rewrite <- sum_plus; apply sum_ext; intros; ring).
    rewrite Q. replace (sum d (fun f => z j f * z k f)) with (s k j) by (apply sum_ext; intros; ring). field. exact W.
  - intros f _. rewrite (sum_ext N (fun j => (z j f * x k f - _) * _) (fun j => (z j f - s k j * z k f) * (G j k + G k j) * (x k f / norm_w k))) by (intros; field; exact W).
    rewrite sum_scale_r. field. auto.
Qed.

(* The same for images, texts and the temperature. *)
Lemma between_all : forall B d (tau nu theta theta' : R) (G Q L I T x y x' y' : nat -> nat -> R), tau <> 0 -> nu <> 0 ->
  (theta * sum B (fun i => sum B (fun j => G i j * L i j)) / 2 / tau ^ 2 / nu
      - sum B (fun i => sum B (fun j => G i j * ((sum d (fun f => I i f * y j f + T j f * x i f) - theta * L i j) / tau) + L i j * Q i j)) / 2 / tau / nu) * theta'
    + sum B (fun k => sum d (fun f => (sum B (fun j => G k j * y j f + T j f * Q k j) / 2 / tau / nu
      - theta * sum B (fun j => G k j * T j f) / 2 / tau ^ 2 / nu) * x' k f))
    + sum B (fun k => sum d (fun f => (sum B (fun i => G i k * x i f + I i f * Q i k) / 2 / tau / nu
      - theta * sum B (fun i => G i k * I i f) / 2 / tau ^ 2 / nu) * y' k f))
  = (sum B (fun i => sum B (fun j => G i j * sum d (fun f => y j f * x' i f + x i f * y' j f)))
      + tau * sum B (fun i => sum B (fun j => Q i j * ((sum d (fun f => I i f * y' j f + T j f * x' i f) - theta' * L i j) / tau)))
      + sum B (fun i => sum B (fun j => G i j * (2 * theta * theta' * L i j - theta * sum d (fun f => I i f * y' j f + T j f * x' i f)
          - theta' * sum d (fun f => I i f * y j f + T j f * x i f)))) / tau) / 2 / tau / nu.
Proof. by_sums. Qed.

Lemma both_spreads : forall n (P C u v : nat -> nat -> R),
  sum n (fun i => sum n (fun j => ((u i j - sum n (fun m => u i m * P i m)) * P i j + (u i j - sum n (fun m => u m j * C m j)) * C i j) * v i j))
    = sum n (fun i => sum n (fun j => ((v i j - sum n (fun m => v i m * P i m)) * P i j + (v i j - sum n (fun m => v m j * C m j)) * C i j) * u i j)).
Proof. by_sums. Qed.

(*! M29: symmetric *)
Proof.
  intros B d tau theta theta' I T x x' y y' A1 A2 A3 L P P_c G L_dot G_dot H_1 H_2 H_3 L_dot' G_dot' H_1' H_2' H_3'.
  assert (W : tau <> 0) by lra. assert (V : INR B <> 0) by (apply not_zero, INR_pos; assumption).
  unfold H_1, H_2, H_3, H_1', H_2', H_3', L_dot, L_dot'.
  rewrite (between_all B d tau (INR B) theta theta' G G_dot L I T x y x' y'), (between_all B d tau (INR B) theta' theta G G_dot' L I T x' y' x y) by assumption.
  fold L_dot L_dot'. do 3 f_equal. f_equal; [f_equal|].
  - apply sum_ext. intros i _. apply sum_ext. intros j _. f_equal. apply sum_ext. intros. ring.
  - f_equal. exact (both_spreads B P P_c L_dot L_dot').
  - f_equal. apply sum_ext. intros i _. apply sum_ext. intros j _. f_equal. ring.
Qed.
