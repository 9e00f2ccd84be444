(* VICReg: equal views, whose columns vary and are uncorrelated (document F). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! F27: first *)
Theorem F27_first :
  forall (B d : nat) (gamma_0 epsilon_plus : R) (Z_1 Z_2 : nat -> nat -> R) (eta_1 eta_2 : nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon_plus) ->
  (forall i : nat, 0 <= eta_1 i) ->
  (forall i : nat, 0 <= eta_2 i) ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let S_1 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1)) in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let S_2 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_2 i f ^ 2) / (INR B - 1)) in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  let Gamma_2 (f g : nat) : R := sum B (fun i : nat => Z_tilde_2 i f * Z_tilde_2 i g) / (INR B - 1) in
  let iota_0 : R := 1 in
  let mu_0 : R := 0 in
  let rho_0 : R := 0 in
  let loss : R := mu_0 * (sum d (fun f : nat => (gamma_0 - S_1 f) * eta_1 f) / INR d + sum d (fun f : nat =>
    (gamma_0 - S_2 f) * eta_2 f) / INR d) + rho_0 * (sum d (fun f : nat => sum d (fun g : nat => Gamma_1 f g ^
    2 * differ f g)) / INR d + sum d (fun f : nat => sum d (fun g : nat => Gamma_2 f g ^ 2 * differ f g)) /
    INR d) + iota_0 * sum B (fun i : nat => sum d (fun f : nat => (Z_1 i f - Z_2 i f) ^ 2)) / INR B in
  (INR B - 1 <> 0) ->
  (forall f : nat, (f < d)%nat -> 0 <= epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1))
    ->
  (forall f : nat, (f < d)%nat -> 0 <= epsilon_plus + sum B (fun i : nat => Z_tilde_2 i f ^ 2) / (INR B - 1))
    ->
  loss = sum B (fun i : nat => sum d (fun f : nat => (Z_1 i f - Z_2 i f) ^ 2)) / INR B.
(*! *)
Proof. by_sums. Qed.

(*! F27: sign *)
Theorem F27_sign :
  forall (B : nat) (Z_tilde_1 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  0 <= sum B (fun i : nat => Z_tilde_1 i f ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! F27: sum *)
Theorem F27_sum :
  forall (B : nat) (Z_1 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  (INR B - 1 <> 0) ->
  (INR B - 1) * Gamma_1 f f = sum B (fun i : nat => Z_tilde_1 i f ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! F27: variance *)
Theorem F27_variance :
  forall (B : nat) (epsilon_plus : R) (Z_1 : nat -> nat -> R) (f : nat),
  (0 < epsilon_plus) ->
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let S_1 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1)) in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  (INR B - 1 <> 0) ->
  (forall f : nat, 0 <= epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1)) ->
  S_1 f ^ 2 = epsilon_plus + Gamma_1 f f.
(*! *)
Proof. by_sums. Qed.

(*! F28: together *)
Theorem F28_together :
  forall (B d : nat) (epsilon_plus mu_0 rho_0 : R) (Z_1 : nat -> nat -> R) (eta_1 : nat -> R) (f : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (forall i : nat, 0 <= eta_1 i) ->
  (0 < epsilon_plus) ->
  (f < d)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let S_1 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1)) in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  (INR B - 1 <> 0) ->
  (forall f : nat, (f < d)%nat -> S_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> 0 <= epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1))
    ->
  sum B (fun k : nat => 4 * rho_0 * sum d (fun h : nat => differ f h * Z_tilde_1 k h * Gamma_1 f h) / INR d /
    (INR B - 1) - mu_0 * Z_tilde_1 k f * eta_1 f / INR d / (INR B - 1) / S_1 f) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F27: alignment *)
Theorem F27_alignment :
  forall (B d : nat) (Z_1 Z_2 : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  let alpha_e : R := 2 in
  let psi_held (i : nat) : R := 1 in
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  let ell (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2) in
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  sum B (fun i : nat => ell i) / INR B = sum B (fun i : nat => sum d (fun f : nat => (Z_1 i f - Z_2 i f) ^ 2))
    / INR B.
(*! *)
Proof.
  intros. f_equal. apply sum_ext. intros i I_. assert (P := H1 i I_). unfold ell, psi_held, alpha_e in *.
  replace (2 * ln (1 + norm_Deltanorm__2 i i - 1) / 2) with (ln (1 + norm_Deltanorm__2 i i - 1)) by field.
  rewrite exp_ln by exact P. unfold norm_Deltanorm__2. ring.
Qed.

(*! F27: barlow *)
Theorem F27_barlow :
  forall (B : nat) (Z_1 : nat -> nat -> R) (f g : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_2 (i f : nat) : R := Z_1 i f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  (INR B - 1 <> 0) ->
  (forall f : nat, sigma_1 f <> 0) ->
  (forall f : nat, sigma_2 f <> 0) ->
  Gamma_1 f g = INR B * sigma_1 f * sigma_1 g * C f g / (INR B - 1).
(*! *)
Proof.
  intros. assert (X := INR_pos B H). assert (a := H1 f). assert (b := H1 g). unfold C.
  rewrite (sum_ext B _ (fun i => / (sigma_1 f * sigma_1 g) * (Z_tilde_1 i f * Z_tilde_1 i g))).
  - rewrite sum_scale. unfold Gamma_1. field. repeat split; assumption || lra.
  - intros i _. change (Z_circumflex_2 i g) with (Z_circumflex_1 i g). unfold Z_circumflex_1. field. split; assumption.
Qed.

Lemma squares : forall B (y : nat -> R), sum B (fun i => y i * y i) = sum B (fun i => y i ^ 2).
Proof. intros. apply sum_ext. intros. ring. Qed.

(*! F28: z1 *)
Theorem F28_z1 :
  forall (B d : nat) (gamma_0 epsilon_plus iota_0 mu_0 rho_0 : R) (Z_1 Z_2 : nat -> nat -> R) (eta_1 eta_2 :
    nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (forall i : nat, 0 <= eta_1 i) ->
  (0 < epsilon_plus) ->
  (forall i : nat, 0 <= eta_2 i) ->
  (k < B)%nat ->
  (f < d)%nat ->
  let Z_macron_1 (Z_1 : nat -> nat -> R) (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (Z_1 : nat -> nat -> R) (i f : nat) : R := Z_1 i f - Z_macron_1 Z_1 f in
  let S_1 (Z_1 : nat -> nat -> R) (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_1 Z_1 i
    f ^ 2) / (INR B - 1)) in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let S_2 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_2 i f ^ 2) / (INR B - 1)) in
  let Gamma_1 (Z_1 : nat -> nat -> R) (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 Z_1 i f * Z_tilde_1
    Z_1 i g) / (INR B - 1) in
  let Gamma_2 (f g : nat) : R := sum B (fun i : nat => Z_tilde_2 i f * Z_tilde_2 i g) / (INR B - 1) in
  let loss (Z_1 : nat -> nat -> R) : R := mu_0 * (sum d (fun f : nat => (gamma_0 - S_1 Z_1 f) * eta_1 f) / INR
    d + sum d (fun f : nat => (gamma_0 - S_2 f) * eta_2 f) / INR d) + rho_0 * (sum d (fun f : nat => sum d
    (fun g : nat => Gamma_1 Z_1 f g ^ 2 * differ f g)) / INR d + sum d (fun f : nat => sum d (fun g : nat =>
    Gamma_2 f g ^ 2 * differ f g)) / INR d) + iota_0 * sum B (fun i : nat => sum d (fun f : nat => (Z_1 i f -
    Z_2 i f) ^ 2)) / INR B in
  (INR B - 1 <> 0) ->
  (forall f : nat, (f < d)%nat -> S_1 Z_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i : nat => Z_tilde_1 Z_1 i f ^ 2) / (INR B -
    1)) ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i : nat => Z_tilde_2 i f ^ 2) / (INR B - 1))
    ->
  is_derive (fun x : R => loss (set2 Z_1 k f x)) (Z_1 k f) (2 * iota_0 * (Z_1 k f - Z_2 k f) / INR B + 4 *
    rho_0 * sum d (fun h : nat => differ f h * Z_tilde_1 Z_1 k h * Gamma_1 Z_1 f h) / INR d / (INR B - 1) -
    mu_0 * Z_tilde_1 Z_1 k f * eta_1 f / INR d / (INR B - 1) / S_1 Z_1 f).
(*! *)
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
Theorem F28_z2 :
  forall (B d : nat) (gamma_0 epsilon_plus iota_0 mu_0 rho_0 : R) (Z_1 Z_2 : nat -> nat -> R) (eta_1 eta_2 :
    nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (forall i : nat, 0 <= eta_2 i) ->
  (0 < epsilon_plus) ->
  (forall i : nat, 0 <= eta_1 i) ->
  (k < B)%nat ->
  (f < d)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let S_1 (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1)) in
  let Z_macron_2 (Z_2 : nat -> nat -> R) (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (Z_2 : nat -> nat -> R) (i f : nat) : R := Z_2 i f - Z_macron_2 Z_2 f in
  let S_2 (Z_2 : nat -> nat -> R) (f : nat) : R := sqrt (epsilon_plus + sum B (fun i : nat => Z_tilde_2 Z_2 i
    f ^ 2) / (INR B - 1)) in
  let Gamma_1 (f g : nat) : R := sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_1 i g) / (INR B - 1) in
  let Gamma_2 (Z_2 : nat -> nat -> R) (f g : nat) : R := sum B (fun i : nat => Z_tilde_2 Z_2 i f * Z_tilde_2
    Z_2 i g) / (INR B - 1) in
  let loss (Z_2 : nat -> nat -> R) : R := mu_0 * (sum d (fun f : nat => (gamma_0 - S_1 f) * eta_1 f) / INR d +
    sum d (fun f : nat => (gamma_0 - S_2 Z_2 f) * eta_2 f) / INR d) + rho_0 * (sum d (fun f : nat => sum d
    (fun g : nat => Gamma_1 f g ^ 2 * differ f g)) / INR d + sum d (fun f : nat => sum d (fun g : nat =>
    Gamma_2 Z_2 f g ^ 2 * differ f g)) / INR d) + iota_0 * sum B (fun i : nat => sum d (fun f : nat => (Z_1 i
    f - Z_2 i f) ^ 2)) / INR B in
  (INR B - 1 <> 0) ->
  (forall f : nat, (f < d)%nat -> S_2 Z_2 f <> 0) ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i : nat => Z_tilde_1 i f ^ 2) / (INR B - 1))
    ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon_plus + sum B (fun i : nat => Z_tilde_2 Z_2 i f ^ 2) / (INR B -
    1)) ->
  is_derive (fun x : R => loss (set2 Z_2 k f x)) (Z_2 k f) (2 * iota_0 * (Z_2 k f - Z_1 k f) / INR B + 4 *
    rho_0 * sum d (fun h : nat => differ f h * Z_tilde_2 Z_2 k h * Gamma_2 Z_2 f h) / INR d / (INR B - 1) -
    mu_0 * Z_tilde_2 Z_2 k f * eta_2 f / INR d / (INR B - 1) / S_2 Z_2 f).
(*! *)
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
