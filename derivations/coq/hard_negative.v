(* Debiased and hard negatives: NT-Xent with weighted negatives and the anchor's own class subtracted (document F). *)

(*! F31: least *)
Proof. intros. assert (L := ln_below (exp ((1 + s i j) / tau)) ltac:(sign)). rewrite ln_exp in L. exact L. Qed.

(*! F31: ntxent *)
Proof.
  intros. assert (E := exp_pos (L i (p i))). assert (S := over_below _ _ E (H6 i H3)).
  assert (F : forall m, exp (beta_0 * L i m) = 1) by (intros; unfold beta_0; rewrite Rmult_0_l; apply exp_0).
  assert (O2 : forall f, sum N (fun m => O_minus i m * f m) = sum N (fun m => differ m i * f m) - f (p i)).
  { intros f. unfold O_minus. rewrite (sum_ext N _ (fun m => differ m i * f m - delta m (p i) * (differ m i * f m))) by (intros; rewrite (differ_delta _ (p i)); ring).
    rewrite sum_minus, sum_delta, (differ_pos _ _ (H2 i)) by auto. ring. }
  assert (C : sum N (fun m => O_minus i m * exp (beta_0 * L i m)) = INR N - 2).
  { rewrite (O2 (fun m => exp (beta_0 * L i m))), F, (sum_ext N _ (fun m => 1 - delta m i * 1)) by (intros; rewrite F, differ_delta; ring).
    rewrite sum_minus, sum_one, sum_delta by assumption. ring. }
  assert (Z := H8 i H3). rewrite C in Z.
  assert (R1 : R_circumflex i = sum N (fun k => differ k i * exp (L i k)) - exp (L i (p i))).
  { rewrite <- (O2 (fun m => exp (L i m))). unfold R_circumflex, W. rewrite C. apply sum_ext. intros m _. rewrite F. field. exact Z. }
  unfold ell, N_minus, eta_minus, pi_plus. rewrite R1.
  replace (phi_0 * (1 - 1) + _ * 1 / (1 - 0) + exp (L i (p i))) with (sum N (fun k => differ k i * exp (L i k))) by field.
  unfold Rdiv. rewrite ln_mult, ln_exp, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). ring.
Qed.

(* The derivative of a row's loss by a variable of its logits and of φ₀. *)
Lemma d_debiased : forall B (c beta tp eta : R) (o : nat -> R) q (phi : R -> R) phi' (L : R -> nat -> R) (l : nat -> R) x, (q < B)%nat ->
  is_derive phi x phi' -> (forall j, (j < B)%nat -> is_derive (fun y => L y j) x (l j)) ->
  let W y j := c * exp (beta * L y j) / sum B (fun m => o m * exp (beta * L y m)) in
  let R_ y := sum B (fun m => W y m * o m * exp (L y m)) in
  let N_ y := phi y * (1 - eta) + (R_ y - tp * c * exp (L y q)) * eta / (1 - tp) in
  let D y := N_ y + exp (L y q) in
  let P j := W x j * eta * o j * exp (L x j) / (1 - tp) / D x in
  let rho j := o j * exp (beta * L x j) / sum B (fun m => o m * exp (beta * L x m)) in
  sum B (fun m => o m * exp (beta * L x m)) <> 0 -> 1 - tp <> 0 -> 0 < D x ->
  is_derive (fun y => ln (D y) - L y q) x
    (phi' * (1 - eta) / D x
      + sum B (fun j => ((1 + beta) * P j - (phi x * (1 - eta) / D x + sum B (fun m => P m)) * delta j q - beta * rho j * sum B (fun m => P m)) * l j)).
Proof.
  intros B c beta tp eta o q phi phi' L l x Q Dphi DL W R_ N_ D P rho S T D0.
  pose (s := fun y => sum B (fun m => o m * exp (beta * L y m))). pose (t := fun y => sum B (fun m => o m * exp (beta * L y m + L y m))).
  assert (E : forall y, R_ y = c * t y / s y).
  { intros y. unfold R_, t, s, W, Rdiv. rewrite <- sum_scale, <- sum_scale_r. apply sum_ext. intros j _. rewrite exp_plus. ring. }
  assert (DR : is_derive R_ x ((1 + beta) * sum B (fun j => W x j * o j * exp (L x j) * l j) - beta * R_ x * sum B (fun j => rho j * l j))).
  { apply (is_derive_ext (fun y => c * t y / s y)); [intros; symmetry; apply E|]. eapply d_eq.
    - apply (d_div (fun y => c * t y) s); [apply (d_scale t)| |exact S].
      + apply (d_sum B (fun m y => o m * exp (beta * L y m + L y m))). intros m M. apply (d_scale (fun y => exp (beta * L y m + L y m))), (d_exp (fun y => beta * L y m + L y m)).
        apply (d_plus (fun y => beta * L y m)); [apply (d_scale (fun y => L y m))|]; apply DL, M.
      + apply (d_sum B (fun m y => o m * exp (beta * L y m))). intros m M. apply (d_scale (fun y => exp (beta * L y m))), (d_exp (fun y => beta * L y m)), (d_scale (fun y => L y m)), DL, M.
    - cbv beta. rewrite E. fold (s x).
      rewrite (sum_ext B (fun j => W x j * o j * exp (L x j) * l j) (fun j => c * / s x * (o j * (exp (beta * L x j + L x j) * l j)))) by (intros; unfold W; fold (s x); rewrite exp_plus; unfold Rdiv; ring).
      rewrite (sum_ext B (fun j => rho j * l j) (fun j => / s x * (o j * (exp (beta * L x j) * l j)))) by (intros; unfold rho; fold (s x); unfold Rdiv; ring).
      rewrite (sum_ext B (fun k => o k * (exp (beta * L x k + L x k) * _)) (fun j => (1 + beta) * (o j * (exp (beta * L x j + L x j) * l j)))) by (intros; ring).
      rewrite (sum_ext B (fun k => o k * (exp (beta * L x k) * (beta * l k))) (fun j => beta * (o j * (exp (beta * L x j) * l j)))) by (intros; ring).
      rewrite !sum_scale. field. exact S. }
  assert (DE : is_derive (fun y => exp (L y q)) x (exp (L x q) * l q)) by (apply (d_exp (fun y => L y q)), DL, Q).
  eapply d_eq.
  - apply (d_minus (fun y => ln (D y)) (fun y => L y q)); [|apply DL, Q]. apply (d_ln D); [|exact D0].
    apply (d_plus N_ (fun y => exp (L y q))); [|exact DE]. apply (d_plus (fun y => phi y * (1 - eta))); [apply (d_scale_r phi), Dphi|].
    apply (d_over (fun y => (R_ y - tp * c * exp (L y q)) * eta)), (d_scale_r (fun y => R_ y - tp * c * exp (L y q))), (d_minus R_); [exact DR|].
    apply (d_scale (fun y => exp (L y q))), DE.
  - pose (b := eta / (1 - tp) / D x).
    assert (SP : sum B (fun m => P m) = b * R_ x) by (unfold R_; rewrite <- sum_scale; apply sum_ext; intros; unfold P, b, Rdiv; ring).
    rewrite SP. rewrite (sum_ext B (fun j => ((1 + beta) * P j - (phi x * (1 - eta) / D x + b * R_ x) * delta j q - beta * rho j * (b * R_ x)) * l j) (fun j => (1 + beta) * b * (W x j * o j * exp (L x j) * l j) - delta j q * ((phi x * (1 - eta) / D x + b * R_ x) * l j) - beta * b * R_ x * (rho j * l j)))
      by (intros; unfold P, b, Rdiv; ring).
    rewrite !sum_minus, !sum_scale, (sum_delta B q (fun j => (phi x * (1 - eta) / D x + b * R_ x) * l j)) by exact Q.
    assert (X : exp (L x q) = D x - phi x * (1 - eta) - (R_ x - tp * c * exp (L x q)) * eta / (1 - tp)) by (unfold D, N_; ring).
    set (A := sum B (fun j => W x j * o j * exp (L x j) * l j)) in *. set (V := sum B (fun j => rho j * l j)) in *. set (e := exp (L x q)) in *.
    assert (Y : (e - tp * c * e * eta / (1 - tp)) = D x - phi x * (1 - eta) - R_ x * eta / (1 - tp)) by (rewrite X at 1; field; exact T).
    transitivity (phi' * (1 - eta) / D x + ((1 + beta) * b * A - beta * b * R_ x * V) + ((e - tp * c * e * eta / (1 - tp)) / D x - 1) * l q); [unfold b; field; split; [exact T|lra]|].
    rewrite Y. unfold b. field. split; [exact T|lra].
Qed.

(*! F30: sum *)
Proof.
  intros. assert (R1 : sum N (rho i) = 1) by (apply (shares N (fun j => O_minus i j * exp (beta_0 * L i j))), H8, H5). unfold G.
  rewrite (sum_ext N _ (fun j => (1 + beta_0) * P i j - delta j (p i) * (phi_minus i + sum N (fun m => P i m)) - beta_0 * sum N (fun m => P i m) * rho i j)) by (intros; ring).
  rewrite !sum_minus, !sum_scale, (sum_delta N (p i) (fun _ => phi_minus i + sum N (fun m => P i m))) by auto.
  change (sum N (fun k => rho i k)) with (sum N (rho i)). rewrite R1. change (sum N (fun k => P i k)) with (sum N (P i)). ring.
Qed.

(*! F30: w *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [assumption|]. intros i I_.
  pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k).
  assert (D := d_debiased N (INR N - 2) beta_0 pi_plus (eta_minus i) (O_minus i) (p i) (fun _ => phi_0) 0 (fun x => L (set2 w k f x) i) (fun j => (delta i k * a j + delta j k * a i) / tau) (w k f)
    (H8 i I_) (d_const _ _)).
  cbv zeta beta in D. rewrite set2_same in D. eapply d_eq; [apply D|].
  - intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - apply H12, I_.
  - assumption.
  - apply H14, I_.
  - unfold Rdiv at 1. rewrite !Rmult_0_l, Rplus_0_l. reflexivity.
Qed.

(*! F30: temperature *)
Proof.
  intros. apply d_eq with (sum N (fun i => phi_minus tau i / tau / tau + sum N (fun j => G tau i j * (- L tau i j / tau))) / INR nu).
  - apply (d_over (fun tau => sum N (fun i => ell tau i))), (d_sum N (fun i tau => ell tau i)). intros i I_.
    assert (D := d_debiased N (INR N - 2) beta_0 pi_plus (eta_minus i) (O_minus i) (p i) phi_0 (phi_0 tau / tau / tau) (fun x => L x i) (fun j => - L tau i j / tau) tau (H6 i I_)).
    cbv zeta in D. eapply d_eq; [apply D|].
    + unfold phi_0. eapply d_eq; [diff; lra|]. field. lra.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
    + apply H9, I_.
    + assumption.
    + apply H11, I_.
    + apply (f_equal2 Rplus); [|reflexivity].
      transitivity (phi_0 tau / tau / tau * (1 - eta_minus i) / (N_minus tau i + exp (L tau i (p i)))); [reflexivity|unfold phi_minus, Rdiv; ring].
  - apply (f_equal (fun t => t / INR nu)). rewrite sum_plus.
    rewrite (sum_ext N (fun i => phi_minus tau i / tau / tau) (fun i => / tau * / tau * phi_minus tau i)) by (intros; unfold Rdiv; ring).
    rewrite (sum_ext N (fun i => sum N (fun j => G tau i j * (- L tau i j / tau))) (fun i => - / tau * sum N (fun j => G tau i j * L tau i j)))
      by (intros; rewrite <- sum_scale; apply sum_ext; intros; unfold Rdiv; ring).
    rewrite !sum_scale. change (sum N (fun i => phi_minus tau i)) with (sum N (phi_minus tau)). unfold Rdiv. ring.
Qed.
