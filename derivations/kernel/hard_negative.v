(* Debiased and hard negatives: NT-Xent with weighted negatives and the anchor's own class subtracted (document F). *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! F29: open *)
Theorem F29_open :
  forall (N d : nat) (beta_0 tau tau_plus : R) (O_minus w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let eta_minus (i : nat) : R := 1 in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex i - tau_plus * (INR N - 2) * exp (L i
    (p i))) * eta_minus i / (1 - tau_plus) in
  (1 - tau_plus <> 0) ->
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  N_minus i = (R_circumflex i - tau_plus * (INR N - 2) * exp (L i (p i))) / (1 - tau_plus).
(*! *)
Proof. by_sums. Qed.

(*! F29: positive *)
Theorem F29_positive :
  forall (L : nat -> nat -> R) (i j : nat),
  0 < exp (L i j).
(*! *)
Proof. by_signs. Qed.

(*! F29: printed *)
Theorem F29_printed :
  forall (L : nat -> nat -> R) (N_minus : nat -> R) (p : nat -> nat) (i : nat),
  let ell (i : nat) : R := ln (N_minus i + exp (L i (p i))) - L i (p i) in
  (forall i : nat, 0 < N_minus i + exp (L i (p i))) ->
  exp (- (ell i)) = exp (L i (p i)) / (N_minus i + exp (L i (p i))).
(*! *)
Proof. by_sums. Qed.

(*! F29: shut *)
Theorem F29_shut :
  forall (N d : nat) (beta_0 tau tau_plus : R) (O_minus w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let eta_minus (i : nat) : R := 0 in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex i - tau_plus * (INR N - 2) * exp (L i
    (p i))) * eta_minus i / (1 - tau_plus) in
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  N_minus i = (INR N - 2) * exp (- (1 / tau)).
(*! *)
Proof. by_sums. Qed.

(*! F29: sum *)
Theorem F29_sum :
  forall (N d : nat) (beta_0 tau : R) (O_minus w : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_0) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  sum N (fun m : nat => W i m * O_minus i m) = INR N - 2.
(*! *)
Proof. by_sums. Qed.

(*! F31: bracket *)
Theorem F31_bracket :
  forall (d : nat) (tau : R) (w : nat -> nat -> R) (i j : nat),
  (0 < tau) ->
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  (forall i : nat, norm_w i <> 0) ->
  (exp (L i j) - exp (- (1 / tau))) * exp (1 / tau) = exp ((1 + s i j) / tau) - 1.
(*! *)
Proof. by_sums. Qed.

(*! F31: excess *)
Theorem F31_excess :
  forall (N d : nat) (beta_0 tau : R) (O_minus w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 <= beta_0) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let tau_plus : R := 0 in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  (1 - tau_plus <> 0) ->
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  (R_circumflex i - tau_plus * (INR N - 2) * exp (L i (p i))) / (1 - tau_plus) - phi_0 = sum N (fun m : nat =>
    (exp (L i m) - exp (- (1 / tau))) * W i m * O_minus i m).
(*! *)
Proof. by_sums. Qed.

(*! F31: opposite *)
Theorem F31_opposite :
  forall (d : nat) (w : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  1 + s i j = sum d (fun f : nat => (z i f + z j f) ^ 2) / 2.
(*! *)
Proof. by_sums. Qed.

(*! F31: square *)
Theorem F31_square :
  forall (d : nat) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f + z j f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.

(*! F31: least *)
Theorem F31_least :
  forall (tau : R) (s : nat -> nat -> R) (i j : nat),
  (0 < tau) ->
  (1 + s i j) / tau <= exp ((1 + s i j) / tau) - 1.
(*! *)
Proof. intros. assert (L := ln_below (exp ((1 + s i j) / tau)) ltac:(sign)). rewrite ln_exp in L. exact L. Qed.

Lemma softplus_of : forall l r s, 0 < r -> s = r + exp l -> ln s - l = ln (1 + exp (ln r - l)).
Proof.
  intros l r s P ->. assert (E := exp_pos l). apply odds_of; [lra|]. unfold Rminus. rewrite exp_plus, exp_ln, exp_Ropp by exact P. field. lra.
Qed.

(*! F31: softplus *)
Theorem F31_softplus :
  forall (N d : nat) (beta_0 tau : R) (O_minus w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let eta_minus (i : nat) : R := 1 in
  let tau_plus : R := 0 in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex i - tau_plus * (INR N - 2) * exp (L i
    (p i))) * eta_minus i / (1 - tau_plus) in
  let ell (i : nat) : R := ln (N_minus i + exp (L i (p i))) - L i (p i) in
  let ell_d (i : nat) : R := ln (R_circumflex i) - L i (p i) in
  (forall i : nat, norm_w i <> 0) ->
  (forall i : nat, sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  (forall i : nat, 0 < N_minus i + exp (L i (p i))) ->
  (forall i : nat, 0 < R_circumflex i) ->
  ell i = ln (1 + exp (ell_d i)).
(*! *)
Proof.
  intros. apply softplus_of; [apply H8|]. unfold N_minus, eta_minus, tau_plus. field.
Qed.

(*! F31: ntxent *)
Theorem F31_ntxent :
  forall (N d : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let O_minus (i j : nat) : R := differ j i * differ j (p i) in
  let beta_0 : R := 0 in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let eta_minus (i : nat) : R := 1 in
  let tau_plus : R := 0 in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex i - tau_plus * (INR N - 2) * exp (L i
    (p i))) * eta_minus i / (1 - tau_plus) in
  let ell (i : nat) : R := ln (N_minus i + exp (L i (p i))) - L i (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < N_minus i + exp (L i (p i))) ->
  ell i = - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))).
(*! *)
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
  unfold ell, N_minus, eta_minus, tau_plus. rewrite R1.
  replace (phi_0 * (1 - 1) + _ * 1 / (1 - 0) + exp (L i (p i))) with (sum N (fun k => differ k i * exp (L i k))) by field.
  unfold Rdiv. rewrite ln_mult, ln_exp, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). ring.
Qed.

(*! F29: below *)
Theorem F29_below :
  let N : nat := (4)%nat in
  let d : nat := (1)%nat in
  let beta_0 : R := 0 in
  let tau : R := 1 in
  let tau_plus : R := 1 / 2 in
  let O_minus : nat -> nat -> R := list2 ((0 :: 1 :: 0 :: 1 :: nil) :: nil)%list in
  let w : nat -> nat -> R := list2 ((1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: nil)%list in
  let p : nat -> nat := (places (2 :: 3 :: 0 :: 1 :: nil))%nat in
  let i : nat := (0)%nat in
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  (R_circumflex i - tau_plus * (INR N - 2) * exp (L i (p i))) / (1 - tau_plus) < 0.
(*! *)
Proof. at_point. Qed.

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
Theorem F30_sum :
  forall (N d : nat) (beta_0 tau tau_plus : R) (O_minus w : nat -> nat -> R) (eta_minus : nat -> R) (p : nat
    -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  (forall i : nat, 0 <= eta_minus i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let W (i j : nat) : R := (INR N - 2) * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let R_circumflex (i : nat) : R := sum N (fun m : nat => W i m * O_minus i m * exp (L i m)) in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex i - tau_plus * (INR N - 2) * exp (L i
    (p i))) * eta_minus i / (1 - tau_plus) in
  let P (i j : nat) : R := W i j * eta_minus i * O_minus i j * exp (L i j) / (1 - tau_plus) / (N_minus i + exp
    (L i (p i))) in
  let rho (i j : nat) : R := O_minus i j * exp (beta_0 * L i j) / sum N (fun m : nat => O_minus i m * exp
    (beta_0 * L i m)) in
  let phi_minus (i : nat) : R := phi_0 * (1 - eta_minus i) / (N_minus i + exp (L i (p i))) in
  let G (i j : nat) : R := (1 + beta_0) * P i j - (phi_minus i + sum N (fun m : nat => P i m)) * delta j (p i)
    - beta_0 * rho i j * sum N (fun m : nat => P i m) in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun m : nat => O_minus i m * exp (beta_0 * L i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  (forall i : nat, (i < N)%nat -> N_minus i + exp (L i (p i)) <> 0) ->
  sum N (fun j : nat => G i j) = - (phi_minus i).
(*! *)
Proof.
  intros. assert (R1 : sum N (rho i) = 1) by (apply (shares N (fun j => O_minus i j * exp (beta_0 * L i j))), H8, H5). unfold G.
  rewrite (sum_ext N _ (fun j => (1 + beta_0) * P i j - delta j (p i) * (phi_minus i + sum N (fun m => P i m)) - beta_0 * sum N (fun m => P i m) * rho i j)) by (intros; ring).
  rewrite !sum_minus, !sum_scale, (sum_delta N (p i) (fun _ => phi_minus i + sum N (fun m => P i m))) by auto.
  change (sum N (fun k => rho i k)) with (sum N (rho i)). rewrite R1. change (sum N (fun k => P i k)) with (sum N (P i)). ring.
Qed.

(*! F30: w *)
Theorem F30_w :
  forall (N d nu : nat) (beta_0 tau tau_plus : R) (O_minus w : nat -> nat -> R) (eta_minus : nat -> R) (p :
    nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  (forall i : nat, 0 <= eta_minus i) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let W (w : nat -> nat -> R) (i j : nat) : R := (INR N - 2) * exp (beta_0 * L w i j) / sum N (fun m : nat =>
    O_minus i m * exp (beta_0 * L w i m)) in
  let R_circumflex (w : nat -> nat -> R) (i : nat) : R := sum N (fun m : nat => W w i m * O_minus i m * exp (L
    w i m)) in
  let phi_0 : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (w : nat -> nat -> R) (i : nat) : R := phi_0 * (1 - eta_minus i) + (R_circumflex w i - tau_plus
    * (INR N - 2) * exp (L w i (p i))) * eta_minus i / (1 - tau_plus) in
  let ell (w : nat -> nat -> R) (i : nat) : R := ln (N_minus w i + exp (L w i (p i))) - L w i (p i) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := W w i j * eta_minus i * O_minus i j * exp (L w i j) / (1 -
    tau_plus) / (N_minus w i + exp (L w i (p i))) in
  let rho (w : nat -> nat -> R) (i j : nat) : R := O_minus i j * exp (beta_0 * L w i j) / sum N (fun m : nat
    => O_minus i m * exp (beta_0 * L w i m)) in
  let phi_minus (w : nat -> nat -> R) (i : nat) : R := phi_0 * (1 - eta_minus i) / (N_minus w i + exp (L w i
    (p i))) in
  let G (w : nat -> nat -> R) (i j : nat) : R := (1 + beta_0) * P w i j - (phi_minus w i + sum N (fun m : nat
    => P w i m)) * delta j (p i) - beta_0 * rho w i j * sum N (fun m : nat => P w i m) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun m : nat => O_minus i m * exp (beta_0 * L w i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < N_minus w i + exp (L w i (p i))) ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [assumption|]. intros i I_.
  pose (a := fun j => (z w j f - s w k j * z w k f) / norm_w w k).
  assert (D := d_debiased N (INR N - 2) beta_0 tau_plus (eta_minus i) (O_minus i) (p i) (fun _ => phi_0) 0 (fun x => L (set2 w k f x) i) (fun j => (delta i k * a j + delta j k * a i) / tau) (w k f)
    (H8 i I_) (d_const _ _)).
  cbv zeta beta in D. rewrite set2_same in D. eapply d_eq; [apply D|].
  - intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - apply H12, I_.
  - assumption.
  - apply H14, I_.
  - unfold Rdiv at 1. rewrite !Rmult_0_l, Rplus_0_l. reflexivity.
Qed.

(*! F30: temperature *)
Theorem F30_temperature :
  forall (N d nu : nat) (beta_0 tau tau_plus : R) (O_minus w : nat -> nat -> R) (eta_minus : nat -> R) (p :
    nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= O_minus i j) ->
  (0 <= beta_0) ->
  (forall i : nat, 0 <= eta_minus i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let W (tau : R) (i j : nat) : R := (INR N - 2) * exp (beta_0 * L tau i j) / sum N (fun m : nat => O_minus i
    m * exp (beta_0 * L tau i m)) in
  let R_circumflex (tau : R) (i : nat) : R := sum N (fun m : nat => W tau i m * O_minus i m * exp (L tau i m))
    in
  let phi_0 (tau : R) : R := (INR N - 2) * exp (- (1 / tau)) in
  let N_minus (tau : R) (i : nat) : R := phi_0 tau * (1 - eta_minus i) + (R_circumflex tau i - tau_plus * (INR
    N - 2) * exp (L tau i (p i))) * eta_minus i / (1 - tau_plus) in
  let ell (tau : R) (i : nat) : R := ln (N_minus tau i + exp (L tau i (p i))) - L tau i (p i) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := W tau i j * eta_minus i * O_minus i j * exp (L tau i j) / (1 - tau_plus)
    / (N_minus tau i + exp (L tau i (p i))) in
  let rho (tau : R) (i j : nat) : R := O_minus i j * exp (beta_0 * L tau i j) / sum N (fun m : nat => O_minus
    i m * exp (beta_0 * L tau i m)) in
  let phi_minus (tau : R) (i : nat) : R := phi_0 tau * (1 - eta_minus i) / (N_minus tau i + exp (L tau i (p
    i))) in
  let G (tau : R) (i j : nat) : R := (1 + beta_0) * P tau i j - (phi_minus tau i + sum N (fun m : nat => P tau
    i m)) * delta j (p i) - beta_0 * rho tau i j * sum N (fun m : nat => P tau i m) in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun m : nat => O_minus i m * exp (beta_0 * L tau i m)) <> 0) ->
  (1 - tau_plus <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < N_minus tau i + exp (L tau i (p i))) ->
  is_derive (fun x : R => loss x) tau ((sum N (fun i : nat => phi_minus tau i) / tau - sum N (fun i : nat =>
    sum N (fun j : nat => G tau i j * L tau i j))) / tau / INR nu).
(*! *)
Proof.
  intros. apply d_eq with (sum N (fun i => phi_minus tau i / tau / tau + sum N (fun j => G tau i j * (- L tau i j / tau))) / INR nu).
  - apply (d_over (fun tau => sum N (fun i => ell tau i))), (d_sum N (fun i tau => ell tau i)). intros i I_.
    assert (D := d_debiased N (INR N - 2) beta_0 tau_plus (eta_minus i) (O_minus i) (p i) phi_0 (phi_0 tau / tau / tau) (fun x => L x i) (fun j => - L tau i j / tau) tau (H6 i I_)).
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
