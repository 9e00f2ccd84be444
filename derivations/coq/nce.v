(* Noise-contrastive estimation: binary classification of each datum against M noise samples (D2, Eq. 1; D3). *)

(*! D3.18: terms *)
Proof.
  intros. unfold loss. rewrite <- Ropp_div, <- sum_opp. f_equal. apply sum_ext. intros i _.
  assert (E : ln (1 + INR M * exp (lambda i - u_plus i)) = - ln (h i)).
  { symmetry. apply odds; [sign|assert (X := INR_pos M H); sign|]. unfold Rminus. rewrite exp_plus, exp_Ropp. field.
    apply not_zero, exp_pos. }
  rewrite E. ring.
Qed.

Lemma sample : forall m u l, 0 < m -> 1 / (1 - exp u / (m * exp l + exp u)) = 1 + exp (u - l) / m.
Proof.
  intros m u l P. assert (U := exp_pos u). assert (L := exp_pos l). assert (X := Rmult_lt_0_compat _ _ P L).
  replace (1 - exp u / (m * exp l + exp u)) with (m * exp l / (m * exp l + exp u)) by (field; lra).
  unfold Rminus. rewrite exp_plus, exp_Ropp. field. repeat split; lra.
Qed.

(*! D2.1: sample *)
Proof. intros. apply sample, INR_pos. assumption. Qed.

(*! D2.1: shifted *)
Proof.
  intros. unfold ell. assert (S : 0 < sum A (fun m => exp (u i m))) by sign.
  rewrite (sum_ext A (fun a => exp (c + u i a)) (fun a => exp c * exp (u i a))) by (intros; apply exp_plus).
  rewrite sum_scale. unfold Rdiv. rewrite !ln_mult, ln_Rinv, !ln_exp by (sign || apply Rinv_0_lt_compat; sign). ring.
Qed.
