(* Which estimators of mutual information with a learned score are bounds. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R9: clipped *)
Theorem R9_clipped :
  forall (V : nat) (b t : R) (pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  sum V (fun i : nat => t * J i) - b = t - b.
(*! *)
Proof. by_sums. Qed.

(*! R9: unbounded *)
Theorem R9_unbounded :
  forall (N : nat) (t : R),
  (0 < N)%nat ->
  - (ln (sum N (fun a : nat => exp (- (t))) / INR N)) = t.
(*! *)
Proof.
  intros. assert (X := INR_pos N H). rewrite (sum_ext N _ (fun _ => exp (- t) * 1)), sum_scale, sum_one by (intros; ring).
  replace (exp (- t) * INR N / INR N) with (exp (- t)) by (field; lra). rewrite ln_exp. ring.
Qed.

(*! R9: dv *)
Theorem R9_dv :
  forall (V : nat) (sigma_held : R) (u Pi pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < Pi i) ->
  (forall i : nat, 0 < pi i) ->
  (0 <= sigma_held) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Z_held : R := sigma_held + sum V (fun i : nat => Pi i * exp (u i)) in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  sum V (fun i : nat => u i * J i) - ln Z_held <= information.
(*! *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (T : 0 < sum V (fun i => Pi i * exp (u i))) by sign. assert (Z0 : 0 < Z_held) by (unfold Z_held; lra).
  assert (B := mean_ln V J (fun i => Pi i * exp (u i) / (Z_held * J i)) ltac:(intros; apply Rlt_le; auto)
    ltac:(intros k _; cbv beta; assert (P := H0 k); assert (Q := J0 k); sign)). cbv beta in B. rewrite J1 in B.
  rewrite (sum_ext V (fun k => J k * (Pi k * exp (u k) / (Z_held * J k))) (fun k => Pi k * exp (u k) * / Z_held)), sum_scale_r in B
    by (intros k _; assert (Q := J0 k); field; lra).
  rewrite (sum_ext V (fun k => J k * ln _) (fun k => u k * J k - J k * ln Z_held - J k * ln (J k / Pi k))) in B.
  - rewrite !sum_minus, sum_scale_r in B. change (sum V (fun k => J k)) with (sum V J) in B. rewrite J1 in B. fold information in B.
    assert (W : sum V (fun i => Pi i * exp (u i)) * / Z_held <= Z_held * / Z_held)
      by (apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Z0|unfold Z_held; lra]).
    rewrite Rinv_r in W by lra. lra.
  - intros k _. assert (Q := J0 k). assert (P := H0 k). unfold Rdiv.
    rewrite !ln_mult, !ln_Rinv, ln_mult, ln_exp by (repeat (assumption || apply exp_pos || apply Rinv_0_lt_compat || apply Rmult_lt_0_compat)). ring.
Qed.

(*! R9: nwj *)
Theorem R9_nwj :
  forall (V : nat) (sigma_held : R) (u Pi pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < Pi i) ->
  (forall i : nat, 0 < pi i) ->
  (0 <= sigma_held) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Z_held : R := sigma_held + sum V (fun i : nat => Pi i * exp (u i)) in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  sum V (fun i : nat => u i * J i) - Z_held * exp (- 1) <= information.
(*! *)
Proof.
  intros. assert (D := R9_dv V sigma_held u Pi pi H H0 H1 H2). cbv zeta in D.
  assert (T : 0 < sum V (fun i => Pi i * exp (u i))) by sign. assert (Z0 : 0 < Z_held) by (unfold Z_held; lra).
  assert (L := ln_below (Z_held * exp (- 1)) ltac:(sign)). rewrite ln_mult, ln_exp in L by (exact Z0 || apply exp_pos).
  eapply Rle_trans; [|exact D]. fold J. apply Rplus_le_compat_l, Ropp_le_contravar. fold Z_held. lra.
Qed.

(*! R9: jensen *)
Theorem R9_jensen :
  forall (Omega : nat) (omega Z_circumflex : nat -> R),
  (0 < Omega)%nat ->
  (forall i : nat, 0 < Z_circumflex i) ->
  (forall i : nat, 0 < omega i) ->
  let R_ (m : nat) : R := omega m / sum Omega (fun j : nat => omega j) in
  sum Omega (fun m : nat => R_ m * ln (Z_circumflex m)) <= ln (sum Omega (fun m : nat => R_ m * Z_circumflex
    m)).
(*! *)
Proof.
  intros. assert (R1 : sum Omega R_ = 1) by (apply shares, not_zero; sign). assert (R0 : forall m, 0 < R_ m) by (intros; unfold R_; sign).
  assert (B := mean_of_ln Omega R_ Z_circumflex ltac:(intros; apply Rlt_le; auto) ltac:(auto) ltac:(lra)
    ltac:(apply sum_pos; [assumption|intros; apply Rmult_lt_0_compat; auto])). rewrite R1, !over_one in B. exact B.
Qed.
