(* InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the positive? (D2, Eq. 2; D3) *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! D2.3: positive *)
Theorem D2_3_positive :
  forall (u : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  0 < exp (u i a - u i (p i)).
(*! *)
Proof. by_signs. Qed.

(*! D2.3: right *)
Theorem D2_3_right :
  forall (A N nu : nat) (u : nat -> nat -> R) (p : nat -> nat),
  (0 < A)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss = - (sum N (fun i : nat => ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! D2.3: negatives *)
Theorem D2_3_negatives :
  forall (A N : nat) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  sum A (fun a : nat => differ a (p i)) = INR A - 1.
(*! *)
Proof. by_sums. Qed.

(*! D2.3: odds *)
Theorem D2_3_odds :
  forall (A N : nat) (u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) in
  ell i = ln (1 + sum A (fun a : nat => differ a (p i) * exp (u i a - u i (p i)))).
(*! *)
Proof. by_odds. Qed.

(*! D2.3: missing *)
Theorem D2_3_missing :
  let A : nat := (2)%nat in
  let N : nat := (2)%nat in
  let nu : nat := (1)%nat in
  let u : nat -> nat -> R := list2 ((0 :: 0 :: nil) :: (1 :: 2 :: nil) :: nil)%list in
  let p : nat -> nat := (places (0 :: 1 :: nil))%nat in
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss <> sum N (fun i : nat => ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))).
(*! *)
Proof. at_point. Qed.

(*! D2.3: contexts *)
Theorem D2_3_contexts :
  let A : nat := (2)%nat in
  let N : nat := (2)%nat in
  let nu : nat := (1)%nat in
  let u : nat -> nat -> R := list2 ((0 :: 0 :: nil) :: (1 :: 2 :: nil) :: nil)%list in
  let p : nat -> nat := (places (0 :: 1 :: nil))%nat in
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss <> - (sum N (fun i : nat => ln (exp (u i (p i)) / sum N (fun k : nat => exp (u k (p i))))) / INR nu).
(*! *)
Proof. at_point. Qed.

(*! M36: all *)
Theorem M36_all :
  forall (A N : nat) (u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let Y_k (i a : nat) : R := 1 in
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / (sum A (fun m : nat => differ m (p i) * Y_k i m * exp (u i
    m)) + exp (u i (p i))))) in
  ell i = - (ln (exp (u i (p i)) / sum A (fun m : nat => exp (u i m)))).
(*! *)
Proof.
  intros. unfold ell. rewrite (sum_ext A (fun m => differ m (p i) * Y_k i m * exp (u i m)) (fun m => exp (u i m) - delta m (p i) * exp (u i m))).
  - rewrite sum_minus, (sum_delta A (p i) (fun m => exp (u i m))) by auto. do 3 f_equal. ring.
  - intros m _. rewrite differ_delta. unfold Y_k. ring.
Qed.

(*! M36: sum *)
Theorem M36_sum :
  forall (A N : nat) (Y_k u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (i a : nat) : R := (differ a (p i) * Y_k i a + delta a (p i)) * exp (u i a) / (sum A (fun m : nat =>
    differ m (p i) * Y_k i m * exp (u i m)) + exp (u i (p i))) in
  let G (i a : nat) : R := differ a (p i) * P i a - delta a (p i) * sum A (fun m : nat => differ m (p i) * P i
    m) in
  sum A (fun a : nat => G i a) = 0.
(*! *)
Proof. by_sums. Qed.

(*! M36: left *)
Theorem M36_left :
  forall (A N : nat) (Y_k u : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  let P (i a : nat) : R := (differ a (p i) * Y_k i a + delta a (p i)) * exp (u i a) / (sum A (fun m : nat =>
    differ m (p i) * Y_k i m * exp (u i m)) + exp (u i (p i))) in
  let G (i a : nat) : R := differ a (p i) * P i a - delta a (p i) * sum A (fun m : nat => differ m (p i) * P i
    m) in
  (1 - Y_k i a) * differ a (p i) * G i a = 0.
(*! *)
Proof.
  intros. unfold G, P, differ, delta. destruct (H3 i a) as [Z|Z]; rewrite Z; destruct (Nat.eqb a (p i)); unfold Rdiv; ring.
Qed.

(*! M36: odds *)
Theorem M36_odds :
  forall (A N : nat) (Y_k u : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let ell (i : nat) : R := - (ln (exp (u i (p i)) / (sum A (fun m : nat => differ m (p i) * Y_k i m * exp (u i
    m)) + exp (u i (p i))))) in
  ell i = ln (1 + sum A (fun a : nat => differ a (p i) * Y_k i a * exp (u i a - u i (p i)))).
(*! *)
Proof. by_odds. Qed.

(*! M36: scores *)
Theorem M36_scores :
  forall (A N nu : nat) (Y_k u : nat -> nat -> R) (p : nat -> nat) (a k : nat),
  (0 < nu)%nat ->
  (0 < A)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (a < A)%nat ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  (k < N)%nat ->
  let ell (u : nat -> nat -> R) (i : nat) : R := - (ln (exp (u i (p i)) / (sum A (fun m : nat => differ m (p
    i) * Y_k i m * exp (u i m)) + exp (u i (p i))))) in
  let loss (u : nat -> nat -> R) : R := sum N (fun i : nat => ell u i) / INR nu in
  let P (u : nat -> nat -> R) (i a : nat) : R := (differ a (p i) * Y_k i a + delta a (p i)) * exp (u i a) /
    (sum A (fun m : nat => differ m (p i) * Y_k i m * exp (u i m)) + exp (u i (p i))) in
  let G (u : nat -> nat -> R) (i a : nat) : R := differ a (p i) * P u i a - delta a (p i) * sum A (fun m : nat
    => differ m (p i) * P u i m) in
  is_derive (fun x : R => loss (set2 u k a x)) (u k a) (G u k a / INR nu).
(*! *)
Proof. by_sums. Qed.
