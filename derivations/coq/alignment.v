(* Alignment: the mean of a power of the distance between two views (document F). *)

Lemma root_of_square : forall x, 0 < 1 + x - 1 -> 1 * exp (2 * ln (1 + x - 1) / 2) = x.
Proof.
  intros x X. replace (2 * ln (1 + x - 1) / 2) with (ln (1 + x - 1)) by field. rewrite exp_ln by exact X. ring.
Qed.

(*! F12: log *)
Proof.
  intros. unfold ell, psi_held. rewrite Rmult_1_l, ln_exp. do 3 f_equal. ring.
Qed.

(*! F12: square *)
Proof. intros. unfold loss. f_equal. apply sum_ext. intros i I_. apply root_of_square, H2, I_. Qed.

(*! F12: byol *)
Proof. intros. apply root_of_square, H2. Qed.
