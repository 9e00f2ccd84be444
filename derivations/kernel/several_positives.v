(* Several candidates of the anchor's class: as positives they repel one another, as negatives they set a floor. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R6: negatives *)
Theorem R6_negatives :
  forall (A : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  0 <= sum A (fun a : nat => (1 - Y_plus i a) ^ 2 * differ a (p i) * P i a).
(*! *)
Proof. by_signs. Qed.

(*! R6: out *)
Theorem R6_out :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (forall i j : nat, 0 <= Y_plus i j) ->
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (a < A)%nat ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let ell_out (L : nat -> nat -> R) (i : nat) : R := - (sum A (fun m : nat => (differ m (p i) * Y_plus i m +
    delta m (p i)) * ln (P L i m)) / n_plus i) in
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P L i m) ->
  is_derive (fun x : R => ell_out (set2 L i a x) i) (L i a) (P L i a - (differ a (p i) * Y_plus i a + delta a
    (p i)) / n_plus i).
(*! *)
Proof. by_sums. Qed.

(*! R6: alike *)
Theorem R6_alike :
  forall (K M : nat) (x mu : R),
  (0 < K)%nat ->
  (0 < M)%nat ->
  - (ln (exp x / (sum K (fun m : nat => exp x) + sum M (fun n : nat => exp (x - mu))))) = ln (INR K + INR M *
    exp (- (mu))).
(*! *)
Proof. by_odds. Qed.

(*! R6: floor *)
Theorem R6_floor :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (forall i j : nat, Y_plus i j = 0 \/ Y_plus i j = 1) ->
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell_in (i : nat) : R := - (ln ((P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m))
    / n_plus i)) in
  (forall i : nat, (i < N)%nat -> 0 < (P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m))
    / n_plus i) ->
  ln (n_plus i) <= ell_in i.
(*! *)
Proof.
  intros. assert (S : sum A (P i) = 1) by (apply shares, not_zero; sign).
  assert (P0 : forall a, 0 < P i a) by (intros; unfold P; sign).
  assert (n0 : 0 < n_plus i) by (unfold n_plus; sign).
  assert (Q : P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m) <= 1).
  { rewrite <- S, <- (sum_delta A (p i) (P i)) at 1 by auto. rewrite <- sum_plus. apply sum_le. intros m M. rewrite differ_delta.
    assert (X := P0 m). unfold delta. destruct (Nat.eqb m (p i)), (H3 i m) as [E|E]; rewrite E; lra. }
  assert (X := H4 i H1). cbv beta in X. unfold ell_in. rewrite <- ln_Rinv by exact X. apply ln_le; [exact n0|].
  assert (Q0 : 0 < P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m)).
  { apply Rmult_lt_reg_r with (/ n_plus i); [apply Rinv_0_lt_compat, n0|]. rewrite Rmult_0_l. exact X. }
  replace (/ (_ / n_plus i)) with (n_plus i * / (P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m))) by (field; lra).
  rewrite <- (Rmult_1_r (n_plus i)) at 1. apply Rmult_le_compat_l; [lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra.
Qed.

(*! R6: in *)
Theorem R6_in :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (a < A)%nat ->
  (forall i j : nat, Y_plus i j = 0 \/ Y_plus i j = 1) ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let ell_in (L : nat -> nat -> R) (i : nat) : R := - (ln ((P L i (p i) + sum A (fun m : nat => differ m (p i)
    * P L i m * Y_plus i m)) / n_plus i)) in
  (forall i : nat, (i < N)%nat -> P L i (p i) + sum A (fun m : nat => differ m (p i) * P L i m * Y_plus i m)
    <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < (P L i (p i) + sum A (fun m : nat => differ m (p i) * P L i m * Y_plus i
    m)) / n_plus i) ->
  is_derive (fun x : R => ell_in (set2 L i a x) i) (L i a) (P L i a - (differ a (p i) * Y_plus i a + delta a
    (p i)) * P L i a / (P L i (p i) + sum A (fun m : nat => differ m (p i) * P L i m * Y_plus i m))).
(*! *)
Proof. by_sums. Qed.

(*! R6: order *)
Theorem R6_order :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let ell_in (i : nat) : R := - (ln ((P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m))
    / n_plus i)) in
  let ell_out (i : nat) : R := - (sum A (fun m : nat => (differ m (p i) * Y_plus i m + delta m (p i)) * ln (P
    i m)) / n_plus i) in
  (forall i : nat, (i < N)%nat -> 0 < (P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m))
    / n_plus i) ->
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < P i a) ->
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P i m) ->
  (forall i : nat, (i < N)%nat -> P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m) <> 0)
    ->
  ell_in i <= ell_out i.
(*! *)
Proof.
  intros. pose (w := fun m => differ m (p i) * Y_plus i m + delta m (p i)).
  assert (W : n_plus i = sum A w).
  { unfold n_plus, w. rewrite sum_plus, (sum_ext A (fun k => delta k (p i)) (fun k => delta k (p i) * 1)) by (intros; ring).
    rewrite sum_delta by auto. ring. }
  assert (Q : P i (p i) + sum A (fun m => differ m (p i) * P i m * Y_plus i m) = sum A (fun m => w m * P i m)).
  { unfold w. rewrite (sum_ext A (fun m => (_ + _) * _) (fun m => differ m (p i) * P i m * Y_plus i m + delta m (p i) * P i m)) by (intros; ring).
    rewrite sum_plus, sum_delta by auto. ring. }
  assert (n0 : 0 < n_plus i) by (unfold n_plus; sign).
  unfold ell_in, ell_out. apply Ropp_le_contravar. rewrite Q, W. apply (mean_of_ln A w (P i)).
  - intros. unfold w. sign.
  - intros. auto.
  - rewrite <- W. exact n0.
  - rewrite <- Q. assert (X := H3 i H1). cbv beta in X. apply Rmult_lt_reg_r with (/ n_plus i); [apply Rinv_0_lt_compat, n0|]. rewrite Rmult_0_l. exact X.
Qed.

(*! R6: own *)
Theorem R6_own :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (forall i j : nat, Y_plus i j = 0 \/ Y_plus i j = 1) ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let ell_in (L : nat -> nat -> R) (i : nat) : R := - (ln ((P L i (p i) + sum A (fun m : nat => differ m (p i)
    * P L i m * Y_plus i m)) / n_plus i)) in
  (forall i : nat, (i < N)%nat -> P L i (p i) + sum A (fun m : nat => differ m (p i) * P L i m * Y_plus i m)
    <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < (P L i (p i) + sum A (fun m : nat => differ m (p i) * P L i m * Y_plus i
    m)) / n_plus i) ->
  is_derive (fun x : R => ell_in (set2 L i (p i) x) i) (L i (p i)) (- (P L i (p i) * sum A (fun a : nat => (1
    - Y_plus i a) ^ 2 * differ a (p i) * P L i a) / (P L i (p i) + sum A (fun m : nat => differ m (p i) * P L
    i m * Y_plus i m)))).
(*! *)
Proof.
  intros. assert (Y2 : forall a, Y_plus i a ^ 2 = Y_plus i a) by (intros a; destruct (H3 i a) as [E|E]; rewrite E; ring).
  replace (sum A (fun a => (1 - Y_plus i a) ^ 2 * differ a (p i) * P L i a))
    with (sum A (fun a => (1 - Y_plus i a) * differ a (p i) * P L i a)).
  - by_sums.
  - apply sum_ext. intros a _. replace ((1 - Y_plus i a) ^ 2) with (1 - 2 * Y_plus i a + Y_plus i a ^ 2) by ring. rewrite Y2. ring.
Qed.

(*! R13: floor *)
Theorem R13_floor :
  forall (A N : nat) (L Y_plus : nat -> nat -> R) (omega : nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_plus i j) ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (forall i j : nat, Y_plus i j = 0 \/ Y_plus i j = 1) ->
  let R_ (i : nat) : R := omega i / sum N (fun k : nat => omega k) in
  let n_plus (i : nat) : R := 1 + sum A (fun m : nat => differ m (p i) * Y_plus i m) in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell_out (i : nat) : R := - (sum A (fun m : nat => (differ m (p i) * Y_plus i m + delta m (p i)) * ln (P
    i m)) / n_plus i) in
  (forall i : nat, (i < N)%nat -> 0 < (P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m))
    / n_plus i) ->
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < P i a) ->
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P i m) ->
  (forall i : nat, (i < N)%nat -> P i (p i) + sum A (fun m : nat => differ m (p i) * P i m * Y_plus i m) <> 0)
    ->
  sum N (fun i : nat => R_ i * ln (n_plus i)) <= sum N (fun i : nat => ell_out i * R_ i).
(*! *)
Proof.
  intros. apply sum_le. intros i I_. rewrite (Rmult_comm (ell_out i)). apply Rmult_le_compat_l; [unfold R_; sign|].
  eapply Rle_trans; [apply (R6_floor A N L Y_plus p i); assumption|apply (R6_order A N L Y_plus p i); assumption].
Qed.
