(* NT-Xent at its optimum: the probability of the negatives, and the number of eigenvalues. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

Lemma share_of_negatives : forall B tau, 2 * B - 2 <> 0 -> B - 1 <> 0 -> 0 < tau ->
  (2 * B - 2) * exp (- (1 / tau / (B - 1))) + exp (1 / tau) <> 0 ->
  1 - exp (1 / tau) / ((2 * B - 2) * exp (- (1 / tau / (B - 1))) + exp (1 / tau)) = 1 / (1 + exp (B / tau / (B - 1)) / (2 * B - 2)).
Proof.
  intros B tau S T P N. assert (P0 : tau <> 0) by lra. pose (X := exp (1 / tau)). pose (Y := exp (- (1 / tau / (B - 1)))).
  assert (YP : 0 < Y) by apply exp_pos.
  assert (E : exp (B / tau / (B - 1)) = X / Y).
  { unfold X, Y. unfold Rdiv at 3. rewrite <- exp_Ropp, <- exp_plus. apply f_equal. field. lra. }
  rewrite E. fold X Y in N |- *. field. repeat split; lra.
Qed.

(*! R22: share *)
Theorem R22_share :
  forall (B : nat) (tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let varrho : R := 1 - exp (1 / tau) / ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau)) in
  (1 + exp (INR B / tau / (INR B - 1)) / (2 * INR B - 2) <> 0) ->
  (2 * INR B - 2 <> 0) ->
  (INR B - 1 <> 0) ->
  ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau) <> 0) ->
  varrho = 1 / (1 + exp (INR B / tau / (INR B - 1)) / (2 * INR B - 2)).
(*! *)
Proof. intros. apply share_of_negatives; assumption. Qed.

(*! R22: each *)
Theorem R22_each :
  forall (B : nat) (tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let varrho : R := 1 - exp (1 / tau) / ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau)) in
  let r : R := varrho / (2 * INR B - 2) in
  (1 + exp (INR B / tau / (INR B - 1)) / (2 * INR B - 2) <> 0) ->
  (2 * INR B - 2 <> 0) ->
  (INR B - 1 <> 0) ->
  ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau) <> 0) ->
  r = 1 / (1 + exp (INR B / tau / (INR B - 1)) / (2 * INR B - 2)) / (2 * INR B - 2).
(*! *)
Proof. intros. unfold r, varrho. rewrite share_of_negatives by assumption. reflexivity. Qed.

(*! R22: all *)
Theorem R22_all :
  forall (B d : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  let n_1 : R := INR B * (1 + INR d - INR B) in
  let n_2 : R := INR B * (INR B - 2) in
  let n_3 : R := 1 + INR d - INR B in
  let n_4 : R := INR B * (INR B - 3) / 2 in
  let n_5 : R := INR B - 1 in
  n_1 + n_2 + n_3 + n_4 + n_5 + (INR B - 1) * (1 + INR d - INR B) + (INR B - 1) * (INR B - 2) / 2 = 2 * INR B
    * (INR d - 1).
(*! *)
Proof. intros. unfold n_1, n_2, n_3, n_4, n_5. field. Qed.

(*! R22: factor sign *)
Theorem R22_factor_sign :
  forall (K : nat) (tau : R),
  (0 < K)%nat ->
  (0 < tau) ->
  0 < (1 + INR K * exp (1 / tau) / ((2 + 2 * INR K) * exp (- (1 / tau / (1 + INR K))) + exp (1 / tau))) / (2 +
    2 * INR K).
(*! *)
Proof. by_signs. Qed.

(*! R22: factor *)
Theorem R22_factor :
  forall (K : nat) (tau : R),
  (0 < K)%nat ->
  (0 < tau) ->
  let B : nat := (2 + K)%nat in
  let varrho : R := 1 - exp (1 / tau) / ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau)) in
  let r : R := varrho / (2 * INR B - 2) in
  (2 * INR B - 2 <> 0) ->
  ((2 * INR B - 2) * exp (- (1 / tau / (INR B - 1))) + exp (1 / tau) <> 0) ->
  (INR B - 1 <> 0) ->
  1 - r * (INR B - 2) = 1 / 2 + (1 + INR K * exp (1 / tau) / ((2 + 2 * INR K) * exp (- (1 / tau / (1 + INR
    K))) + exp (1 / tau))) / (2 + 2 * INR K).
(*! *)
Proof.
  intros K tau A T B varrho r H1 H2 H3. unfold r, varrho, B in *.
  assert (E : INR (2 + K) = 2 + INR K) by (rewrite plus_INR; simpl; lra). rewrite E in *.
  assert (P : 0 < INR K) by (apply INR_pos; assumption).
  replace (2 * (2 + INR K) - 2) with (2 + 2 * INR K) in * by lra.
  replace (2 + INR K - 1) with (1 + INR K) in * by lra. field. split; [exact H2 | lra].
Qed.

(*! R22: apart *)
Theorem R22_apart :
  forall (B : nat) (r tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let kappa_1 : R := r * (4 * INR B - 2) / tau / INR B in
  let kappa_3 : R := 2 * r / tau in
  kappa_1 = kappa_3 * (2 - 1 / INR B).
(*! *)
Proof. by_sums. Qed.

(*! R22: within *)
Theorem R22_within :
  forall (B : nat) (r tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let kappa_2 : R := r * (2 / tau ^ 2 / (INR B - 1) + (4 * INR B - 2) / tau / INR B) in
  let kappa_4 : R := 4 * r / tau ^ 2 / (INR B - 1) in
  (INR B - 1 <> 0) ->
  kappa_2 = kappa_4 * (1 / 2 + tau * (INR B - 1) * (2 - 1 / INR B) / 2).
(*! *)
Proof. by_sums. Qed.

(*! R22: pairs *)
Theorem R22_pairs :
  forall (B : nat) (r tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let kappa_4 : R := 4 * r / tau ^ 2 / (INR B - 1) in
  let kappa_3 : R := 2 * r / tau in
  (INR B - 1 <> 0) ->
  kappa_4 = 2 * kappa_3 / tau / (INR B - 1).
(*! *)
Proof. by_sums. Qed.

(*! R22: one *)
Theorem R22_one :
  forall (B : nat) (r tau : R),
  (0 < B)%nat ->
  (0 < tau) ->
  let kappa_5 : R := r * (2 * (INR B - 2) / tau / (INR B - 1) + 2 * INR B * (1 - r * (INR B - 2)) / tau ^ 2 /
    (INR B - 1) ^ 2) in
  let kappa_3 : R := 2 * r / tau in
  (INR B - 1 <> 0) ->
  kappa_5 = kappa_3 * ((INR B - 2) / (INR B - 1) + INR B * (1 - r * (INR B - 2)) / tau / (INR B - 1) ^ 2).
(*! *)
Proof. by_sums. Qed.
