(* Alignment and uniformity: how NT-Xent is related to each, and whether a batch can attain the best value of both. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R16: unequal *)
Theorem R16_unequal :
  forall (M d : nat) (t : R) (z : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < t) ->
  let Xi_0 : R := exp (- (2 * t * (1 + INR M) / INR M)) in
  0 <= Xi_0 * sum (1 + M)%nat (fun i : nat => sum (1 + M)%nat (fun j : nat => (exp (t * ((2 + 2 * INR M) / INR
    M - sum d (fun f : nat => (z i f - z j f) ^ 2)) / 2) - 1) ^ 2 * differ i j / INR M / (1 + INR M))).
(*! *)
Proof. by_signs. Qed.

(*! R16: centre *)
Theorem R16_centre :
  forall (M d : nat) (z : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum (1 + M)%nat (fun i : nat => z i f)) ^ 2).
(*! *)
Proof. by_signs. Qed.
