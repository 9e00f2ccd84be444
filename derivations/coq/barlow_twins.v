(* Barlow Twins: each feature correlates with itself in the other view, and with no other feature (document F). *)

(* The mean square of a standardised feature is 1. *)
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
Proof.
  intros. apply (short_of_one B (fun i => Z_circumflex_1 i f) (fun i => Z_circumflex_2 i f)); [assumption| |].
  - apply (standardised B (fun i => Z_tilde_1 i f)); [assumption|apply H0].
  - apply (standardised B (fun i => Z_tilde_2 i f)); [assumption|apply H1].
Qed.

(*! F25: aligned *)
Proof.
  intros. unfold loss. rewrite (sum_zero d (fun f => (1 - C f f) ^ 2)); [ring|]. intros f F.
  assert (E : C f f = 1).
  { rewrite <- (standardised B (fun i => Z_tilde_1 i f) H0 (H1 f F)). unfold C. f_equal. apply sum_ext. intros i _.
    change (Z_circumflex_1 i f * Z_circumflex_1 i f = Z_circumflex_1 i f ^ 2). ring. }
  rewrite E. ring.
Qed.

(*! F25: scale *)
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
Proof.
  intros. unfold G. destruct (Nat.eq_dec f g) as [->|E]; [|rewrite (delta_differ f g E); unfold Rdiv; ring].
  assert (S := short_of_one B (fun i => Z_circumflex_1 i g) (fun i => Z_circumflex_2 i g) H
    (standardised B (fun i => Z_tilde_1 i g) H (H0 g)) (standardised B (fun i => Z_tilde_2 i g) H (H1 g))).
  cbv beta in S. change (1 - C g g = sum B (fun i => (Z_circumflex_1 i g - Z_circumflex_2 i g) ^ 2) / 2 / INR B) in S.
  rewrite S. field. apply not_zero, INR_pos, H.
Qed.

(* The mean of a standardised feature is 0. *)
Lemma standardised_mean : forall B (z : nat -> R) s, (0 < B)%nat -> sum B (fun k => (z k - sum B (fun i => z i) / INR B) / s) = 0.
Proof.
  intros B z s P. unfold Rdiv at 1. rewrite sum_scale_r, (centred B z P). ring.
Qed.

(*! F26: together *)
Proof.
  intros. unfold Rdiv. rewrite (sum_ext B _ (fun k => sum d (fun h => (Z_circumflex_2 k h - C f h * Z_circumflex_1 k f) * G f h) * (/ INR B * / sigma_1 f))) by (intros; ring).
  rewrite sum_scale_r, sum_swap, sum_zero; [ring|]. intros h K. rewrite sum_scale_r, sum_minus, sum_scale.
  assert (E1 := standardised_mean B (fun k => Z_1 k f) (sigma_1 f) H). assert (E2 := standardised_mean B (fun k => Z_2 k h) (sigma_2 h) H).
  change (sum B (fun k => Z_circumflex_1 k f) = 0) in E1. change (sum B (fun k => Z_circumflex_2 k h) = 0) in E2. rewrite E1, E2. ring.
Qed.

(*! F26: spread *)
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

(* The derivative of the loss by an entry of one view; the other view is constant. *)
Lemma d_view : forall B d lambda (Z v : nat -> nat -> R) k f, (k < B)%nat -> (f < d)%nat ->
  let y (z : nat -> nat -> R) i f := z i f - sum B (fun i => z i f) / INR B in
  let s (z : nat -> nat -> R) f := sqrt (sum B (fun i => y z i f ^ 2)) / sqrt (INR B) in
  let u (z : nat -> nat -> R) i f := y z i f / s z f in
  let K (z : nat -> nat -> R) f g := sum B (fun i => u z i f * v i g) / INR B in
  (forall g, (g < d)%nat -> 0 < sum B (fun i => y Z i g ^ 2)) -> (forall g, sum B (fun i => v i g) = 0) ->
  is_derive (fun x => lambda * sum d (fun g => sum d (fun h => K (set2 Z k f x) g h ^ 2 * differ g h)) + sum d (fun g => (1 - K (set2 Z k f x) g g) ^ 2)) (Z k f)
    (sum d (fun h => (v k h - K Z f h * u Z k f) * (2 * lambda * differ f h * K Z f h - 2 * (1 - K Z f h) * delta f h)) / INR B / s Z f).
Proof.
  intros B d lambda Z v k f I_ F y s u K P V. assert (b := INR_pos B ltac:(lia)). assert (c := sqrt_lt_R0 _ b). assert (c2 := sqrt_sqrt _ (Rlt_le _ _ b)).
  assert (c3 : / INR B * sqrt (INR B) = / sqrt (INR B)) by (rewrite <- c2 at 1; field; lra).
  assert (s0 : forall g, (g < d)%nat -> 0 < s Z g) by (intros g G; unfold s; apply Rdiv_lt_0_compat; [apply sqrt_lt_R0, P, G|exact c]).
  assert (DS : forall g, (g < d)%nat -> is_derive (fun x => s (set2 Z k f x) g) (Z k f) (delta g f * (y Z k g / INR B / s Z g))).
  { intros g G. assert (r := sqrt_lt_R0 _ (P g G)). eapply d_eq.
    - apply (d_over (fun x => sqrt (sum B (fun i => y (set2 Z k f x) i g ^ 2)))), (d_sqrt (fun x => sum B (fun i => y (set2 Z k f x) i g ^ 2)));
        [|rewrite set2_same; apply P, G].
      apply (is_derive_ext (fun x => sum B (fun i => y (set2 Z k f x) i g * y (set2 Z k f x) i g))); [intros; apply sum_ext; intros; ring|].
      apply d_products, I_.
    - cbv beta. rewrite set2_same. change (Z k g - sum B (fun j => Z j g) / INR B) with (y Z k g). unfold s.
      transitivity (delta g f * (y Z k g * (/ INR B * sqrt (INR B)) * / sqrt (sum B (fun i => y Z i g ^ 2)))); [rewrite c3|]; field; repeat split; lra. }
  assert (DU : forall g i, (g < d)%nat -> is_derive (fun x => u (set2 Z k f x) i g) (Z k f) (delta g f * ((delta i k - / INR B - u Z i g * u Z k g / INR B) / s Z g))).
  { intros g i G. assert (X := s0 g G). eapply d_eq.
    - apply (d_div (fun x => y (set2 Z k f x) i g) (fun x => s (set2 Z k f x) g)); [apply d_centred, I_|apply DS, G|cbv beta; rewrite set2_same; lra].
    - cbv beta. rewrite set2_same. unfold u. field. lra. }
  assert (DK : forall g h, (g < d)%nat -> is_derive (fun x => K (set2 Z k f x) g h) (Z k f) (delta g f * ((v k h - K Z g h * u Z k g) / INR B / s Z g))).
  { intros g h G. assert (X := s0 g G). eapply d_eq.
    - apply (d_over (fun x => sum B (fun i => u (set2 Z k f x) i g * v i h))), (d_sum B (fun i x => u (set2 Z k f x) i g * v i h)). intros i _.
      apply (d_scale_r (fun x => u (set2 Z k f x) i g)), DU, G.
    - cbv beta. rewrite (sum_ext B _ (fun i => delta i k * (delta g f / s Z g * v i h) - delta g f / s Z g / INR B * v i h - delta g f / s Z g * u Z k g / INR B * (u Z i g * v i h)))
        by (intros; unfold Rdiv; ring).
      rewrite !sum_minus, !sum_scale, (sum_delta B k (fun i => delta g f / s Z g * v i h)) by exact I_.
      change (sum B (fun i => v i h)) with (sum B (fun i => v i h)). rewrite (V h). unfold K. field. lra. }
  eapply d_eq.
  - apply (d_plus (fun x => lambda * sum d (fun g => sum d (fun h => K (set2 Z k f x) g h ^ 2 * differ g h)))).
    + apply (d_scale (fun x => sum d (fun g => sum d (fun h => K (set2 Z k f x) g h ^ 2 * differ g h)))).
      apply (d_sum d (fun g x => sum d (fun h => K (set2 Z k f x) g h ^ 2 * differ g h))). intros g G.
      apply (d_sum d (fun h x => K (set2 Z k f x) g h ^ 2 * differ g h)). intros h _.
      apply (d_scale_r (fun x => K (set2 Z k f x) g h ^ 2)), (d_square (fun x => K (set2 Z k f x) g h)), DK, G.
    + apply (d_sum d (fun g x => (1 - K (set2 Z k f x) g g) ^ 2)). intros g G. apply (d_square (fun x => 1 - K (set2 Z k f x) g g)), d_minus; [apply d_const|apply DK, G].
  - cbv beta. rewrite set2_same. assert (X := s0 f F). pose (e := fun h => (v k h - K Z f h * u Z k f) / INR B / s Z f).
    rewrite (sum_ext d (fun g => sum d _) (fun g => delta g f * sum d (fun h => 2 * K Z g h * differ g h * ((v k h - K Z g h * u Z k g) / INR B / s Z g))))
      by (intros; rewrite <- sum_scale; apply sum_ext; intros; ring).
    rewrite (sum_delta d f (fun g => sum d (fun h => 2 * K Z g h * differ g h * ((v k h - K Z g h * u Z k g) / INR B / s Z g)))) by exact F.
    rewrite (sum_ext d (fun k0 => 2 * (1 - K Z k0 k0) * _) (fun g => delta g f * (-2 * (1 - K Z g g) * ((v k g - K Z g g * u Z k g) / INR B / s Z g)))) by (intros; ring).
    rewrite (sum_delta d f (fun g => -2 * (1 - K Z g g) * ((v k g - K Z g g * u Z k g) / INR B / s Z g))) by exact F.
    replace (-2 * (1 - K Z f f) * ((v k f - K Z f f * u Z k f) / INR B / s Z f)) with (sum d (fun h => delta h f * (-2 * (1 - K Z f h) * e h)))
      by apply (sum_delta d f (fun h => -2 * (1 - K Z f h) * e h)), F.
    rewrite <- sum_scale, <- sum_plus.
    transitivity (sum d (fun h => (v k h - K Z f h * u Z k f) * (2 * lambda * differ f h * K Z f h - 2 * (1 - K Z f h) * delta f h) * (/ INR B * / s Z f))).
    + apply sum_ext. intros h _. unfold e. rewrite (delta_sym h f). unfold Rdiv. ring.
    + rewrite sum_scale_r. unfold Rdiv. ring.
Qed.

(*! F26: z1 *)
Proof.
  intros. assert (X := d_view B d lambda_0 Z_1 (fun i g => Z_circumflex_2 i g) k f H1 H2 H4). cbv zeta in X. eapply d_eq.
  - apply X. intros g. apply (standardised_mean B (fun i => Z_2 i g)). assumption.
  - apply (f_equal (fun t => t / INR B / sigma_1 Z_1 f)). apply sum_ext. intros h I_. change (sum B (fun i => Z_circumflex_1 Z_1 i f * Z_circumflex_2 i h) / INR B) with (C Z_1 f h).
    f_equal. symmetry. transitivity (2 * lambda_0 * differ f h * C Z_1 f h - 2 * (1 - C Z_1 f h) * delta f h); [|reflexivity].
    destruct (Nat.eq_dec f h) as [<-|E]; [|unfold G; rewrite (delta_differ f h E); unfold Rdiv; ring].
    assert (S := short_of_one B (fun i => Z_circumflex_1 Z_1 i f) (fun i => Z_circumflex_2 i f) H
      (standardised B (fun i => Z_tilde_1 Z_1 i f) H (H3 f H2)) (standardised B (fun i => Z_tilde_2 i f) H (H6 f H2))).
    change (1 - C Z_1 f f = sum B (fun i => (Z_circumflex_1 Z_1 i f - Z_circumflex_2 i f) ^ 2) / 2 / INR B) in S.
    unfold G. rewrite S. field. apply not_zero, INR_pos, H.
Qed.

(*! F26: z2 *)
Proof.
  intros. assert (X := d_view B d lambda_0 Z_2 (fun i g => Z_circumflex_1 i g) k f H1 H2 H6). cbv zeta in X.
  assert (T : forall z g h, sum B (fun i => Z_circumflex_2 z i g * Z_circumflex_1 i h) / INR B = C z h g)
    by (intros; unfold C; f_equal; apply sum_ext; intros; ring).
  eapply d_eq.
  - eapply is_derive_ext; [|apply X; intros g; apply (standardised_mean B (fun i => Z_1 i g)); assumption].
    intros x. unfold loss. f_equal; [f_equal|].
    + rewrite sum_swap. apply sum_ext. intros g _. apply sum_ext. intros h _. rewrite <- T. unfold differ. rewrite (Nat.eqb_sym g). reflexivity.
    + apply sum_ext. intros g _. rewrite <- T. reflexivity.
  - apply (f_equal (fun t => t / INR B / sigma_2 Z_2 f)). apply sum_ext. intros h I_.
    change (sum B (fun i => (Z_2 i f - sum B (fun i => Z_2 i f) / INR B) / _ * Z_circumflex_1 i h) / INR B) with (sum B (fun i => Z_circumflex_2 Z_2 i f * Z_circumflex_1 i h) / INR B).
    rewrite !T. f_equal. symmetry. destruct (Nat.eq_dec f h) as [<-|E].
    + assert (S := short_of_one B (fun i => Z_circumflex_1 i f) (fun i => Z_circumflex_2 Z_2 i f) H
        (standardised B (fun i => Z_tilde_1 i f) H (H5 f H2)) (standardised B (fun i => Z_tilde_2 Z_2 i f) H (H3 f H2))).
      change (1 - C Z_2 f f = sum B (fun i => (Z_circumflex_1 i f - Z_circumflex_2 Z_2 i f) ^ 2) / 2 / INR B) in S.
      unfold G. rewrite S. field. apply not_zero, INR_pos, H.
    + unfold G. rewrite (delta_differ f h E), (delta_differ h f) by auto. unfold differ. rewrite (Nat.eqb_sym h). unfold Rdiv. ring.
Qed.
