(* Several candidates of the anchor's class: as positives they repel one another, as negatives they set a floor. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
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
