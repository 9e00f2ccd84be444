(* Label smoothing: cross-entropy against a target that gives every candidate some probability. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R14: slope *)
Theorem R14_slope :
  forall (A N : nat) (epsilon : R) (L : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (a < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (sum A (fun m : nat => Y_t i m * ln (P L i m))) in
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P L i m) ->
  is_derive (fun x : R => ell (set2 L i a x) i) (L i a) (P L i a - Y_t i a).
(*! *)
Proof. by_sums. Qed.

(*! R14: sum *)
Theorem R14_sum :
  forall (A N : nat) (epsilon : R) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  sum A (fun m : nat => P i m - Y_t i m) = 0.
(*! *)
Proof. by_sums. Qed.

(*! R14: share *)
Theorem R14_share :
  forall (A : nat) (o : R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (0 < o) ->
  0 < (o / INR A + delta a (p i)) / (1 + o).
(*! *)
Proof. by_signs. Qed.

(*! R14: negative *)
Theorem R14_negative :
  forall (A : nat) (epsilon : R) (L : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  (P i a - Y_t i a) * differ a (p i) = (P i a - epsilon / INR A) * differ a (p i).
(*! *)
Proof. intros. unfold Y_t, differ, delta. destruct (Nat.eqb a (p i)); ring. Qed.

(*! R14: gap *)
Theorem R14_gap :
  forall (A : nat) (epsilon : R),
  (0 < A)%nat ->
  (epsilon <> 0) ->
  INR A * (1 + epsilon / INR A - epsilon) / epsilon = 1 + INR A * (1 - epsilon) / epsilon.
(*! *)
Proof. intros. assert (X := INR_pos A H). field. split; lra. Qed.

(*! R14: least *)
Theorem R14_least :
  forall (A N : nat) (o : R) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < o) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let epsilon : R := o / (1 + o) in
  let Y_t (i a : nat) : R := epsilon / INR A + (1 - epsilon) * delta a (p i) in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell (i : nat) : R := - (sum A (fun m : nat => Y_t i m * ln (P i m))) in
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < Y_t i a) ->
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < P i a) ->
  (forall i : nat, (i < N)%nat -> forall m : nat, 0 < P i m) ->
  - (sum A (fun a : nat => Y_t i a * ln (Y_t i a))) <= ell i.
(*! *)
Proof.
  intros. assert (X := INR_pos A H). assert (P1 : sum A (P i) = 1) by (apply shares, not_zero; sign).
  assert (Y1 : sum A (Y_t i) = 1).
  { unfold Y_t. rewrite sum_plus, (sum_ext A (fun _ => epsilon / INR A) (fun _ => epsilon / INR A * 1)), sum_scale, sum_one by (intros; ring).
    rewrite (sum_ext A _ (fun a => delta a (p i) * (1 - epsilon))), sum_delta by (auto || intros; ring). field. lra. }
  assert (B := mean_ln A (Y_t i) (fun a => P i a / Y_t i a) ltac:(intros; apply Rlt_le; auto) ltac:(intros; apply Rdiv_lt_0_compat; auto)).
  cbv beta in B.
  rewrite (sum_ext A (fun a => Y_t i a * (P i a / Y_t i a)) (P i)), P1, Y1 in B by (intros a K; assert (Y := H3 a K i H1); field; lra).
  rewrite (sum_ext A (fun a => Y_t i a * ln (P i a / Y_t i a)) (fun a => Y_t i a * ln (P i a) - Y_t i a * ln (Y_t i a))), sum_minus in B.
  - unfold ell. lra.
  - intros a K. assert (Y := H3 a K i H1). assert (Q := H5 i H1 a). unfold Rdiv. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; assumption). ring.
Qed.
