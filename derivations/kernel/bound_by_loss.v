(* The InfoNCE bound in the settings of the documents: the K of its log K, and the settings in which no K gives a bound. *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! P3: square *)
Theorem P3_square :
  forall (d : nat) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z i f - z j f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.

Lemma mean_of_halves : forall n m (J F : nat -> R) (R' G : nat -> nat -> R) (c : R),
  (forall k, (k < n)%nat -> sum m (R' k) = 1) ->
  sum n (fun k => sum m (fun a => J k * R' k a * (c + F k / 2 + G k a / 2)))
    = c * sum n J + sum n (fun k => J k * F k) / 2 + sum n (fun k => sum m (fun a => J k * R' k a * G k a)) / 2.
Proof.
  intros n m J F R' G c E. rewrite (mean_of_views n m J F R' E), (sum_ext n J (fun k => J k * 1)) by (intros; ring).
  rewrite (mean_of_views n m J (fun _ => 1) R' E). sums.
Qed.

(*! P3: bound *)
Theorem P3_bound :
  forall (D N Omega Omega' : nat) (Phi' : nat -> nat -> R) (epsilon sigma phi omega : nat -> R) (omega' : nat
    -> nat -> R) (varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < N)%nat ->
  (0 < D)%nat ->
  (forall i j : nat, 0 < Phi' i j) ->
  (0 < Omega')%nat ->
  (forall i : nat, 0 <= epsilon i) ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i j : nat, 0 < omega' i j) ->
  (forall i : nat, 0 <= sigma i) ->
  (forall i : nat, (i < D)%nat -> (Lambda i < Omega)%nat) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let R' (n a : nat) : R := omega' n a / sum Omega' (fun g : nat => omega' n g) in
  let Phi (n : nat) : R := sigma (Lambda n) + phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda
    k) (Lambda n)) in
  let loss_s : R := - (sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * ln (phi n / (epsilon n
    + Phi n + Phi' n a))))) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho (iota n))) in
  let loss : R := - (sum D (fun n : nat => J' n * ln (phi n / Phi n))) in
  let loss' : R := - (sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * ln (phi n / Phi' n
    a)))) in
  let Psi (m : nat) : R := sigma m + sum D (fun n : nat => phi n * delta m (Lambda n)) in
  (forall n : nat, (n < D)%nat -> Psi (Lambda n) <> 0) ->
  (forall m : nat, (m < Omega)%nat -> Psi m <> 0) ->
  ln (2 * INR N) - loss_s <= information + loss / 2 - loss' / 2.
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J1 : sum D J' = 1).
  { rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
    apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto]. }
  assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  assert (P : forall n, 0 < Phi n) by (intros; unfold Phi; sign).
  assert (B := information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda
    ltac:(auto) ltac:(auto using INR_pos) ltac:(auto using Rlt_le) ltac:(auto) ltac:(auto) ltac:(auto) ltac:(auto)
    ltac:(auto) J1 R1). cbv beta in B. fold information in B.
  change (ln (INR N) + sum D (fun n => J' n * ln (phi n / Phi n)) <= information) in B.
  rewrite ln_mult by (try apply INR_pos; auto; lra).
  assert (U := mean_of_halves D Omega' J' (fun n => ln (phi n / Phi n)) R' (fun n a => ln (phi n / Phi' n a)) (- ln 2)
    ltac:(auto)). cbv beta in U. rewrite J1 in U.
  unfold loss_s, loss, loss'.
  apply (Rle_trans _ (ln 2 + ln (INR N) + sum D (fun n => sum Omega' (fun a => J' n * R' n a *
    (- ln 2 + ln (phi n / Phi n) / 2 + ln (phi n / Phi' n a) / 2))))); [|lra].
  unfold Rminus at 1. rewrite Ropp_involutive. apply Rplus_le_compat_l, sum_le. intros n _. apply sum_le. intros a _.
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  assert (X := P n). assert (Y := H1 n a). assert (T := H4 n). assert (E := H3 n).
  assert (G := ln_half (Phi n) (Phi' n a) X Y). assert (L : ln (Phi n + Phi' n a) <= ln (epsilon n + Phi n + Phi' n a)) by (apply ln_le; lra).
  rewrite (nf_ln_over _ _ _ T X eq_refl), (nf_ln_over _ _ _ T Y eq_refl), (nf_ln_over _ (epsilon n + Phi n + Phi' n a) _ T ltac:(lra) eq_refl).
  lra.
Qed.

(*! P3: ceiling *)
Theorem P3_ceiling :
  forall (D N Omega Omega' : nat) (epsilon sigma : nat -> R) (sigma' : nat -> nat -> R) (phi omega : nat -> R)
    (omega' : nat -> nat -> R) (varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < D)%nat ->
  (0 < Omega')%nat ->
  (forall i : nat, 0 <= epsilon i) ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (0 < N)%nat ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i j : nat, 0 < omega' i j) ->
  (forall i : nat, 0 <= sigma i) ->
  (forall i j : nat, 0 <= sigma' i j) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let R' (n a : nat) : R := omega' n a / sum Omega' (fun g : nat => omega' n g) in
  let Phi (n : nat) : R := sigma (Lambda n) + phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda
    k) (Lambda n)) in
  let Phi' (n a : nat) : R := sigma' n a + phi n in
  let loss_s : R := - (sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * ln (phi n / (epsilon n
    + Phi n + Phi' n a))))) in
  ln 2 + ln (INR N) - loss_s <= ln (INR N).
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J1 : sum D J' = 1).
  { rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
    apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto]. }
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  apply (Rle_trans _ (ln 2 + ln (INR N) + - ln 2 * sum D J')); [|rewrite J1; lra].
  unfold loss_s, Rminus. rewrite Ropp_involutive. apply Rplus_le_compat_l.
  rewrite Rmult_comm, <- sum_scale_r, (mean_of_views D Omega' J' _ R') by auto.
  apply sum_le. intros n _. apply sum_le. intros a _.
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  rewrite <- ln_Rinv by lra. assert (X := H2 n).
  assert (Y : 0 <= sigma (Lambda n)) by auto. assert (T : 0 <= sigma' n a) by auto. assert (E := H1 n).
  assert (W : 0 <= sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n))) by sign.
  assert (G : 2 * phi n <= epsilon n + Phi n + Phi' n a) by (unfold Phi, Phi'; lra).
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. replace (/ 2) with (phi n * / (2 * phi n)) by (field; lra).
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(*! P3: lift *)
Theorem P3_lift :
  forall (tau : R) (s : nat -> nat -> R) (i j : nat),
  (0 < tau) ->
  (1 - s i j) / tau <= exp ((1 - s i j) / tau) - 1.
(*! *)
Proof. intros. assert (H' := exp_ineq1_le ((1 - s i j) / tau)). lra. Qed.


(*! P2: bound *)
Theorem P2_bound :
  forall (D N Omega Omega' : nat) (sigma : nat -> R) (sigma' : nat -> nat -> R) (phi omega : nat -> R) (omega'
    : nat -> nat -> R) (varrho' : nat -> R) (Lambda iota : nat -> nat),
  (0 < N)%nat ->
  (0 < D)%nat ->
  (0 < Omega')%nat ->
  (forall i j : nat, 0 <= sigma' i j) ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < varrho' i) ->
  (forall i j : nat, 0 < omega' i j) ->
  (forall i : nat, 0 <= sigma i) ->
  (forall i : nat, (i < D)%nat -> (Lambda i < Omega)%nat) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho (i : nat) : R := INR N * varrho' i / sum D (fun n : nat => R_ (Lambda n) * varrho' (iota n)) in
  let J' (n : nat) : R := R_ (Lambda n) * varrho (iota n) / INR N in
  let R' (n a : nat) : R := omega' n a / sum Omega' (fun g : nat => omega' n g) in
  let Phi (n : nat) : R := sigma (Lambda n) + phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda
    k) (Lambda n)) in
  let loss_b : R := - (sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * ln (phi n / (sigma' n
    a + Phi n))))) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho (iota n))) in
  let Psi (m : nat) : R := sigma m + sum D (fun n : nat => phi n * delta m (Lambda n)) in
  (forall n : nat, (n < D)%nat -> Psi (Lambda n) <> 0) ->
  (forall m : nat, (m < Omega)%nat -> Psi m <> 0) ->
  ln (INR N) - loss_b <= information.
(*! *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J1 : sum D J' = 1).
  { rewrite <- (shares D (fun n => R_ (Lambda n) * varrho' (iota n))) by lra.
    apply sum_ext. intros. unfold J', varrho. field. split; [lra|apply not_zero, INR_pos; auto]. }
  assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (V0 : forall n a, 0 < R' n a) by (intros; unfold R'; sign).
  assert (V1 : forall n, sum Omega' (R' n) = 1) by (intros; apply shares, not_zero; sign).
  assert (P : forall n, 0 < Phi n) by (intros; unfold Phi; sign).
  eapply Rle_trans;
    [|apply (information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda); auto using INR_pos, Rlt_le].
  unfold loss_b, Rminus. rewrite Ropp_involutive, (mean_of_views D Omega' J' _ R') by auto.
  apply Rplus_le_compat_l, sum_le. intros n _. apply sum_le. intros a _. fold (Phi n).
  apply Rmult_le_compat_l; [apply Rlt_le, Rmult_lt_0_compat; auto|].
  assert (X := H3 n). assert (Y := P n). assert (T := H2 n a). apply ln_le; [sign|].
  apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra.
Qed.

(*! P3: second *)
Theorem P3_second :
  forall (D Omega' : nat) (J' : nat -> R) (R' : nat -> nat -> R) (Phi phi : nat -> R) (Lambda' : nat -> nat ->
    nat),
  (0 < D)%nat ->
  (forall i : nat, 0 < Phi i) ->
  (forall i : nat, 0 < phi i) ->
  (forall i : nat, 0 < J' i) ->
  (forall i j : nat, 0 < R' i j) ->
  (0 < Omega')%nat ->
  (forall i j : nat, (i < D)%nat -> (j < Omega')%nat -> (Lambda' i j < D)%nat) ->
  let Phi' (n a : nat) : R := Phi (Lambda' n a) * phi n / phi (Lambda' n a) in
  let loss' : R := - (sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * ln (phi n / Phi' n
    a)))) in
  let J_v (k : nat) : R := sum D (fun n : nat => sum Omega' (fun a : nat => J' n * R' n a * delta k (Lambda' n
    a))) in
  loss' = - (sum D (fun k : nat => J_v k * ln (phi k / Phi k))).
(*! *)
Proof.
  intros. unfold loss'. f_equal.
  transitivity (sum D (fun n => sum Omega' (fun a => J' n * R' n a * ln (phi (Lambda' n a) / Phi (Lambda' n a))))).
  - apply sum_ext; intros n Hn. apply sum_ext; intros a Ha. f_equal. f_equal. unfold Phi'.
    assert (0 < phi n) by auto.
    assert (0 < phi (Lambda' n a)) by auto.
    assert (0 < Phi (Lambda' n a)) by auto.
    field. repeat split; lra.
  - symmetry. unfold J_v.
    rewrite (sum_ext D _ (fun k => sum D (fun n => sum Omega' (fun a =>
      delta k (Lambda' n a) * (J' n * R' n a * ln (phi k / Phi k)))))).
    + rewrite sum_swap. apply sum_ext; intros n Hn. rewrite sum_swap. apply sum_ext; intros a Ha.
      rewrite (sum_delta D (Lambda' n a) (fun k => J' n * R' n a * ln (phi k / Phi k))); auto.
    + intros k Hk. rewrite <- sum_scale_r. apply sum_ext; intros n Hn. rewrite <- sum_scale_r.
      apply sum_ext; intros a Ha. ring.
Qed.

(*! P3: alike *)
Theorem P3_alike :
  forall (D : nat) (J' Phi phi : nat -> R),
  (0 < D)%nat ->
  (forall i : nat, 0 < Phi i) ->
  (forall i : nat, 0 < phi i) ->
  (forall i : nat, 0 < J' i) ->
  let J_v (k : nat) : R := J' k in
  let loss : R := - (sum D (fun n : nat => J' n * ln (phi n / Phi n))) in
  - (sum D (fun k : nat => J_v k * ln (phi k / Phi k))) = loss.
(*! *)
Proof. intros. reflexivity. Qed.

(*! P3: distance *)
Theorem P3_distance :
  forall (d : nat) (w : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  1 - s i j = sum d (fun f : nat => (z i f - z j f) ^ 2) / 2.
(*! *)
Proof.
  intros. assert (U : forall a, sum d (fun f => z a f ^ 2) = 1) by (intros a; apply unit_row, H0).
  rewrite (sum_ext d (fun f => (z i f - z j f) ^ 2) (fun f => z i f ^ 2 + z j f ^ 2 - 2 * (z i f * z j f))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scale, !U. unfold s. field.
Qed.

(*! P4: alike *)
Theorem P4_alike :
  forall (M : nat) (mu : R) (L_plus omega : nat -> R) (i : nat),
  (0 < M)%nat ->
  (forall i : nat, 0 < omega i) ->
  let u (i a : nat) : R := L_plus i - mu in
  let ell (i : nat) : R := ln (sum M (fun a : nat => INR M * omega a * exp (u i a) / sum M (fun k : nat =>
    omega k))) - L_plus i in
  ell i = ln (INR M) - mu.
(*! *)
Proof.
  intros. assert (X := INR_pos M H). assert (W : 0 < sum M (fun k => omega k)) by sign. unfold ell, u.
  rewrite (sum_ext M _ (fun a => INR M * exp (L_plus i - mu) / sum M (fun k => omega k) * omega a)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale. change (sum M omega) with (sum M (fun k => omega k)).
  replace (INR M * exp (L_plus i - mu) / sum M (fun k => omega k) * sum M (fun k => omega k)) with (INR M * exp (L_plus i - mu)) by (field; lra).
  rewrite ln_mult, ln_exp by (exact X || apply exp_pos). ring.
Qed.

(*! P2: passed *)
Theorem P2_passed :
  let A : nat := (9)%nat in
  let N : nat := (10)%nat in
  let d : nat := (1)%nat in
  let Omega : nat := (6)%nat in
  let nu : nat := (10)%nat in
  let tau : R := 1 / 10 in
  let w : nat -> nat -> nat -> R := list3 (((- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (-
    1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1
    :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (- 1 :: nil) ::
    (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1
    :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) ::
    nil) :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 ::
    nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) ::
    (1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: nil)
    :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1
    :: nil) :: (1 :: nil) :: (1 :: nil) :: nil) :: nil)%list in
  let omega : nat -> R := list1 (1 :: 5 :: 10 :: 10 :: 5 :: 1 :: nil)%list in
  let p : nat -> nat := (places (5 :: 6 :: 7 :: 8 :: 9 :: 0 :: 1 :: 2 :: 3 :: 4 :: nil))%nat in
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let norm_w (m i : nat) : R := sqrt (sum d (fun f : nat => w m i f ^ 2)) in
  let z (m i f : nat) : R := w m i f / norm_w m i in
  let s (m i j : nat) : R := sum d (fun f : nat => z m i f * z m j f) in
  let L (m i j : nat) : R := s m i j / tau in
  let ell (m i : nat) : R := - (ln (exp (L m i (p i)) / sum N (fun k : nat => differ k i * exp (L m i k)))) in
  let loss (m : nat) : R := sum N (fun i : nat => ell m i) / INR nu in
  ln 2 < ln (INR A) - sum Omega (fun m : nat => loss m * R_ m).
(*! *)
Proof. at_point. Qed.

(*! P2: kept *)
Theorem P2_kept :
  let A : nat := (5)%nat in
  let N : nat := (10)%nat in
  let d : nat := (1)%nat in
  let Omega : nat := (6)%nat in
  let nu : nat := (10)%nat in
  let tau : R := 1 / 10 in
  let w : nat -> nat -> nat -> R := list3 (((- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (-
    1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1
    :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (- 1 :: nil) ::
    (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1
    :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) ::
    nil) :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 ::
    nil) :: (1 :: nil) :: (- 1 :: nil) :: (- 1 :: nil) :: nil) :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) ::
    (1 :: nil) :: (- 1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (- 1 :: nil) :: nil)
    :: ((1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1 :: nil) :: (1
    :: nil) :: (1 :: nil) :: (1 :: nil) :: nil) :: nil)%list in
  let omega : nat -> R := list1 (1 :: 5 :: 10 :: 10 :: 5 :: 1 :: nil)%list in
  let p : nat -> nat := (places (5 :: 6 :: 7 :: 8 :: 9 :: 0 :: 1 :: 2 :: 3 :: 4 :: nil))%nat in
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let norm_w (m i : nat) : R := sqrt (sum d (fun f : nat => w m i f ^ 2)) in
  let z (m i f : nat) : R := w m i f / norm_w m i in
  let s (m i j : nat) : R := sum d (fun f : nat => z m i f * z m j f) in
  let L (m i j : nat) : R := s m i j / tau in
  let ell (m i : nat) : R := - (ln (exp (L m i (p i)) / sum N (fun k : nat => differ k i * exp (L m i k)))) in
  let loss (m : nat) : R := sum N (fun i : nat => ell m i) / INR nu in
  ln (INR A) - sum Omega (fun m : nat => loss m * R_ m) <= ln 2.
(*! *)
Proof. at_point. Qed.
