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
