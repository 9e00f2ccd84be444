(* The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3). *)

(*! P1: bound *)
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
  unfold loss, information, Rminus. rewrite Ropp_involutive.
  apply (information_bound D Omega (INR N) J' R_ phi sigma (fun n => varrho (iota n)) Lambda); auto using INR_pos, Rlt_le.
Qed.

(*! P1: negative *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (Q : forall k, 0 < varrho (iota k)) by (intros; subst varrho; cbv beta; sign).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; assert (X := R0 (Lambda n)); assert (Y := Q n); sign).
  assert (B : sum D (fun n => J' n * ln (phi n / Phi n)) <= 0); [|unfold loss; lra].
  rewrite <- (sum_zero D (fun _ => 0)) by reflexivity. apply sum_le. intros n _.
  assert (X := H0 n). assert (Y : 0 <= sigma (Lambda n)) by auto.
  assert (W : 0 <= sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n))) by sign.
  assert (G : phi n <= Phi n) by (unfold Phi; lra).
  rewrite <- (Rmult_0_r (J' n)). apply Rmult_le_compat_l; [apply Rlt_le; auto|]. rewrite <- ln_1.
  apply ln_le; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (Phi n); [lra|]. unfold Rdiv.
  rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(*! D3.32: apart *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign). assert (n0 := INR_pos N H).
  assert (P0 : forall i, 0 < Pi i) by (intros; unfold Pi, J_y, J_x; sign).
  pose (g := fun (a b m : nat) => phi_x a b / (sigma_x b m + phi_x a b)).
  assert (g0 : forall a b m, 0 < g a b m) by (intros; unfold g; assert (A := H5 b m); assert (B := H2 a b); sign).
  pose (G := fun a b : nat => sum Omega (fun m => R_ m * g a b m)).
  assert (G0 : forall a b, 0 <= G a b) by (intros; unfold G; apply sum_nonneg; intros m _; assert (A := R0 m); assert (B := g0 a b m); sign).
  assert (A : sum V (fun i => Pi i * G (x i) (c i)) <= P_macron_x).
  { apply (Rle_trans _ (sum V (fun l => sum V (fun k => J k * J l * G (x k) (c l) * (1 - varkappa k l))))).
    - right. rewrite (sum_ext V (fun i => Pi i * _) (fun i => sum V (fun l => sum V (fun k => J k * J l * (delta (c i) (c l) * delta (x i) (x k)) * G (x k) (c l))))).
      + rewrite sum_swap. apply sum_ext. intros l _. rewrite sum_swap. apply sum_ext. intros k _. unfold varkappa.
        replace (1 - (1 - sum V (fun i => delta (c i) (c l) * delta (x i) (x k)))) with (sum V (fun i => delta (c i) (c l) * delta (x i) (x k))) by ring.
        rewrite <- sum_scale. apply sum_ext. intros. ring.
      + intros i I. unfold Pi, J_y, J_x. rewrite !marginal by exact I. rewrite Rmult_assoc, <- sum_scale_r. apply sum_ext. intros l _.
        rewrite <- sum_scale_r, <- sum_scale. apply sum_ext. intros k _.
        unfold delta. destruct (Nat.eqb_spec (c i) (c l)) as [->|]; [|ring]. destruct (Nat.eqb_spec (x i) (x k)) as [->|]; ring.
    - unfold P_macron_x. apply sum_le. intros l _. apply sum_le. intros k _. assert (a := J0 k). assert (b := J0 l). assert (d := G0 (x k) (c l)).
      apply (Rle_trans _ (J k * J l * G (x k) (c l))).
      + assert (q : 0 <= J k * J l * G (x k) (c l)) by sign. destruct (H6 k l) as [E|E]; rewrite E; lra.
      + right. unfold G. rewrite <- sum_scale. apply sum_ext. intros m _. unfold g, Phi_x, Rdiv. ring. }
  assert (B : sum V (fun i => sum Omega (fun m => J i * R_ m * ln (g (x i) (c i) m)) + J i * ln (INR N) - J i * ln (J i / Pi i))
    <= sum V (fun i => INR N * (Pi i * G (x i) (c i)) - J i)).
  { apply sum_le. intros i _. assert (a := J0 i). assert (b := P0 i). unfold G. rewrite <- !sum_scale.
    replace (J i * ln (INR N)) with (sum Omega R_ * (J i * ln (INR N))) by (rewrite R1; ring).
    replace (J i * ln (J i / Pi i)) with (sum Omega R_ * (J i * ln (J i / Pi i))) by (rewrite R1; ring).
    match goal with |- _ <= ?u - _ => replace (u - J i) with (u - sum Omega R_ * J i) by (rewrite R1; ring) end.
    rewrite <- !sum_scale_r, <- sum_plus, <- !sum_minus. apply sum_le. intros m _. assert (r := R0 m). assert (d := g0 (x i) (c i) m).
    assert (L := ln_below (INR N * g (x i) (c i) m / (J i / Pi i)) ltac:(sign)).
    unfold Rdiv at 1 in L. rewrite ln_mult, ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; sign).
    assert (M := Rmult_le_compat_l (J i * R_ m) _ _ ltac:(sign) L).
    replace (J i * R_ m * (INR N * g (x i) (c i) m / (J i / Pi i) - 1)) with (INR N * (Pi i * (R_ m * g (x i) (c i) m)) - R_ m * J i) in M by (field; lra).
    lra. }
  rewrite !sum_minus, sum_plus, sum_scale_r, sum_scale in B. change (sum V (fun k => J k)) with (sum V J) in B. rewrite J1 in B.
  change (sum V (fun k => J k * ln (J k / Pi k))) with information in B.
  assert (C : loss_a = - sum V (fun i => sum Omega (fun m => J i * R_ m * ln (g (x i) (c i) m)))) by reflexivity.
  apply (Rmult_le_compat_l (INR N)) in A; lra.
Qed.

(* Independent draws, for D3.32: E k F is the mean of F of the sum of k scores, each f a with the probability J a. *)

Lemma mean_of_draws : forall V (J f : nat -> R) (E : nat -> (R -> R) -> R), sum V J = 1 -> (forall a, 0 < f a) ->
  (forall F, E O F = F 0) -> (forall k F, E (S k) F = sum V (fun a => J a * E k (fun r => F (r + f a)))) ->
  forall k, (forall F G, (forall r, 0 <= r -> F r = G r) -> E k F = E k G) /\
    (forall F G, E k (fun r => F r + G r) = E k F + E k G) /\ E k (fun _ => 1) = 1.
Proof.
  intros V J f E J1 f0 E0 ES k. induction k as [|k [X [P C]]].
  - repeat split; intros; rewrite !E0; auto using Rle_refl.
  - repeat split; intros; rewrite !ES.
    + apply sum_ext. intros a _. f_equal. apply X. intros r r0. apply H. assert (A := f0 a). lra.
    + rewrite <- sum_plus. apply sum_ext. intros a _. rewrite P. ring.
    + rewrite (sum_ext V _ J); [exact J1|]. intros a _. rewrite C. ring.
Qed.

(* The shares of k + 1 draws beside a score t have k + 1 times the mean of one: by induction over k. *)
Lemma shares_of_draws : forall V (J f : nat -> R) (E : nat -> (R -> R) -> R), sum V J = 1 -> (forall a, 0 < f a) ->
  (forall F, E O F = F 0) -> (forall k F, E (S k) F = sum V (fun a => J a * E k (fun r => F (r + f a)))) ->
  forall k t, 0 <= t -> E (S k) (fun r => r / (t + r)) = INR (S k) * sum V (fun a => J a * E k (fun r => f a / (t + f a + r))).
Proof.
  intros V J f E J1 f0 E0 ES k. assert (D := mean_of_draws V J f E J1 f0 E0 ES). induction k as [|k IH]; intros t t0.
  - rewrite ES. simpl INR. rewrite Rmult_1_l. apply sum_ext. intros a _. rewrite !E0. f_equal. f_equal; ring.
  - pose (one := sum V (fun b => J b * sum V (fun a => J a * E k (fun r => f a / (t + f b + f a + r))))).
    assert (last : sum V (fun b => J b * E (S k) (fun r => f b / (t + f b + r))) = one).
    { unfold one. rewrite (sum_ext V _ (fun b => sum V (fun a => J b * (J a * E k (fun r => f b / (t + f a + f b + r)))))).
      - rewrite sum_swap. apply sum_ext. intros a _. rewrite <- sum_scale. apply sum_ext. intros. ring.
      - intros b _. rewrite ES, <- sum_scale. apply sum_ext. intros a _. do 2 f_equal. apply (D k). intros r _. f_equal. ring. }
    rewrite last, ES, (sum_ext V _ (fun b => INR (S k) * (J b * sum V (fun a => J a * E k (fun r => f a / (t + f b + f a + r))))
      + J b * E (S k) (fun r => f b / (t + f b + r)))).
    + rewrite sum_plus, last, sum_scale. fold one. rewrite (S_INR (S k)). ring.
    + intros b _. assert (b0 := f0 b). replace (INR (S k) * (J b * _)) with (J b * E (S k) (fun r => r / (t + f b + r))) by (rewrite IH by lra; ring).
      rewrite <- Rmult_plus_distr_l, <- (proj1 (proj2 (D (S k)))). f_equal. apply (D (S k)). intros r r0. field. lra.
Qed.

(* So one of k + 1 draws has the mean share 1/(k + 1). *)
Lemma share_of_one_draw : forall V (J f : nat -> R) (E : nat -> (R -> R) -> R), sum V J = 1 -> (forall a, 0 < f a) ->
  (forall F, E O F = F 0) -> (forall k F, E (S k) F = sum V (fun a => J a * E k (fun r => F (r + f a)))) ->
  forall k, INR (S k) * sum V (fun a => J a * E k (fun r => f a / (f a + r))) = 1.
Proof.
  intros V J f E J1 f0 E0 ES k. assert (D := mean_of_draws V J f E J1 f0 E0 ES). assert (H := shares_of_draws V J f E J1 f0 E0 ES k 0 (Rle_refl 0)).
  rewrite (sum_ext V _ (fun a => J a * E k (fun r => f a / (0 + f a + r))))
    by (intros a _; f_equal; apply (D k); intros; f_equal; ring).
  rewrite <- H, ES, (sum_ext V _ J); [exact J1|]. intros a _. rewrite <- (Rmult_1_r (J a)) at 2. f_equal.
  rewrite <- (proj2 (proj2 (D k))). apply (D k). intros r r0. assert (A := f0 a). field. lra.
Qed.

Lemma sum_cut : forall n m f, sum (n + m) f = sum n f + sum m (fun k => f (n + k)%nat).
Proof.
  intros n m f. induction m as [|m IH]; [rewrite Nat.add_0_r; simpl; ring|]. rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
Qed.

Lemma sum_of_pairs : forall V W f, sum (W * V) f = sum W (fun m => sum V (fun a => f (m * V + a)%nat)).
Proof.
  intros V W f. induction W as [|W IH]; [reflexivity|].
  replace (S W * V)%nat with (W * V + V)%nat by (simpl; apply Nat.add_comm). rewrite sum_cut, IH. reflexivity.
Qed.

(* The printed bound, for every number M of independent negatives: their outcomes are the numbers of M digits to the
   base V, the last digit being the last draw. *)
Lemma independent_candidates : forall V (pi : nat -> R) (phi : nat -> nat -> R) (c x : nat -> nat) (R_ : nat -> nat -> R)
  (sigma : nat -> nat -> nat -> R), (0 < V)%nat -> (forall i, 0 < pi i) -> (forall a b, 0 < phi a b) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  (forall m, R_ O m = 1) -> (forall k m a, (a < V)%nat -> R_ (S k) (m * V + a)%nat = R_ k m * J a) ->
  (forall b m, sigma O b m = 0) -> (forall k b m a, (a < V)%nat -> sigma (S k) b (m * V + a)%nat = sigma k b m + phi (x a) b) ->
  let Pi (i : nat) : R := (J i + sum V (fun k => differ k i * J k * delta (c i) (c k))) * (J i + sum V (fun k => differ k i * J k * delta (x i) (x k))) in
  (forall k l, 1 - sum V (fun i => delta (c i) (c l) * delta (x i) (x k)) = 0 \/ 1 - sum V (fun i => delta (c i) (c l) * delta (x i) (x k)) = 1) ->
  forall M, ln (INR (S M)) + sum V (fun i => sum (V ^ M) (fun m => J i * R_ M m * ln (phi (x i) (c i) / (sigma M (c i) m + phi (x i) (c i)))))
    <= sum V (fun i => J i * ln (J i / Pi i)).
Proof.
  intros V pi phi c x R_ sigma V0 pi0 phi0 J R0 RS S0 SS Pi mask M.
  assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (digits : forall m, m = (m / V * V + m mod V)%nat /\ (m mod V < V)%nat).
  { intros m. assert (V <> O) by lia. split; [|apply Nat.mod_upper_bound; assumption]. rewrite Nat.mul_comm. apply Nat.div_mod. assumption. }
  assert (P : forall k m, 0 < R_ k m).
  { induction k as [|k IH]; intros m; [rewrite R0; lra|]. destruct (digits m) as [E L]. rewrite E, RS by exact L.
    apply Rmult_lt_0_compat; auto. }
  assert (Q : forall k b m, 0 <= sigma k b m).
  { induction k as [|k IH]; intros b m; [rewrite S0; lra|]. destruct (digits m) as [E L]. rewrite E, SS by exact L.
    assert (A := IH b (m / V)%nat). assert (B := phi0 (x (m mod V)) b). lra. }
  pose (E := fun (b k : nat) (F : R -> R) => sum (V ^ k) (fun m => R_ k m * F (sigma k b m))).
  assert (E0 : forall b F, E b O F = F 0) by (intros; unfold E; simpl; rewrite R0, S0; ring).
  assert (ES : forall b k F, E b (S k) F = sum V (fun a => J a * E b k (fun r => F (r + phi (x a) b)))).
  { intros b k F. unfold E. simpl Nat.pow. rewrite Nat.mul_comm, sum_of_pairs, sum_swap. apply sum_ext. intros a L.
    rewrite <- sum_scale. apply sum_ext. intros m _. rewrite RS, SS by exact L. ring. }
  assert (R1 : sum (V ^ M) (fun m => R_ M m) = 1).
  { assert (D := proj2 (proj2 (mean_of_draws V J (fun a => phi (x a) O) (E O) J1 ltac:(intros; apply phi0) (E0 O) (ES O) M))).
    unfold E in D. rewrite <- D. apply sum_ext. intros. ring. }
  assert (B := D3_32_apart (S M) V (V ^ M) pi (sigma M) phi (R_ M) c x ltac:(lia) V0 ltac:(assert (V ^ M <> O)%nat by (apply Nat.pow_nonzero; lia); lia)
    phi0 pi0 (P M) (Q M) mask).
  cbv zeta beta in B. rewrite R1 in B.
  assert (share : INR (S M) * sum V (fun l => sum V (fun k => sum (V ^ M) (fun m => J k * J l * (R_ M m / 1) * phi (x k) (c l) / (sigma M (c l) m + phi (x k) (c l))))) = 1).
  { rewrite <- sum_scale, (sum_ext V _ J); [exact J1|]. intros l _.
    assert (D := share_of_one_draw V J (fun a => phi (x a) (c l)) (E (c l)) J1 ltac:(intros; apply phi0) (E0 (c l)) (ES (c l)) M).
    apply (f_equal (Rmult (J l))) in D. rewrite Rmult_1_r in D. refine (eq_trans _ D). unfold E. rewrite <- !sum_scale. apply sum_ext. intros k _.
    rewrite <- !sum_scale. apply sum_ext. intros m _. assert (A := Q M (c l) m). assert (F := phi0 (x k) (c l)). field. lra. }
  rewrite Rmult_comm in share.
  rewrite (sum_ext V (fun i => sum (V ^ M) (fun m => J i * R_ M m * _)) (fun i => sum (V ^ M) (fun m => J i * (R_ M m / 1) * ln (phi (x i) (c i) / (sigma M (c i) m + phi (x i) (c i))))))
    by (intros i _; apply sum_ext; intros m _; replace (R_ M m / 1) with (R_ M m) by field; reflexivity).
  subst Pi J. cbv beta in *. lra.
Qed.

(*! P1: information *)
Proof.
  intros.
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold_names; sign).
  assert (N0 := INR_pos N H3).
  assert (Z : 0 < sum D (fun n => R_ (Lambda n) * varrho' (iota n)))
    by (apply sum_pos; [auto|intros; apply Rmult_lt_0_compat; auto]).
  assert (E : forall i, (i < V)%nat -> J'' i / Pi' i = varrho i).
  { intros i I. apply Rmult_eq_reg_r with (Pi' i); [|auto]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by auto.
    unfold J'', Pi', Rdiv. rewrite <- sum_scale_r, <- sum_scale. apply sum_ext. intros n I'. unfold J'.
    replace (R_ (Lambda n) * varrho (iota n) / INR N * delta i (iota n)) with (R_ (Lambda n) / INR N * (delta i (iota n) * varrho (iota n))) by (field; lra).
    rewrite <- (delta_replace i (iota n) varrho). field. lra. }
  rewrite (sum_ext V _ (fun i => J'' i * ln (varrho i))) by (intros; rewrite E; auto).
  unfold J''. rewrite (sum_ext V _ (fun i => sum D (fun n => delta i (iota n) * (J' n * ln (varrho i)))))
    by (intros; rewrite <- sum_scale_r; apply sum_ext; intros; ring).
  rewrite sum_swap. apply sum_ext. intros n I. rewrite (sum_delta V (iota n) (fun i => J' n * ln (varrho i))) by auto. reflexivity.
Qed.

(*! D3.30: negative *)
Proof.
  intros. assert (S : 0 < sum N (fun k => phi' k)) by sign. unfold ell.
  assert (O : 0 <= sum N (fun k => differ k i * phi' k)) by sign.
  assert (E : sum N (fun k => phi' k) = phi' i + sum N (fun k => differ k i * phi' k)).
  { rewrite (sum_ext N (fun k => differ k i * phi' k) (fun k => phi' k - delta k i * phi' k)) by (intros; rewrite differ_delta; ring).
    rewrite sum_minus, sum_delta by assumption. change (sum N (fun k => phi' k)) with (sum N phi'). ring. }
  assert (P := H0 i). rewrite <- ln_Rinv, <- ln_1 by sign. apply ln_le; [lra|].
  replace (/ (phi' i / sum N (fun k => phi' k))) with (1 + sum N (fun k => differ k i * phi' k) / phi' i) by (rewrite E; field; lra).
  assert (D : 0 <= sum N (fun k => differ k i * phi' k) / phi' i) by sign. lra.
Qed.

(*! D3.33b: jensen *)
Proof.
  intros. assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign). assert (r0 := H i).
  assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  assert (P0 : forall m, 0 < 1 + sigma m / r i) by (intros m; assert (X : 0 <= sigma m / r i) by sign; lra).
  assert (M : sum Omega (fun m => R_ m * (1 + sigma m / r i)) = 1 + sum Omega (fun m => sigma m * R_ m) / r i).
  { rewrite (sum_ext Omega _ (fun m => R_ m + sigma m * R_ m * / r i)) by (intros; unfold Rdiv; ring).
    rewrite sum_plus, sum_scale_r. change (sum Omega (fun m => R_ m)) with (sum Omega R_). rewrite R1. reflexivity. }
  assert (B := mean_of_ln Omega R_ (fun m => 1 + sigma m / r i)). cbv beta in B. rewrite M, R1, !over_one in B.
  assert (X : 0 <= sum Omega (fun m => sigma m * R_ m) / r i) by sign.
  assert (B' := B ltac:(intros; apply Rlt_le; auto) ltac:(auto) ltac:(lra) ltac:(lra)). lra.
Qed.

(*! D3.33c: mean *)
Proof.
  intros. assert (Y := H0 i).
  rewrite (sum_ext X _ (fun a => sum V (fun l => delta a (x l) * (J l * delta (c i) (c l) / J_y i)))).
  - rewrite sum_swap. unfold Rdiv at 2. rewrite <- sum_scale_r. apply sum_ext. intros l K. apply (sum_delta X (x l) (fun _ => J l * delta (c i) (c l) / J_y i)). auto.
  - intros a A. assert (Z := H4 a A).
    rewrite (sum_ext V (fun l => delta a (x l) * _) (fun l => J l * delta a (x l) * delta (c i) (c l) * / J_y i)) by (intros; unfold Rdiv; ring).
    rewrite sum_scale_r. field. split; [lra|exact Z].
Qed.

(*! D3.33d: mean *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  assert (J1 : sum V J = 1) by (apply shares, not_zero; sign). assert (m0 := INR_pos M H).
  assert (P0 : forall i, 0 < Pi i) by (intros; unfold Pi, J_y, J_x; sign).
  assert (T : sum V (fun i => J i * ln ((1 + INR M) * Pi i / J i) - J i * ln (1 + INR M * Pi i / J i)) <= 0).
  { apply (Rle_trans _ (sum V (fun i => (Pi i - J i) * / (1 + INR M)))).
    - apply sum_le. intros i _. assert (j := J0 i). assert (q := P0 i). assert (u0 : 0 < Pi i / J i) by sign.
      replace ((1 + INR M) * Pi i / J i) with ((1 + INR M) * (Pi i / J i)) by (field; lra).
      replace (INR M * Pi i / J i) with (INR M * (Pi i / J i)) by (field; lra).
      replace ((Pi i - J i) * / (1 + INR M)) with (J i * ((Pi i / J i - 1) / (1 + INR M))) by (field; lra).
      set (u := Pi i / J i) in *. rewrite <- Rmult_minus_distr_l. apply Rmult_le_compat_l; [lra|].
      assert (w0 : 0 < INR M * u) by sign.
      assert (L := ln_below ((1 + INR M) * u / (1 + INR M * u)) ltac:(sign)). unfold Rdiv at 1 in L.
      rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; sign).
      assert (S : 0 <= INR M * (u - 1) ^ 2 / ((1 + INR M) * (1 + INR M * u))) by sign.
      replace ((1 + INR M) * u / (1 + INR M * u) - 1) with ((u - 1) / (1 + INR M) - INR M * (u - 1) ^ 2 / ((1 + INR M) * (1 + INR M * u))) in L by (field; lra).
      lra.
    - rewrite sum_scale_r, sum_minus. change (sum V (fun k => J k)) with (sum V J). unfold Pi, J_y, J_x. rewrite (outside V J c x J1), J1.
      assert (O : 0 <= sum V (fun l => sum V (fun k => varkappa k l * J k * J l))).
      { apply sum_nonneg. intros l _. apply sum_nonneg. intros k _. assert (a := J0 k). assert (b := J0 l).
        destruct (H2 k l) as [E|E]; rewrite E; [lra|]. rewrite Rmult_1_l. sign. }
      unfold varkappa in O. assert (I0 : 0 < / (1 + INR M)) by (apply Rinv_0_lt_compat; lra).
      rewrite <- (Rmult_0_l (/ (1 + INR M))). apply Rmult_le_compat_r; lra. }
  rewrite sum_minus in T. lra.
Qed.

(*! D3.31: least *)
Proof.
  intros. assert (S : 0 < sum N (fun k => r k)) by sign. assert (T : 0 < sum N (fun k => phi' k)) by sign.
  assert (S1 := shares N r ltac:(apply not_zero, S)). assert (T1 := shares N phi' ltac:(apply not_zero, T)).
  set (s := sum N (fun k => r k)) in *. set (t := sum N (fun k => phi' k)) in *. fold s in S1. fold t in T1.
  change (sum N r) with s in S1. change (sum N phi') with t in T1. rewrite <- !sum_opp.
  apply (Rle_trans _ (sum N (fun i => phi' i / t - r i / s - (sqrt (r i / s) - sqrt (phi' i / t)) ^ 2))).
  - apply sum_le. intros i _. assert (a := H0 i). assert (b := H1 i).
    replace (- (r i * ln (r i * t / phi' i / s) / s)) with (r i / s * ln (phi' i / t / (r i / s))); [apply gibbs_by_roots; sign|].
    replace (r i * t / phi' i / s) with (/ (phi' i / t / (r i / s))) by (field; lra). rewrite ln_Rinv by sign. field. lra.
  - right. rewrite !sum_minus, S1, T1, Rminus_eq_0, Rminus_0_l, <- sum_opp. apply sum_ext. intros i _.
    rewrite !sqrt_div by (try exact S; try exact T; apply Rlt_le; auto). reflexivity.
Qed.
