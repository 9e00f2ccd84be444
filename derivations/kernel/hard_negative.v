(* Debiased and hard negatives: NT-Xent, its negatives weighed and the anchor's own class taken off (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums enclosures.
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
