(* DHN-NCE in matrices: what the notes print, evaluated as printed, and the two forms that are right (D4). *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! D4.8: inverse *)
Theorem D4_8_inverse :
  forall (tau : R) (S : nat -> nat -> R) (i j : nat),
  (0 < tau) ->
  let A (i j : nat) : R := exp (S i j / tau) in
  (forall i : nat, forall j : nat, 0 < A i j) ->
  ln (A i j) = S i j / tau.
(*! *)
Proof. by_sums. Qed.

(*! D4.8: positive *)
Theorem D4_8_positive :
  forall (tau : R) (S : nat -> nat -> R) (i j : nat),
  (0 < tau) ->
  0 < exp (S i j / tau).
(*! *)
Proof. by_signs. Qed.


(*! D4.9: needed *)
Theorem D4_9_needed :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  (exp (ell i) - sum B (fun m : nat => W i m * O i m * exp (L i m))) * exp (- (L i i)) = (exp (- (L i i)) - 1)
    * sum B (fun m : nat => W i m * O i m * exp (L i m)) * exp (- (L i i)).
(*! *)
Proof. by_sums. Qed.

(*! D4.9: loss *)
Theorem D4_9_loss :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, (i < B)%nat -> sum B (fun l : nat => O i l * exp (beta_1 * L i l)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => (INR B - 1) * O i m * exp (beta_1 * L i m) * exp
    (L i m) / sum B (fun l : nat => O i l * exp (beta_1 * L i l)))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  sum B (fun i : nat => ell i) = sum B (fun i : nat => ln (sum B (fun m : nat => (INR B - 1) * O i m * exp
    (beta_1 * L i m) * exp (L i m) / sum B (fun l : nat => O i l * exp (beta_1 * L i l))))) - sum B (fun i :
    nat => L i i).
(*! *)
Proof. by_sums. Qed.

(*! D4.15: matrix *)
Theorem D4_15_matrix :
  forall (B : nat),
  (0 < B)%nat ->
  sum B (fun i : nat => sum B (fun k : nat => sum B (fun j : nat => 1))) = INR B ^ 3.
(*! *)
Proof. by_sums. Qed.

(*! D4.15: hadamard *)
Theorem D4_15_hadamard :
  forall (B : nat),
  (0 < B)%nat ->
  sum B (fun i : nat => sum B (fun j : nat => 1)) = INR B ^ 2.
(*! *)
Proof. by_sums. Qed.


(*! D4.18: factor *)
Theorem D4_18_factor :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun m : nat => W i m * O i m * exp (L i m)) = (INR B - 1) * sum B (fun m : nat => rho i m * exp (L i
    m)).
(*! *)
Proof. by_sums. Qed.


(*! D4.21: power *)
Theorem D4_21_power :
  forall (beta_1 tau : R) (S : nat -> nat -> R) (i j : nat),
  (0 <= beta_1) ->
  (0 < tau) ->
  let A (i j : nat) : R := exp (S i j / tau) in
  (forall i : nat, forall j : nat, 0 < A i j) ->
  exp (beta_1 * ln (A i j)) = exp (beta_1 * S i j / tau).
(*! *)
Proof. by_sums. Qed.

(*! D4.22: sum *)
Theorem D4_22_sum :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  sum B (fun m : nat => exp (L i m)) = sum B (fun m : nat => differ m i * exp (L i m)) + exp (L i i).
(*! *)
Proof. by_sums. Qed.

(*! D4.23: kronecker *)
Theorem D4_23_kronecker :
  forall (B : nat),
  (0 < B)%nat ->
  sum B (fun i : nat => sum B (fun j : nat => sum B (fun k : nat => sum B (fun l : nat => 1)))) = INR B ^ 4.
(*! *)
Proof. by_sums. Qed.

(*! D4.23: part *)
Theorem D4_23_part :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (j < B)%nat ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun k : nat => sum B (fun l : nat => W k l * delta i k * delta j l * exp (L i j))) = W i j * exp (L i
    j).
(*! *)
Proof. by_sums. Qed.


(*! D4.24: column *)
Theorem D4_24_column :
  forall (B : nat) (L W : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  let ones (j : nat) : R := 1 in
  sum B (fun j : nat => ones j * W i j * exp (L i j)) = sum B (fun j : nat => W i j * exp (L i j)).
(*! *)
Proof. by_sums. Qed.

(*! D4.25: value *)
Theorem D4_25_value :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun i : nat => ln (sum B (fun m : nat => W i m * O i m * exp (L i m)))) = sum B (fun i : nat => ell
    i) + sum B (fun i : nat => L i i).
(*! *)
Proof. by_sums. Qed.

(*! D4.26: diagonal *)
Theorem D4_26_diagonal :
  forall (B d : nat) (t beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun m : nat => (t * delta i m + W i m * O i m) * exp (L i m)) = t * exp (L i i) + sum B (fun m : nat
    => W i m * O i m * exp (L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D4.26: positive *)
Theorem D4_26_positive :
  forall (L : nat -> nat -> R) (i : nat),
  0 < exp (L i i).
(*! *)
Proof. by_signs. Qed.

(*! D4.13: logits *)
Theorem D4_13_logits :
  forall (B d : nat) (beta_1 tau : R) (I T : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  exp (beta_1 * L i j) - sum B (fun l : nat => delta i l * exp (beta_1 * L l j)) = 0.
(*! *)
Proof. by_sums. Qed.

(*! D4.14: stably *)
Theorem D4_14_stably :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  let V (i : nat) : R := ln (INR B - 1) + ln (sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m))) - L i
    i - ln (sum B (fun m : nat => O i m * exp (beta_1 * L i m))) in
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  (0 < INR B - 1) ->
  (forall i : nat, 0 < sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m))) ->
  (forall i : nat, 0 < sum B (fun m : nat => O i m * exp (beta_1 * L i m))) ->
  exp (ell i) = exp (V i).
(*! *)
Proof. by_sums. Qed.

(*! D4.7: trace *)
Theorem D4_7_trace :
  forall (B d : nat) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  sum B (fun i : nat => S i i) = sum d (fun f : nat => sum B (fun k : nat => I k f * T k f)).
(*! *)
Proof. by_sums. Qed.

(*! D4.15: diagonal *)
Theorem D4_15_diagonal :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun k : nat => delta i k * sum B (fun j : nat => W k j * exp (L i j))) = sum B (fun j : nat => W i j
    * exp (L i j)).
(*! *)
Proof.
  intros. rewrite (sum_ext B _ (fun k => delta k i * sum B (fun j => W k j * exp (L i j)))) by (intros; rewrite delta_sym; reflexivity).
  apply (sum_delta B i (fun k => sum B (fun j => W k j * exp (L i j)))). assumption.
Qed.

(*! D4.15: scores *)
Theorem D4_15_scores :
  forall (B d : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  sum B (fun i : nat => sum B (fun j : nat => sum d (fun f : nat => 1))) = INR d * INR B ^ 2.
(*! *)
Proof.
  intros. rewrite sum_one, (sum_ext B _ (fun _ => INR B * INR d)).
  - rewrite (sum_ext B _ (fun _ => INR B * INR d * 1)), sum_scale, sum_one by (intros; ring). ring.
  - intros. rewrite (sum_ext B _ (fun _ => INR d * 1)), sum_scale, sum_one by (intros; ring). ring.
Qed.

(*! D4.16: scaled *)
Theorem D4_16_scaled :
  forall (B d : nat) (c beta_1 tau : R) (I O T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * exp (c + L i m))) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * exp (L i m))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun i : nat => ln (sum B (fun m : nat => W i m * exp (c + L i m)))) = c * INR B + sum B (fun i : nat
    => ln (sum B (fun m : nat => W i m * exp (L i m)))).
(*! *)
Proof.
  intros. rewrite <- (sum_one B), <- sum_scale, <- sum_plus. apply sum_ext. intros i I_.
  rewrite (sum_ext B _ (fun m => exp c * (W i m * exp (L i m)))) by (intros; rewrite exp_plus; ring).
  rewrite sum_scale, ln_mult, ln_exp by (apply exp_pos || auto). ring.
Qed.

Lemma by_ones : forall B (L W : nat -> nat -> R),
  sum B (fun i => 1 * ln (sum B (fun j => 1 * W i j * exp (L i j)))) = sum B (fun i => ln (sum B (fun m => W i m * exp (L i m)))).
Proof.
  intros. apply sum_ext. intros i _. rewrite Rmult_1_l. f_equal. apply sum_ext. intros j _. ring.
Qed.

(*! D4.16: product *)
Theorem D4_16_product :
  forall (B : nat) (L W : nat -> nat -> R),
  (0 < B)%nat ->
  let ones (j : nat) : R := 1 in
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun j : nat => ones j * W i j * exp (L i j))) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * exp (L i m))) ->
  sum B (fun i : nat => ones i * ln (sum B (fun j : nat => ones j * W i j * exp (L i j)))) = sum B (fun i :
    nat => ln (sum B (fun m : nat => W i m * exp (L i m)))).
(*! *)
Proof. intros. apply by_ones. Qed.

(*! D4.19: strictly *)
Theorem D4_19_strictly :
  forall (u : R) (L : nat -> nat -> R) (i m : nat),
  (0 < u) ->
  u ^ 2 * exp (L i m) <= u * (exp (u + L i m) - exp (L i m)).
(*! *)
Proof.
  intros. rewrite exp_plus. assert (E := exp_pos (L i m)). assert (X := ln_below (exp u) ltac:(sign)). rewrite ln_exp in X.
  replace (u ^ 2 * exp (L i m)) with (u * exp (L i m) * u) by ring.
  replace (u * (exp u * exp (L i m) - exp (L i m))) with (u * exp (L i m) * (exp u - 1)) by ring.
  apply Rmult_le_compat_l; [sign|exact X].
Qed.

(* A sum of terms >= 0 is positive unless it is 0. *)
Lemma weighed : forall B (O L : nat -> R), (forall j, 0 <= O j) -> sum B (fun m => O m * exp (L m)) <> 0 -> 0 < sum B (fun m => O m * exp (L m)).
Proof. intros B O L P N. apply nonneg_not_zero; [|exact N]. apply sum_nonneg. intros. assert (E := exp_pos (L k)). apply Rmult_le_pos; [apply P|lra]. Qed.

(*! D4.10: margin *)
Theorem D4_10_margin :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  exp (L i i) - sum B (fun m : nat => W i m * O i m * exp (L i m)) = sum B (fun m : nat => (exp (L i i) - (INR
    B - 1) * exp (L i m)) * rho i m).
(*! *)
Proof.
  intros. assert (R1 : sum B (rho i) = 1) by (apply (shares B (fun m => O i m * exp (beta_1 * L i m))), H4).
  rewrite (sum_ext B (fun m => (_ - _) * rho i m) (fun m => rho i m * exp (L i i) - W i m * O i m * exp (L i m)))
    by (intros; unfold rho, W, Rdiv; ring).
  rewrite sum_minus, sum_scale_r. change (sum B (fun k => rho i k)) with (sum B (rho i)). rewrite R1. ring.
Qed.

(*! D4.10: share *)
Theorem D4_10_share :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i m : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  0 <= rho i m.
(*! *)
Proof.
  intros. assert (K := weighed B (O i) (fun m => beta_1 * L i m) (H2 i) (H4 i)). cbv beta in K. unfold rho.
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply H2|apply Rlt_le, exp_pos]|apply Rlt_le, Rinv_0_lt_compat, K].
Qed.

(*! D4.12: share *)
Theorem D4_12_share :
  forall (B d : nat) (t beta_1 tau : R) (I O T : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  O i j * exp (beta_1 * L i j) / (sum B (fun m : nat => O i m * exp (beta_1 * L i m)) + exp t) = (1 - exp t /
    (sum B (fun m : nat => O i m * exp (beta_1 * L i m)) + exp t)) * rho i j.
(*! *)
Proof.
  intros. assert (K := weighed B (O i) (fun m => beta_1 * L i m) (H0 i) (H4 i)). cbv beta in K. unfold rho.
  assert (E := exp_pos t). field. lra.
Qed.

Lemma on_diagonal : forall B i (f : nat -> R), (i < B)%nat -> sum B (fun l => delta i l * f l) = f i.
Proof. intros B i f I_. rewrite (sum_ext B _ (fun l => delta l i * f l)) by (intros; rewrite delta_sym; reflexivity). apply sum_delta, I_. Qed.

(*! D4.13: uniform *)
Theorem D4_13_uniform :
  forall (B d : nat) (beta_1 tau : R) (I T : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  (INR B - 1) * exp (exp (beta_1 * L i j) - sum B (fun l : nat => delta i l * exp (beta_1 * L l j))) / sum B
    (fun n : nat => exp (exp (beta_1 * L i n) - sum B (fun l : nat => delta i l * exp (beta_1 * L l n)))) -
    delta i j = (INR B - 1) / INR B - delta i j.
(*! *)
Proof.
  intros. assert (Z : forall n, exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n))) = 1).
  { intros n. rewrite (on_diagonal B i (fun l => exp (beta_1 * L l n))), Rminus_eq_0 by assumption. apply exp_0. }
  rewrite (sum_ext B (fun n => exp (exp (beta_1 * L i n) - sum B (fun l => delta i l * exp (beta_1 * L l n)))) (fun _ => 1)), sum_one, Z by (intros; apply Z). rewrite Rmult_1_r. reflexivity.
Qed.

(*! D4.20: mixed *)
Theorem D4_20_mixed :
  forall (B d : nat) (beta_1 beta_2 tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (0 <= beta_2) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  exp (beta_1 * L i i) - sum B (fun l : nat => delta i l * exp (beta_2 * L l i)) = exp (beta_1 * L i i) - exp
    (beta_2 * L i i).
(*! *)
Proof. intros. rewrite (on_diagonal B i (fun l => exp (beta_2 * L l i))) by assumption. reflexivity. Qed.

(*! D4.19: slope *)
Theorem D4_19_slope :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 <= beta_1) ->
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (beta_1 : R) (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp
    (beta_1 * L i m)) in
  let ell (beta_1 : R) (i : nat) : R := ln (sum B (fun m : nat => W beta_1 i m * O i m * exp (L i m))) - L i i
    in
  let rho (beta_1 : R) (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp
    (beta_1 * L i m)) in
  (forall i : nat, sum B (fun m : nat => rho beta_1 i m * exp (L i m)) <> 0) ->
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W beta_1 i m * O i m * exp (L i m))) ->
  is_derive (fun x : R => ell x i) beta_1 (sum B (fun j : nat => sum B (fun m : nat => (L i j - L i m) * (exp
    (L i j) - exp (L i m)) * rho beta_1 i j * rho beta_1 i m)) / 2 / sum B (fun m : nat => rho beta_1 i m *
    exp (L i m))).
(*! *)
Proof.
  intros. assert (R1 : sum B (rho beta_1 i) = 1) by (apply (shares B (fun m => O i m * exp (beta_1 * L i m))), H5).
  rewrite covariance by exact R1. unfold ell. eapply d_eq.
  - apply (d_minus (fun x => ln (sum B (fun m => W x i m * O i m * exp (L i m))))); [|apply d_const].
    apply (d_weighed B (INR B - 1) (O i) (fun _ => 0) (L i) (fun _ => L i) (fun x j => x * L i j)).
    + intros. apply d_const.
    + intros j _. eapply d_eq; [diff|ring].
    + apply H5.
    + apply H6.
  - cbv beta. assert (K := H5 i). assert (E := H4 i).
    assert (Q : sum B (fun m => rho beta_1 i m * exp (L i m)) = sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * / sum B (fun m => O i m * exp (beta_1 * L i m))).
    { rewrite <- sum_scale_r. apply sum_ext. intros m _. unfold rho, Rdiv. rewrite exp_plus. ring. }
    rewrite Q in *. assert (T0 : sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) <> 0) by (intro Z; apply E; rewrite Z; ring).
    rewrite (sum_ext B (fun j => rho beta_1 i j * (L i j * exp (L i j))) (fun j => O i j * exp (beta_1 * L i j + L i j) / sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * (L i j + 0)
      * (sum B (fun m => O i m * exp (beta_1 * L i m + L i m)) * / sum B (fun m => O i m * exp (beta_1 * L i m)))))
      by (intros; unfold rho; rewrite exp_plus; field; repeat split; assumption).
    rewrite sum_scale_r. change (sum B (fun j => O i j * exp (beta_1 * L i j) / sum B (fun m => O i m * exp (beta_1 * L i m)) * L i j)) with (sum B (fun j => rho beta_1 i j * L i j)).
    field. split; assumption.
Qed.

(*! D4.6: exchanged *)
Theorem D4_6_exchanged :
  let B : nat := (3)%nat in
  let nu : nat := (1)%nat in
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  let loss : R := (sum B (fun i : nat => ell i) + sum B (fun i : nat => ell' i)) / INR nu in
  loss <> sum B (fun i : nat => 2 * ln (INR B - 1) + ln (sum B (fun m : nat => O i m * exp ((1 + beta_1) * L m
    i))) + ln (sum B (fun m : nat => O i m * exp ((1 + beta_2) * L i m))) - ln (sum B (fun m : nat => O i m *
    exp (beta_1 * L m i))) - ln (sum B (fun m : nat => O i m * exp (beta_2 * L i m))) - 2 * L i i) / INR nu.
(*! *)
Proof. at_point. Qed.

(*! D4.7: printed *)
Theorem D4_7_printed :
  let B : nat := (2)%nat in
  let d : nat := (2)%nat in
  let I : nat -> nat -> R := list2 ((1 :: 2 :: nil) :: (3 :: 4 :: nil) :: nil)%list in
  let T : nat -> nat -> R := list2 ((1 :: 2 :: nil) :: (3 :: 4 :: nil) :: nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  S i j <> sum B (fun k : nat => I k i * T k j).
(*! *)
Proof. at_point. Qed.

(*! D4.9: formula *)
Theorem D4_9_formula :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => W i m * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.9: minus_one *)
Theorem D4_9_minus_one :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => (W i m * O i m - delta i m)
    * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.9: zero *)
Theorem D4_9_zero :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => W i m * O i m * exp (L i
    m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.9: constant *)
Theorem D4_9_constant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (exp (- (L 0%nat 0%nat)) - 1) * sum B (fun m : nat => W 0%nat m * O 0%nat m * exp (L 0%nat m)) * exp (- (L
    0%nat 0%nat)) <> (exp (- (L 1%nat 1%nat)) - 1) * sum B (fun m : nat => W 1%nat m * O 1%nat m * exp (L
    1%nat m)) * exp (- (L 1%nat 1%nat)).
(*! *)
Proof. at_point. Qed.

(*! D4.10: broken *)
Theorem D4_10_broken :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((2 :: 0 :: 0 :: nil) :: (0 :: 2 :: 0 :: nil) :: (0 :: 0 :: 2 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  sum B (fun m : nat => (W 0%nat m * O 0%nat m - delta 0%nat m) * exp (L 0%nat m)) <= 0.
(*! *)
Proof. at_point. Qed.

(*! D4.10: early *)
Theorem D4_10_early :
  let B : nat := (3)%nat in
  let beta_1 : R := 0 in
  let L : nat -> nat -> R := list2 ((2 :: (3 / 2) :: 0 :: nil) :: nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  sum B (fun m : nat => W 0%nat m * O 0%nat m * exp (L 0%nat m)) - exp (L 0%nat 0%nat) < 0.
(*! *)
Proof. at_point. Qed.

(*! D4.10: smaller *)
Theorem D4_10_smaller :
  let B : nat := (3)%nat in
  let L : nat -> nat -> R := list2 ((2 :: (3 / 2) :: 0 :: nil) :: nil)%list in
  0 < (INR B - 1) * exp (L 0%nat 1%nat) - exp (L 0%nat 0%nat).
(*! *)
Proof. at_point. Qed.

(*! D4.11: printed *)
Theorem D4_11_printed :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  W i j <> (INR B - 1) * exp (beta_1 * L i i) / sum B (fun k : nat => differ k i * exp (beta_1 * L k i)).
(*! *)
Proof. at_point. Qed.

(*! D4.12: printed *)
Theorem D4_12_printed :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  W i j <> (INR B - 1) * exp (beta_1 * differ i j * L i j) / sum B (fun n : nat => exp (beta_1 * differ i n *
    L i n)).
(*! *)
Proof. at_point. Qed.

(*! D4.13: product *)
Theorem D4_13_product :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  W 0%nat 1%nat <> (INR B - 1) * exp (exp (beta_1 * L 0%nat 1%nat) - sum B (fun l : nat => delta 0%nat l * exp
    (beta_1 * L l 1%nat))) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - sum B (fun l : nat => delta
    0%nat l * exp (beta_1 * L l n)))).
(*! *)
Proof. at_point. Qed.

(*! D4.13: meant *)
Theorem D4_13_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  W 0%nat 1%nat <> (INR B - 1) * exp (exp (beta_1 * L 0%nat 1%nat)) / sum B (fun n : nat => exp (exp (beta_1 *
    L 0%nat n) - delta 0%nat n * exp (beta_1 * L 0%nat n))).
(*! *)
Proof. at_point. Qed.

(*! D4.13: product_diagonal *)
Theorem D4_13_product_diagonal :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  - 1 <> (INR B - 1) * exp (exp (beta_1 * L 0%nat 0%nat) - sum B (fun l : nat => delta 0%nat l * exp (beta_1 *
    L l 0%nat))) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - sum B (fun l : nat => delta 0%nat l *
    exp (beta_1 * L l n)))) - 1.
(*! *)
Proof. at_point. Qed.

(*! D4.13: meant_diagonal *)
Theorem D4_13_meant_diagonal :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  - 1 <> (INR B - 1) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - delta 0%nat n * exp (beta_1 * L
    0%nat n))) - 1.
(*! *)
Proof. at_point. Qed.

(*! D4.14: product *)
Theorem D4_14_product :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp
    (beta_1 * L i m) - sum B (fun l : nat => delta i l * exp (beta_1 * L l m))) / sum B (fun n : nat => exp
    (exp (beta_1 * L i n) - sum B (fun l : nat => delta i l * exp (beta_1 * L l n)))) - delta i m) * exp (L i
    m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.14: meant *)
Theorem D4_14_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp
    (beta_1 * L i m) - delta i m * exp (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1 * L i n) -
    delta i n * exp (beta_1 * L i n))) - delta i m) * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.14: product_log *)
Theorem D4_14_product_log :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((2 :: 0 :: 0 :: nil) :: (0 :: 2 :: 0 :: nil) :: (0 :: 0 :: 2 :: nil) ::
    nil)%list in
  sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L 0%nat m) - sum B (fun l : nat => delta 0%nat l *
    exp (beta_1 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - sum B (fun l : nat => delta
    0%nat l * exp (beta_1 * L l n)))) - delta 0%nat m) * exp (L 0%nat m)) <= 0.
(*! *)
Proof. at_point. Qed.

(*! D4.14: meant_log *)
Theorem D4_14_meant_log :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((2 :: 0 :: 0 :: nil) :: (0 :: 2 :: 0 :: nil) :: (0 :: 0 :: 2 :: nil) ::
    nil)%list in
  sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L 0%nat m) - delta 0%nat m * exp (beta_1 * L 0%nat
    m)) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - delta 0%nat n * exp (beta_1 * L 0%nat n))) -
    delta 0%nat m) * exp (L 0%nat m)) <= 0.
(*! *)
Proof. at_point. Qed.

(*! D4.14: moved *)
Theorem D4_14_moved :
  let B : nat := (3)%nat in
  let c : R := 1 in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L i m) - delta i m * exp
    (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1 * L i n) - delta i n * exp (beta_1 * L i n))) -
    delta i m) * exp (L i m)))) <> sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp
    (beta_1 * (c + L i m)) - delta i m * exp (beta_1 * (c + L i m))) / sum B (fun n : nat => exp (exp (beta_1
    * (c + L i n)) - delta i n * exp (beta_1 * (c + L i n)))) - delta i m) * exp (c + L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.15: few *)
Theorem D4_15_few :
  let B : nat := (2)%nat in
  sum B (fun i : nat => sum B (fun j : nat => 1)) <> INR B.
(*! *)
Proof. at_point. Qed.

(*! D4.15: many *)
Theorem D4_15_many :
  let B : nat := (2)%nat in
  sum B (fun i : nat => sum B (fun k : nat => sum B (fun j : nat => 1))) <> INR B ^ 2.
(*! *)
Proof. at_point. Qed.

(*! D4.18: printed *)
Theorem D4_18_printed :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => (exp (exp (beta_1 * L i m) -
    sum B (fun l : nat => delta i l * exp (beta_1 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L i n)
    - sum B (fun l : nat => delta i l * exp (beta_1 * L l n)))) - delta i m) * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.18: constant *)
Theorem D4_18_constant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L i m) - sum B (fun l :
    nat => delta i l * exp (beta_1 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L i n) - sum B (fun l
    : nat => delta i l * exp (beta_1 * L l n)))) - delta i m) * exp (L i m)))) <> INR B * ln (INR B - 1) + sum
    B (fun i : nat => ln (sum B (fun m : nat => (exp (exp (beta_1 * L i m) - sum B (fun l : nat => delta i l *
    exp (beta_1 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L i n) - sum B (fun l : nat => delta i l
    * exp (beta_1 * L l n)))) - delta i m) * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.18: log *)
Theorem D4_18_log :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 1 :: 0 :: nil) :: (0 :: 1 :: 1 :: nil) :: (1 :: 0 :: 1 :: nil) ::
    nil)%list in
  sum B (fun m : nat => (exp (exp (beta_1 * L 0%nat m) - sum B (fun l : nat => delta 0%nat l * exp (beta_1 * L
    l m))) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - sum B (fun l : nat => delta 0%nat l * exp
    (beta_1 * L l n)))) - delta 0%nat m) * exp (L 0%nat m)) <= 0.
(*! *)
Proof. at_point. Qed.

(*! D4.18: kept *)
Theorem D4_18_kept :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 1 :: 0 :: nil) :: (0 :: 1 :: 1 :: nil) :: (1 :: 0 :: 1 :: nil) ::
    nil)%list in
  0 < sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L 0%nat m) - sum B (fun l : nat => delta 0%nat l
    * exp (beta_1 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - sum B (fun l : nat =>
    delta 0%nat l * exp (beta_1 * L l n)))) - delta 0%nat m) * exp (L 0%nat m)).
(*! *)
Proof. at_point. Qed.

(*! D4.18: printed_meant *)
Theorem D4_18_printed_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => (exp (exp (beta_1 * L i m) -
    delta i m * exp (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1 * L i n) - delta i n * exp
    (beta_1 * L i n))) - delta i m) * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.18: constant_meant *)
Theorem D4_18_constant_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  sum B (fun i : nat => ln (sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L i m) - delta i m * exp
    (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1 * L i n) - delta i n * exp (beta_1 * L i n))) -
    delta i m) * exp (L i m)))) <> INR B * ln (INR B - 1) + sum B (fun i : nat => ln (sum B (fun m : nat =>
    (exp (exp (beta_1 * L i m) - delta i m * exp (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1 *
    L i n) - delta i n * exp (beta_1 * L i n))) - delta i m) * exp (L i m)))).
(*! *)
Proof. at_point. Qed.

(*! D4.18: log_meant *)
Theorem D4_18_log_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 1 :: 0 :: nil) :: (0 :: 1 :: 1 :: nil) :: (1 :: 0 :: 1 :: nil) ::
    nil)%list in
  sum B (fun m : nat => (exp (exp (beta_1 * L 0%nat m) - delta 0%nat m * exp (beta_1 * L 0%nat m)) / sum B
    (fun n : nat => exp (exp (beta_1 * L 0%nat n) - delta 0%nat n * exp (beta_1 * L 0%nat n))) - delta 0%nat
    m) * exp (L 0%nat m)) <= 0.
(*! *)
Proof. at_point. Qed.

(*! D4.18: kept_meant *)
Theorem D4_18_kept_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 1 :: 0 :: nil) :: (0 :: 1 :: 1 :: nil) :: (1 :: 0 :: 1 :: nil) ::
    nil)%list in
  0 < sum B (fun m : nat => ((INR B - 1) * exp (exp (beta_1 * L 0%nat m) - delta 0%nat m * exp (beta_1 * L
    0%nat m)) / sum B (fun n : nat => exp (exp (beta_1 * L 0%nat n) - delta 0%nat n * exp (beta_1 * L 0%nat
    n))) - delta 0%nat m) * exp (L 0%nat m)).
(*! *)
Proof. at_point. Qed.

(*! D4.19: printed *)
Theorem D4_19_printed :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  sum B (fun i : nat => ell' i) <> sum B (fun i : nat => ln (INR B - 1) + ln (sum B (fun m : nat => O i m *
    exp ((1 + beta_1) * L m i))) - L i i - ln (sum B (fun m : nat => O i m * exp (beta_1 * L m i)))).
(*! *)
Proof. at_point. Qed.

(*! D4.20: printed *)
Theorem D4_20_printed :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  sum B (fun i : nat => ell i) + sum B (fun i : nat => ell' i) <> sum B (fun i : nat => ln (sum B (fun m : nat
    => (exp (exp (beta_1 * L i m) - sum B (fun l : nat => delta i l * exp (beta_1 * L l m))) / sum B (fun n :
    nat => exp (exp (beta_1 * L i n) - sum B (fun l : nat => delta i l * exp (beta_1 * L l n)))) - delta i m)
    * exp (L i m)))) + sum B (fun i : nat => ln (sum B (fun m : nat => (exp (exp (beta_1 * L m i) - sum B (fun
    l : nat => delta i l * exp (beta_2 * L l m))) / sum B (fun n : nat => exp (exp (beta_1 * L n i) - sum B
    (fun l : nat => delta i l * exp (beta_2 * L l n)))) - delta i m) * exp (L m i)))).
(*! *)
Proof. at_point. Qed.

(*! D4.20: diagonal *)
Theorem D4_20_diagonal :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  exp (beta_1 * L 0%nat 0%nat) - sum B (fun l : nat => delta 0%nat l * exp (beta_2 * L l 0%nat)) <> 0.
(*! *)
Proof. at_point. Qed.

(*! D4.20: printed_meant *)
Theorem D4_20_printed_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  sum B (fun i : nat => ell i) + sum B (fun i : nat => ell' i) <> sum B (fun i : nat => ln (sum B (fun m : nat
    => (exp (exp (beta_1 * L i m) - delta i m * exp (beta_1 * L i m)) / sum B (fun n : nat => exp (exp (beta_1
    * L i n) - delta i n * exp (beta_1 * L i n))) - delta i m) * exp (L i m)))) + sum B (fun i : nat => ln
    (sum B (fun m : nat => (exp (exp (beta_1 * L m i) - delta i m * exp (beta_2 * L i m)) / sum B (fun n : nat
    => exp (exp (beta_1 * L n i) - delta i n * exp (beta_2 * L i n))) - delta i m) * exp (L m i)))).
(*! *)
Proof. at_point. Qed.

(*! D4.20: diagonal_meant *)
Theorem D4_20_diagonal_meant :
  let beta_1 : R := 1 in
  let beta_2 : R := 2 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  exp (beta_1 * L 0%nat 0%nat) - exp (beta_2 * L 0%nat 0%nat) <> 0.
(*! *)
Proof. at_point. Qed.

(*! D4.21: printed *)
Theorem D4_21_printed :
  let B : nat := (2)%nat in
  let d : nat := (2)%nat in
  let tau : R := 1 in
  let I : nat -> nat -> R := list2 ((1 :: 2 :: nil) :: (3 :: 4 :: nil) :: nil)%list in
  let T : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: (0 :: 1 :: nil) :: nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let A (i j : nat) : R := exp (S i j / tau) in
  A i j <> exp (sum B (fun k : nat => I k i * T k j) / tau).
(*! *)
Proof. at_point. Qed.

(*! D4.21: squares *)
Theorem D4_21_squares :
  let B : nat := (2)%nat in
  let L : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: (0 :: 1 :: nil) :: nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  exp (2 * L i j) <> sum B (fun k : nat => exp (L i k) * exp (L k j)).
(*! *)
Proof. at_point. Qed.

(*! D4.27: product *)
Theorem D4_27_product :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => (INR B - 1) * exp (exp
    (beta_1 * L i m) - sum B (fun l : nat => delta i l * exp (L l m))) * exp (L i m) / sum B (fun n : nat =>
    exp (exp (beta_1 * L i n) - sum B (fun l : nat => delta i l * exp (L l n))))))).
(*! *)
Proof. at_point. Qed.

(*! D4.27: meant *)
Theorem D4_27_meant :
  let B : nat := (3)%nat in
  let beta_1 : R := 1 in
  let L : nat -> nat -> R := list2 ((1 :: 2 :: 1 :: nil) :: (0 :: 1 :: 3 :: nil) :: (2 :: 0 :: 1 :: nil) ::
    nil)%list in
  let O (i j : nat) : R := differ i j in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  sum B (fun i : nat => ell i) <> sum B (fun i : nat => ln (sum B (fun m : nat => (INR B - 1) * exp (exp
    (beta_1 * L i m) - delta i m * exp (L i m)) * exp (L i m) / sum B (fun n : nat => exp (exp (beta_1 * L i
    n) - delta i n * exp (L i n)))))).
(*! *)
Proof. at_point. Qed.

(*! D4.14: invariant *)
Theorem D4_14_invariant :
  forall (B : nat) (beta_1 : R) (L O : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (i < B)%nat ->
  let W (L : nat -> nat -> R) (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O
    i m * exp (beta_1 * L i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W L i m * O i m * exp (L i m))) - L
    i i in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W L i m * O i m * exp (L i m))) ->
  (forall j : nat, (j < B)%nat -> ex_derive (fun x : R => ell (set2 L i j x) i) (L i j)) /\ sum B (fun j : nat
    => Derive (fun x : R => ell (set2 L i j x) i) (L i j)) = 0.
(*! *)
Proof. by_sums. Qed.

(*! D4.14: shifted *)
Theorem D4_14_shifted :
  forall (B : nat) (L : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (i < B)%nat ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => ((INR B - 1) / INR B - delta i m) * exp (L i m)))
    ->
  (forall j : nat, (j < B)%nat -> ex_derive (fun x : R => ln (sum B (fun m : nat => ((INR B - 1) / INR B -
    delta i m) * exp ((set2 L i j x) i m)))) (L i j)) /\ sum B (fun j : nat => Derive (fun x : R => ln (sum B
    (fun m : nat => ((INR B - 1) / INR B - delta i m) * exp ((set2 L i j x) i m)))) (L i j)) = 1.
(*! *)
Proof. intros. unfold_names. set (c := (INR B - 1) / INR B) in *. clearbody c. by_rules. Qed.
