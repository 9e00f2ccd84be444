(* Barlow Twins: the features of two views correlated, each with itself and with no other (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F25: mean *)
Theorem F25_mean :
  forall (B : nat) (Z_1 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  (forall f : nat, sigma_1 f <> 0) ->
  sum B (fun i : nat => Z_circumflex_1 i f) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F25: printed *)
Theorem F25_printed :
  forall (B : nat) (Z_1 Z_2 : nat -> nat -> R) (f g : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  (forall f : nat, 0 < sum B (fun i : nat => Z_tilde_1 i f ^ 2)) ->
  (forall g : nat, 0 < sum B (fun i : nat => Z_tilde_2 i g ^ 2)) ->
  (forall f : nat, sigma_1 f <> 0) ->
  (forall f : nat, sigma_2 f <> 0) ->
  C f g = sum B (fun i : nat => Z_tilde_1 i f * Z_tilde_2 i g) / sqrt (sum B (fun i : nat => Z_tilde_1 i f ^
    2)) / sqrt (sum B (fun i : nat => Z_tilde_2 i g ^ 2)).
(*! *)
Proof. by_sums. Qed.

(*! F25: sign *)
Theorem F25_sign :
  forall (B : nat) (Z_circumflex_1 Z_circumflex_2 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  0 <= sum B (fun i : nat => (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / 2 / INR B.
(*! *)
Proof. by_signs. Qed.

(* A standardised feature has the mean square 1. *)
Lemma standardised : forall B (y : nat -> R), (0 < B)%nat -> sqrt (sum B (fun i => y i ^ 2)) / sqrt (INR B) <> 0 ->
  sum B (fun i => (y i / (sqrt (sum B (fun i => y i ^ 2)) / sqrt (INR B))) ^ 2) / INR B = 1.
Proof.
  intros B y P N. assert (b := INR_pos B P). assert (c0 := not_zero _ (sqrt_lt_R0 _ b)). assert (C := sqrt_sqrt (INR B) (Rlt_le _ _ b)).
  assert (E : sqrt (sum B (fun i => y i ^ 2)) * sqrt (sum B (fun i => y i ^ 2)) = sum B (fun i => y i ^ 2)) by (apply sqrt_sqrt; sign).
  assert (r0 : sqrt (sum B (fun i => y i ^ 2)) <> 0) by (intro Z; apply N; rewrite Z; unfold Rdiv; ring).
  set (r := sqrt (sum B (fun i => y i ^ 2))) in *. set (c := sqrt (INR B)) in *.
  rewrite (sum_ext B (fun i => (y i / (r / c)) ^ 2) (fun i => c * c / (r * r) * y i ^ 2)) by (intros; field; split; assumption).
  rewrite sum_scale, <- E, C. field. split; [exact r0|lra].
Qed.

(*! F25: variance *)
Theorem F25_variance :
  forall (B : nat) (Z_1 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  (forall f : nat, sigma_1 f <> 0) ->
  sum B (fun i : nat => Z_circumflex_1 i f ^ 2) / INR B = 1.
(*! *)
Proof. intros. apply (standardised B (fun i => Z_tilde_1 i f)); [assumption|apply H0]. Qed.

Lemma short_of_one : forall B (u v : nat -> R), (0 < B)%nat -> sum B (fun i => u i ^ 2) / INR B = 1 -> sum B (fun i => v i ^ 2) / INR B = 1 ->
  1 - sum B (fun i => u i * v i) / INR B = sum B (fun i => (u i - v i) ^ 2) / 2 / INR B.
Proof.
  intros B u v P U V. assert (b := INR_pos B P).
  rewrite (sum_ext B (fun i => (u i - v i) ^ 2) (fun i => u i ^ 2 + v i ^ 2 - 2 * (u i * v i))), sum_minus, sum_plus, sum_scale by (intros; ring).
  replace ((sum B (fun k => u k ^ 2) + sum B (fun k => v k ^ 2) - 2 * sum B (fun k => u k * v k)) / 2 / INR B)
    with ((sum B (fun k => u k ^ 2) / INR B + sum B (fun k => v k ^ 2) / INR B) / 2 - sum B (fun k => u k * v k) / INR B) by (field; lra).
  rewrite U, V. field. lra.
Qed.

(*! F25: shortfall *)
Theorem F25_shortfall :
  forall (B : nat) (Z_1 Z_2 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  (forall f : nat, sigma_1 f <> 0) ->
  (forall f : nat, sigma_2 f <> 0) ->
  1 - C f f = sum B (fun i : nat => (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / 2 / INR B.
(*! *)
Proof.
  intros. apply (short_of_one B (fun i => Z_circumflex_1 i f) (fun i => Z_circumflex_2 i f)); [assumption| |].
  - apply (standardised B (fun i => Z_tilde_1 i f)); [assumption|apply H0].
  - apply (standardised B (fun i => Z_tilde_2 i f)); [assumption|apply H1].
Qed.

(*! F25: aligned *)
Theorem F25_aligned :
  forall (B d : nat) (lambda_0 : R) (Z_1 : nat -> nat -> R),
  (0 < d)%nat ->
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_2 (i f : nat) : R := Z_1 i f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  let loss : R := lambda_0 * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2 * differ f g)) + sum d (fun
    f : nat => (1 - C f f) ^ 2) in
  (forall f : nat, (f < d)%nat -> sigma_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> sigma_2 f <> 0) ->
  loss = lambda_0 * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2 * differ f g)).
(*! *)
Proof.
  intros. unfold loss. rewrite (sum_zero d (fun f => (1 - C f f) ^ 2)); [ring|]. intros f F.
  assert (E : C f f = 1).
  { rewrite <- (standardised B (fun i => Z_tilde_1 i f) H0 (H1 f F)). unfold C. f_equal. apply sum_ext. intros i _.
    change (Z_circumflex_1 i f * Z_circumflex_1 i f = Z_circumflex_1 i f ^ 2). ring. }
  rewrite E. ring.
Qed.

(*! F25: scale *)
Theorem F25_scale :
  forall (B : nat) (stretch : R) (Z_1 : nat -> nat -> R) (c : nat -> R) (f i : nat),
  (0 < B)%nat ->
  (0 < stretch) ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  (forall f : nat, 0 < sum B (fun i : nat => (stretch * Z_1 i f + c f - sum B (fun i : nat => stretch * Z_1 i
    f + c f) / INR B) ^ 2)) ->
  (forall f : nat, sigma_1 f <> 0) ->
  sqrt (INR B) * (stretch * Z_1 i f + c f - sum B (fun i : nat => stretch * Z_1 i f + c f) / INR B) / sqrt
    (sum B (fun i : nat => (stretch * Z_1 i f + c f - sum B (fun i : nat => stretch * Z_1 i f + c f) / INR B)
    ^ 2)) = Z_circumflex_1 i f.
(*! *)
Proof.
  intros. assert (b := INR_pos B H). assert (b0 := sqrt_lt_R0 _ b). unfold Z_circumflex_1, sigma_1.
  assert (T : forall i, stretch * Z_1 i f + c f - sum B (fun i => stretch * Z_1 i f + c f) / INR B = stretch * Z_tilde_1 i f).
  { intros k. rewrite sum_plus, sum_scale, (sum_ext B (fun _ => c f) (fun _ => c f * 1)), sum_scale, sum_one by (intros; ring).
    unfold Z_tilde_1, Z_macron_1. field. lra. }
  assert (N := H2 f). unfold sigma_1 in N. assert (r0 : sqrt (sum B (fun i => Z_tilde_1 i f ^ 2)) <> 0) by (intro Z; apply N; rewrite Z; unfold Rdiv; ring).
  rewrite T, (sum_ext B _ (fun i => stretch ^ 2 * Z_tilde_1 i f ^ 2)), sum_scale, sqrt_mult, sqrt_pow2
    by (try apply pow2_ge_0; try (apply Rlt_le; assumption); try (apply sum_nonneg; intros; apply pow2_ge_0); intros; rewrite T; ring).
  field. repeat split; exact r0 || lra.
Qed.

(*! F26: error *)
Theorem F26_error :
  forall (B : nat) (lambda_0 : R) (Z_1 Z_2 : nat -> nat -> R) (f g : nat),
  (0 < B)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  let G (f g : nat) : R := 2 * lambda_0 * differ f g * C f g - delta f g * sum B (fun i : nat =>
    (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / INR B in
  (forall f : nat, sigma_1 f <> 0) ->
  (forall f : nat, sigma_2 f <> 0) ->
  G f g = 2 * lambda_0 * differ f g * C f g - 2 * (1 - C f g) * delta f g.
(*! *)
Proof.
  intros. unfold G. destruct (Nat.eq_dec f g) as [->|E]; [|rewrite (delta_differ f g E); unfold Rdiv; ring].
  assert (S := short_of_one B (fun i => Z_circumflex_1 i g) (fun i => Z_circumflex_2 i g) H
    (standardised B (fun i => Z_tilde_1 i g) H (H0 g)) (standardised B (fun i => Z_tilde_2 i g) H (H1 g))).
  cbv beta in S. change (1 - C g g = sum B (fun i => (Z_circumflex_1 i g - Z_circumflex_2 i g) ^ 2) / 2 / INR B) in S.
  rewrite S. field. apply not_zero, INR_pos, H.
Qed.

(* It has the mean 0. *)
Lemma centred : forall B (z : nat -> R) s, (0 < B)%nat -> sum B (fun k => (z k - sum B (fun i => z i) / INR B) / s) = 0.
Proof.
  intros B z s P. assert (b := INR_pos B P). unfold Rdiv at 1. rewrite sum_scale_r, sum_minus.
  rewrite (sum_ext B (fun _ => sum B (fun i => z i) / INR B) (fun _ => sum B (fun i => z i) / INR B * 1)), sum_scale, sum_one by (intros; ring).
  change (sum B (fun k => z k)) with (sum B z).
  replace (sum B z / INR B * INR B) with (sum B z) by (field; lra). ring.
Qed.

(*! F26: together *)
Theorem F26_together :
  forall (B d : nat) (lambda_0 : R) (Z_1 Z_2 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  let G (f g : nat) : R := 2 * lambda_0 * differ f g * C f g - delta f g * sum B (fun i : nat =>
    (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / INR B in
  (forall f : nat, (f < d)%nat -> sigma_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> sigma_2 f <> 0) ->
  sum B (fun k : nat => sum d (fun h : nat => (Z_circumflex_2 k h - C f h * Z_circumflex_1 k f) * G f h) / INR
    B / sigma_1 f) = 0.
(*! *)
Proof.
  intros. unfold Rdiv. rewrite (sum_ext B _ (fun k => sum d (fun h => (Z_circumflex_2 k h - C f h * Z_circumflex_1 k f) * G f h) * (/ INR B * / sigma_1 f))) by (intros; ring).
  rewrite sum_scale_r, sum_swap, sum_zero; [ring|]. intros h K. rewrite sum_scale_r, sum_minus, sum_scale.
  assert (E1 := centred B (fun k => Z_1 k f) (sigma_1 f) H). assert (E2 := centred B (fun k => Z_2 k h) (sigma_2 h) H).
  change (sum B (fun k => Z_circumflex_1 k f) = 0) in E1. change (sum B (fun k => Z_circumflex_2 k h) = 0) in E2. rewrite E1, E2. ring.
Qed.

(*! F26: spread *)
Theorem F26_spread :
  forall (B d : nat) (lambda_0 : R) (Z_1 Z_2 : nat -> nat -> R) (f : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let Z_macron_1 (f : nat) : R := sum B (fun i : nat => Z_1 i f) / INR B in
  let Z_tilde_1 (i f : nat) : R := Z_1 i f - Z_macron_1 f in
  let sigma_1 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_1 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_1 (i f : nat) : R := Z_tilde_1 i f / sigma_1 f in
  let Z_macron_2 (f : nat) : R := sum B (fun i : nat => Z_2 i f) / INR B in
  let Z_tilde_2 (i f : nat) : R := Z_2 i f - Z_macron_2 f in
  let sigma_2 (f : nat) : R := sqrt (sum B (fun i : nat => Z_tilde_2 i f ^ 2)) / sqrt (INR B) in
  let Z_circumflex_2 (i f : nat) : R := Z_tilde_2 i f / sigma_2 f in
  let C (f g : nat) : R := sum B (fun i : nat => Z_circumflex_1 i f * Z_circumflex_2 i g) / INR B in
  let G (f g : nat) : R := 2 * lambda_0 * differ f g * C f g - delta f g * sum B (fun i : nat =>
    (Z_circumflex_1 i f - Z_circumflex_2 i f) ^ 2) / INR B in
  (forall f : nat, (f < d)%nat -> sigma_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> sigma_2 f <> 0) ->
  sum B (fun k : nat => Z_tilde_1 k f * sum d (fun h : nat => (Z_circumflex_2 k h - C f h * Z_circumflex_1 k
    f) * G f h) / INR B / sigma_1 f) = 0.
(*! *)
Proof.
  intros. assert (b := INR_pos B H). assert (s1 := H2 f H1).
  rewrite (sum_ext B _ (fun k => sum d (fun h => (Z_circumflex_1 k f * (Z_circumflex_2 k h - C f h * Z_circumflex_1 k f)) * G f h) * / INR B)).
  - rewrite sum_scale_r, sum_swap, sum_zero; [ring|]. intros h K. rewrite sum_scale_r.
    assert (U := standardised B (fun i => Z_tilde_1 i f) H s1). change (sum B (fun i => Z_circumflex_1 i f ^ 2) / INR B = 1) in U.
    rewrite (sum_ext B _ (fun k => Z_circumflex_1 k f * Z_circumflex_2 k h - C f h * Z_circumflex_1 k f ^ 2)), sum_minus, sum_scale by (intros; ring).
    replace (sum B (fun k => Z_circumflex_1 k f ^ 2)) with (INR B) by (apply (Rmult_eq_reg_r (/ INR B)); [rewrite Rinv_r by lra; symmetry; exact U|apply Rinv_neq_0_compat; lra]).
    unfold C. field. lra.
  - intros k _. set (t := sum d _). transitivity (t * (Z_tilde_1 k f / sigma_1 f) * / INR B); [unfold Rdiv; ring|].
    change (Z_tilde_1 k f / sigma_1 f) with (Z_circumflex_1 k f). f_equal. unfold t. rewrite <- sum_scale_r. apply sum_ext. intros. ring.
Qed.
