(* Soft targets: the cross-entropy of scores against a distribution over the candidates (document F). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! F5: scores *)
Theorem F5_scores :
  forall (A N nu : nat) (Y_t u : nat -> nat -> R) (a k : nat),
  (0 < nu)%nat ->
  (0 < A)%nat ->
  (0 < N)%nat ->
  (a < A)%nat ->
  (k < N)%nat ->
  let ell (u : nat -> nat -> R) (i : nat) : R := - (sum A (fun a : nat => Y_t i a * ln (exp (u i a) / sum A
    (fun m : nat => exp (u i m))))) in
  let loss (u : nat -> nat -> R) : R := sum N (fun i : nat => ell u i) / INR nu in
  let P (u : nat -> nat -> R) (i a : nat) : R := exp (u i a) / sum A (fun m : nat => exp (u i m)) in
  let G (u : nat -> nat -> R) (i a : nat) : R := sum A (fun m : nat => (P u i a * Y_t i m - P u i m * Y_t i a)
    * differ m a) in
  is_derive (fun x : R => loss (set2 u k a x)) (u k a) (G u k a / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! F5: sum *)
Theorem F5_sum :
  forall (A : nat) (Y_t u : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  let P (i a : nat) : R := exp (u i a) / sum A (fun m : nat => exp (u i m)) in
  let G (i a : nat) : R := sum A (fun m : nat => (P i a * Y_t i m - P i m * Y_t i a) * differ m a) in
  sum A (fun a : nat => G i a) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F6: smooth *)
Theorem F6_smooth :
  forall (A N : nat) (epsilon_0 : R) (u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let Y_t (i a : nat) : R := epsilon_0 / INR A + (1 - epsilon_0) * delta a (p i) in
  let ell (i : nat) : R := - (sum A (fun a : nat => Y_t i a * ln (exp (u i a) / sum A (fun m : nat => exp (u i
    m))))) in
  let P (i a : nat) : R := exp (u i a) / sum A (fun m : nat => exp (u i m)) in
  (forall a : nat, (a < A)%nat -> forall i : nat, (i < N)%nat -> 0 < P i a) ->
  ell i = - ((1 - epsilon_0) * ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) - epsilon_0 * sum A
    (fun a : nat => ln (P i a)) / INR A.
(*! *)
Proof. by_sums. Qed.

(*! F6: one *)
Theorem F6_one :
  forall (A N : nat) (u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let Y_t (i a : nat) : R := delta a (p i) in
  let ell (i : nat) : R := - (sum A (fun a : nat => Y_t i a * ln (exp (u i a) / sum A (fun m : nat => exp (u i
    m))))) in
  ell i = - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))).
(*! *)
Proof. by_sums. Qed.

(*! F6: supcon *)
Theorem F6_supcon :
  forall (N : nat) (L Y_c : nat -> nat -> R) (n_c : nat -> R) (i : nat),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= Y_c i j) ->
  (i < N)%nat ->
  let psi_plus (i : nat) : R := 1 in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  let Y_t (i j : nat) : R := Y_c i j / n_c i in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  ell i = - (sum N (fun j : nat => Y_t i j * ln (exp (L i j) / sum N (fun k : nat => differ k i * exp (L i
    k))))).
(*! *)
Proof. by_sums. Qed.


(*! F4: positive *)
Theorem F4_positive :
  forall (A : nat) (u : nat -> nat -> R) (a i : nat),
  (0 < A)%nat ->
  let P (i a : nat) : R := exp (u i a) / sum A (fun m : nat => exp (u i m)) in
  0 < P i a.
(*! *)
Proof. by_signs. Qed.

(*! F5: error *)
Theorem F5_error :
  forall (A : nat) (Y_t u : nat -> nat -> R) (a i : nat),
  (0 < A)%nat ->
  let P (i a : nat) : R := exp (u i a) / sum A (fun m : nat => exp (u i m)) in
  let G (i a : nat) : R := sum A (fun m : nat => (P i a * Y_t i m - P i m * Y_t i a) * differ m a) in
  G i a = P i a * sum A (fun m : nat => Y_t i m) - Y_t i a.
(*! *)
Proof.
  intros. assert (S : sum A (P i) = 1) by (apply shares, not_zero; sign). unfold G.
  rewrite (sum_ext A _ (fun m => P i a * Y_t i m - P i m * Y_t i a)).
  - rewrite sum_minus, sum_scale, sum_scale_r. change (P i a * sum A (Y_t i) - sum A (P i) * Y_t i a = P i a * sum A (Y_t i) - Y_t i a).
    rewrite S. ring.
  - intros m _. unfold differ. destruct (Nat.eqb_spec m a) as [->|]; ring.
Qed.

Lemma shift : forall n c (u : nat -> R) a, ln (exp (c + u a) / sum n (fun m => exp (c + u m))) = ln (exp (u a) / sum n (fun m => exp (u m))).
Proof.
  intros. f_equal. rewrite (sum_ext n (fun m => exp (c + u m)) (fun m => exp c * exp (u m))) by (intros; apply exp_plus).
  rewrite sum_scale, exp_plus. unfold Rdiv. rewrite Rinv_mult.
  transitivity (exp c * / exp c * (exp (u a) * / sum n (fun m => exp (u m)))); [ring|].
  rewrite Rinv_r by apply not_zero, exp_pos. ring.
Qed.

(*! F4: shift *)
Theorem F4_shift :
  forall (A : nat) (c : R) (Y_t u : nat -> nat -> R) (i : nat),
  (0 < A)%nat ->
  let ell (i : nat) : R := - (sum A (fun a : nat => Y_t i a * ln (exp (u i a) / sum A (fun m : nat => exp (u i
    m))))) in
  - (sum A (fun a : nat => Y_t i a * ln (exp (c + u i a) / sum A (fun m : nat => exp (c + u i m))))) = ell i.
(*! *)
Proof. intros. unfold ell. f_equal. apply sum_ext. intros a _. f_equal. apply shift. Qed.

(*! F4: whole *)
Theorem F4_whole :
  forall (A N nu : nat) (c : R) (Y_t u : nat -> nat -> R),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let ell (i : nat) : R := - (sum A (fun a : nat => Y_t i a * ln (exp (u i a) / sum A (fun m : nat => exp (u i
    m))))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  sum N (fun i : nat => - (sum A (fun a : nat => Y_t i a * ln (exp (c + u i a) / sum A (fun m : nat => exp (c
    + u i m)))))) / INR nu = loss.
(*! *)
Proof.
  intros. unfold loss, ell. f_equal. apply sum_ext. intros i _. f_equal. apply sum_ext. intros a _. f_equal. apply shift.
Qed.
