(* The effective number of negatives: exp of the entropy of their shares of the push. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R17: odds *)
Theorem R17_odds :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (a i : nat),
  (0 < M)%nat ->
  let P (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)) in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  (forall i : nat, sum M (fun m : nat => P i m) <> 0) ->
  P i a / sum M (fun m : nat => P i m) = rho i a.
(*! *)
Proof. by_sums. Qed.

(*! R17: push *)
Theorem R17_push :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (a i : nat),
  (0 < M)%nat ->
  (a < M)%nat ->
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) +
    exp (L_plus i)))) in
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / (sum M (fun m : nat => exp (L i m)) + exp
    (L_plus i)) in
  is_derive (fun x : R => ell (set2 L i a x) i) (L i a) (P L i a).
(*! *)
Proof. by_sums. Qed.

(*! R17: share *)
Theorem R17_share :
  forall (M : nat) (L : nat -> nat -> R) (a i : nat),
  (0 < M)%nat ->
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  0 < rho i a.
(*! *)
Proof. by_signs. Qed.

(*! R17: loss *)
Theorem R17_loss :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  let M_equal (i : nat) : R := exp (- (sum M (fun a : nat => rho i a * ln (rho i a)))) in
  (forall a : nat, (a < M)%nat -> forall i : nat, 0 < rho i a) ->
  ell i = ln (1 + M_equal i * exp (sum M (fun a : nat => L i a * rho i a) - L_plus i)).
(*! *)
Proof.
  intros. unfold M_equal. unfold Rminus. rewrite exp_plus, <- Rmult_assoc, <- exp_plus. unfold rho.
  rewrite (entropy M (L i)), exp_ln, exp_Ropp by sign. assert (E := exp_pos (L_plus i)).
  apply odds; [exact E|sign|]. field. lra.
Qed.

(*! R17: equal *)
Theorem R17_equal :
  forall (M : nat) (x : R) (i : nat),
  (0 < M)%nat ->
  let L (i a : nat) : R := x in
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  let M_equal (i : nat) : R := exp (- (sum M (fun a : nat => rho i a * ln (rho i a)))) in
  (forall a : nat, (a < M)%nat -> forall i : nat, 0 < rho i a) ->
  M_equal i = INR M.
(*! *)
Proof.
  intros. assert (X := INR_pos M H). assert (E := exp_pos x). unfold M_equal, rho, L.
  assert (S : sum M (fun _ => exp (x)) = INR M * exp (x)).
  { rewrite (sum_ext M _ (fun _ => 1 * exp (x))), sum_scale_r, sum_one by (intros; ring). reflexivity. }
  rewrite S. replace (exp (x) / (INR M * exp (x))) with (/ INR M) by (field; lra).
  rewrite ln_Rinv by exact X. rewrite (sum_ext M _ (fun _ => 1 * (/ INR M * - ln (INR M)))), sum_scale_r, sum_one by (intros; ring).
  replace (- (INR M * (/ INR M * - ln (INR M)))) with (ln (INR M)) by (field; lra). apply exp_ln, X.
Qed.

(*! R17: most *)
Theorem R17_most :
  forall (M : nat) (L : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  let rho (i a : nat) : R := exp (L i a) / sum M (fun m : nat => exp (L i m)) in
  (forall a : nat, (a < M)%nat -> forall i : nat, 0 < rho i a) ->
  - (sum M (fun a : nat => rho i a * ln (rho i a))) <= ln (INR M).
(*! *)
Proof.
  intros. assert (X := INR_pos M H). assert (S : 0 < sum M (fun m => exp (L i m))) by sign.
  assert (R1 : sum M (rho i) = 1) by (apply shares; lra).
  assert (B := mean_ln M (rho i) (fun a => / (INR M * rho i a)) ltac:(intros; apply Rlt_le; auto)
    ltac:(intros; apply Rinv_0_lt_compat, Rmult_lt_0_compat; auto)). cbv beta in B.
  rewrite (sum_ext M (fun k => rho i k * / (INR M * rho i k)) (fun _ => / INR M * 1)), sum_scale, sum_one, R1, Rinv_l, Rminus_eq_0 in B
    by (try lra; intros a A; assert (P := H0 a A i); field; lra).
  rewrite (sum_ext M (fun k => rho i k * ln (/ (INR M * rho i k))) (fun k => - (rho i k * ln (INR M)) - rho i k * ln (rho i k))) in B.
  - rewrite sum_minus, sum_opp, sum_scale_r in B. change (sum M (fun k => rho i k)) with (sum M (rho i)) in B. rewrite R1 in B. lra.
  - intros a A. assert (P := H0 a A i). rewrite ln_Rinv, ln_mult by (assumption || (apply Rmult_lt_0_compat; assumption)). ring.
Qed.
