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
