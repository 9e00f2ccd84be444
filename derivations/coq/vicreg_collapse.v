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
