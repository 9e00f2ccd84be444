(* VICReg: equal views, whose columns vary and are uncorrelated (document F). *)

(*! F27: alignment *)
Proof.
  intros. f_equal. apply sum_ext. intros i I_. assert (P := H1 i I_). unfold ell, psi_held, alpha_e in *.
  replace (2 * ln (1 + norm_Deltanorm__2 i i - 1) / 2) with (ln (1 + norm_Deltanorm__2 i i - 1)) by field.
  rewrite exp_ln by exact P. unfold norm_Deltanorm__2. ring.
Qed.

(*! F27: barlow *)
Proof.
  intros. assert (X := INR_pos B H). assert (a := H1 f). assert (b := H1 g). unfold C.
  rewrite (sum_ext B _ (fun i => / (sigma_1 f * sigma_1 g) * (Z_tilde_1 i f * Z_tilde_1 i g))).
  - rewrite sum_scale. unfold Gamma_1. field. repeat split; assumption || lra.
  - intros i _. change (Z_circumflex_2 i g) with (Z_circumflex_1 i g). unfold Z_circumflex_1. field. split; assumption.
Qed.

Lemma squares : forall B (y : nat -> R), sum B (fun i => y i * y i) = sum B (fun i => y i ^ 2).
Proof. intros. apply sum_ext. intros. ring. Qed.

(*! F28: z1 *)
Proof.
  intros. assert (b := INR_pos B H). assert (e := INR_pos d H0).
  assert (A := d_apart B d Z_1 Z_2 k f H4 H5).
  assert (C : is_derive (fun x => sum d (fun g => sum d (fun h => Gamma_1 (set2 Z_1 k f x) g h ^ 2 * differ g h))) (Z_1 k f)
    (4 * sum d (fun h => differ f h * Z_tilde_1 Z_1 k h * Gamma_1 Z_1 f h) / (INR B - 1))) by apply (d_covariances B d Z_1 k f H4 H5).
  assert (V := d_hinges B d Z_1 k f gamma_0 epsilon_plus eta_1 H4 H5). cbv zeta in V.
  assert (S : forall z g, sqrt (epsilon_plus + sum B (fun i => Z_tilde_1 z i g * Z_tilde_1 z i g) / (INR B - 1)) = S_1 z g)
    by (intros z g; unfold S_1; rewrite (squares B (fun i => Z_tilde_1 z i g)); reflexivity).
  assert (P : forall f, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i => Z_tilde_1 Z_1 i f * Z_tilde_1 Z_1 i f) / (INR B - 1))
    by (intros g G; rewrite (squares B (fun i => Z_tilde_1 Z_1 i g)); apply H8, G).
  specialize (V P).
  assert (V' : is_derive (fun x => sum d (fun g => (gamma_0 - S_1 (set2 Z_1 k f x) g) * eta_1 g)) (Z_1 k f) (- (Z_tilde_1 Z_1 k f * eta_1 f / (INR B - 1) / S_1 Z_1 f))).
  { apply (is_derive_ext _ _ _ _ (fun x => sum_ext d _ _ (fun g _ => f_equal (fun s => (gamma_0 - s) * eta_1 g) (S (set2 Z_1 k f x) g)))).
    rewrite <- S. exact V. }
  unfold loss. eapply d_eq.
  - apply d_plus; [apply d_plus|].
    + apply d_scale, d_plus; [apply d_over, V'|apply d_const].
    + apply d_scale, d_plus; [apply d_over, C|apply d_const].
    + apply d_over, d_scale, A.
  - field. repeat split; lra || apply H7, H5 || assumption.
Qed.

(*! F28: z2 *)
Proof.
  intros. assert (b := INR_pos B H). assert (e := INR_pos d H0).
  assert (A : is_derive (fun x => sum B (fun i => sum d (fun f' => (Z_1 i f' - set2 Z_2 k f x i f') ^ 2))) (Z_2 k f) (2 * (Z_2 k f - Z_1 k f))).
  { apply (is_derive_ext (fun x => sum B (fun i => sum d (fun g => (set2 Z_2 k f x i g - Z_1 i g) ^ 2)))); [|apply (d_apart B d Z_2 Z_1 k f H4 H5)].
    intros x. apply sum_ext. intros i _. apply sum_ext. intros. ring. }
  assert (C : is_derive (fun x => sum d (fun g => sum d (fun h => Gamma_2 (set2 Z_2 k f x) g h ^ 2 * differ g h))) (Z_2 k f)
    (4 * sum d (fun h => differ f h * Z_tilde_2 Z_2 k h * Gamma_2 Z_2 f h) / (INR B - 1))) by apply (d_covariances B d Z_2 k f H4 H5).
  assert (V := d_hinges B d Z_2 k f gamma_0 epsilon_plus eta_2 H4 H5). cbv zeta in V.
  assert (S : forall z g, sqrt (epsilon_plus + sum B (fun i => Z_tilde_2 z i g * Z_tilde_2 z i g) / (INR B - 1)) = S_2 z g)
    by (intros z g; unfold S_2; rewrite (squares B (fun i => Z_tilde_2 z i g)); reflexivity).
  assert (P : forall f, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i => Z_tilde_2 Z_2 i f * Z_tilde_2 Z_2 i f) / (INR B - 1))
    by (intros g G; rewrite (squares B (fun i => Z_tilde_2 Z_2 i g)); apply H9, G).
  specialize (V P).
  assert (V' : is_derive (fun x => sum d (fun g => (gamma_0 - S_2 (set2 Z_2 k f x) g) * eta_2 g)) (Z_2 k f) (- (Z_tilde_2 Z_2 k f * eta_2 f / (INR B - 1) / S_2 Z_2 f))).
  { apply (is_derive_ext _ _ _ _ (fun x => sum_ext d _ _ (fun g _ => f_equal (fun s => (gamma_0 - s) * eta_2 g) (S (set2 Z_2 k f x) g)))).
    rewrite <- S. exact V. }
  unfold loss. eapply d_eq.
  - apply d_plus; [apply d_plus|].
    + apply d_scale, d_plus; [apply d_const|apply d_over, V'].
    + apply d_scale, d_plus; [apply d_const|apply d_over, C].
    + apply d_over, d_scale, A.
  - field. repeat split; lra || apply H7, H5 || assumption.
Qed.
