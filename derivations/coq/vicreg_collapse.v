(* VICReg at collapse: if all rows are equal, so are their gradients, and they stay equal. *)

Lemma collapsed : forall B (c : R), (0 < B)%nat -> c - sum B (fun _ => c) / INR B = 0.
Proof.
  intros B c P. assert (X := INR_pos B P). rewrite (sum_ext B _ (fun _ => c * 1)), sum_scale, sum_one by (intros; ring). field. lra.
Qed.

(*! R15: collapsed *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.

(*! R15: stuck *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.

(*! R15: gradient *)
Proof.
  intros. assert (V : is_derive (fun x => sum d (fun g => (mu - D (set2 z_1 k f x) g) * alpha g)) (z_1 k f) (- (y z_1 k f * alpha f / (INR B - 1) / D z_1 f)))
    by (apply (d_hinges B d z_1 k f mu epsilon alpha H3 H2); exact H6).
  assert (W : is_derive (fun x => sum d (fun g => sum d (fun h => C (set2 z_1 k f x) g h ^ 2 * differ g h))) (z_1 k f)
    (4 * sum d (fun h => differ f h * y z_1 k h * C z_1 f h) / (INR B - 1))) by apply (d_covariances B d z_1 k f H3 H2).
  unfold loss. eapply d_eq.
  - apply d_plus; [apply d_plus; [apply d_plus; [apply d_plus|]|]|].
    + apply d_scale, (d_apart B d z_1 z_2 k f H3 H2).
    + apply d_scale, V.
    + apply d_const.
    + apply d_scale, W.
    + apply d_const.
  - rewrite (sum_ext d (fun g => differ f g * C z_1 f g * y z_1 k g) (fun h => differ f h * y z_1 k h * C z_1 f h)) by (intros; ring).
    field. split; [apply H5, H2|assumption].
Qed.
