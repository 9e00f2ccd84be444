(* The bounds on mutual information from SupCon's two losses: positives inside or outside the logarithm. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R3: each *)
Theorem R3_each :
  forall (D M : nat) (J' : nat -> R) (r_p : nat -> nat -> R),
  (0 < D)%nat ->
  (forall i : nat, 0 < J' i) ->
  (0 < M)%nat ->
  (forall i j : nat, 0 < r_p i j) ->
  let varrho_p (n : nat) : R := exp (sum M (fun j : nat => ln (r_p n j))) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho_p n)) in
  information = sum M (fun j : nat => sum D (fun n : nat => J' n * ln (r_p n j))).
(*! *)
Proof. by_sums. Qed.

(*! R3: bound *)
Theorem R3_bound :
  forall (D K_p M N Omega : nat) (sigma phi omega omega_p : nat -> R) (Lambda : nat -> nat),
  (0 < N)%nat ->
  (0 < D)%nat ->
  (0 < M)%nat ->
  (forall i : nat, 0 < phi i) ->
  (0 < Omega)%nat ->
  (forall i : nat, 0 < omega i) ->
  (forall i : nat, 0 < omega_p i) ->
  (0 < K_p)%nat ->
  (forall i : nat, 0 <= sigma i) ->
  (forall i : nat, (i < D)%nat -> (Lambda i < Omega)%nat) ->
  let J' (n : nat) : R := omega_p n / sum D (fun k : nat => omega_p k) in
  let Phi (n : nat) : R := INR N * (phi n + sum D (fun k : nat => differ k n * phi k * delta (Lambda k)
    (Lambda n))) / INR K_p / INR M + sigma (Lambda n) in
  let loss_in : R := - (sum D (fun n : nat => J' n * ln (phi n / INR M / Phi n))) in
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  let varrho_p (n : nat) : R := INR K_p * J' n / R_ (Lambda n) in
  let information : R := sum D (fun n : nat => J' n * ln (varrho_p n)) in
  let Psi (m : nat) : R := INR N * sum D (fun n : nat => phi n * delta m (Lambda n)) / INR K_p / INR M + sigma
    m in
  (forall n : nat, (n < D)%nat -> Psi (Lambda n) <> 0) ->
  (forall m : nat, (m < Omega)%nat -> Psi m <> 0) ->
  ln (INR N) - loss_in <= information.
(*! *)
Proof.
  intros. assert (n0 := INR_pos N H). assert (k0 := INR_pos K_p H6). assert (m0 := INR_pos M H1).
  assert (J0 : forall n, 0 < J' n) by (intros; unfold J'; sign). assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  pose (s := INR N / INR K_p / INR M). assert (s0 : 0 < s) by (unfold s; sign).
  assert (P0 : forall m, sigma m + sum D (fun n => s * phi n * delta m (Lambda n)) = Psi m).
  { intros m. rewrite (sum_ext D _ (fun n => s * (phi n * delta m (Lambda n)))), sum_scale by (intros; ring). unfold Psi, s. field. lra. }
  assert (B := information_bound D Omega (INR K_p) J' R_ (fun n => s * phi n) sigma varrho_p Lambda H8 k0).
  cbv beta in B. refine (Rle_trans _ _ _ _ (B _ _ _ _ _ _ _ _)).
  - right. unfold loss_in. unfold Rminus. rewrite Ropp_involutive.
    assert (J1 : sum D J' = 1) by (apply shares, not_zero; sign).
    transitivity (sum D (fun n => J' n * ln (INR N) + J' n * ln (phi n / INR M / Phi n))).
    + rewrite sum_plus, sum_scale_r. change (sum D (fun n => J' n)) with (sum D J'). rewrite J1. ring.
    + transitivity (sum D (fun n => J' n * ln (INR K_p) + J' n * ln (s * phi n / Phi n))).
      * apply sum_ext. intros n K. assert (F := H2 n). assert (Q : 0 < Phi n).
        { unfold Phi. apply Rplus_lt_le_0_compat; [|apply H7]. sign. }
        unfold s, Rdiv. rewrite !ln_mult, !ln_Rinv by (repeat (apply Rmult_lt_0_compat || apply Rinv_0_lt_compat || assumption)). ring.
      * rewrite sum_plus, sum_scale_r. change (sum D (fun n => J' n)) with (sum D J'). rewrite J1, Rmult_1_l. f_equal.
        apply sum_ext. intros n K. do 3 f_equal. unfold Phi.
        rewrite (sum_ext D (fun k => differ k n * (s * phi k) * _) (fun k => s * (differ k n * phi k * delta (Lambda k) (Lambda n)))), sum_scale by (intros; ring).
        unfold s. field. lra.
  - intros. apply Rlt_le, R0.
  - intros. apply Rmult_lt_0_compat; auto.
  - exact H7.
  - intros. unfold varrho_p. assert (a := J0 k). assert (b := R0 (Lambda k)). sign.
  - intros m K. rewrite P0. apply H10, K.
  - intros n K. assert (b := R0 (Lambda n)). unfold varrho_p. field. lra.
  - apply shares, not_zero. sign.
  - apply shares, not_zero. sign.
Qed.
