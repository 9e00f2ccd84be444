(* A batch over several ranks: what is left of the gradient where gathered features bring none with them. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! R2: logits *)
Theorem R2_logits :
  forall (d : nat) (tau : R) (Y_s z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let y (j f : nat) : R := z j f in
  sum d (fun g : nat => ((1 - Y_s i j) * y j g + Y_s i j * z j g) * z i g) / tau = sum d (fun f : nat => z i f
    * z j f) / tau.
(*! *)
Proof. by_sums. Qed.

(*! R2: local *)
Theorem R2_local :
  forall (N d nu : nat) (tau : R) (Y_s y z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, p i <> i) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => ((1 - Y_s i j) * y j g + Y_s i j * z j
    g) * z i g) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L z i j) / sum N (fun k : nat => differ k i
    * exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L z i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) ((sum N (fun j : nat => ((1 - Y_s k j) * y j f + Y_s k
    j * z j f) * G z k j) + sum N (fun i : nat => G z i k * Y_s i k * z i f)) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! R2: mean *)
Theorem R2_mean :
  forall (N Gamma nu : nat) (tau : R) (G z : nat -> nat -> R) (psi : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < Gamma)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (psi i < Gamma)%nat) ->
  sum Gamma (fun l : nat => delta l (psi k) * sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu) /
    INR Gamma = sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR Gamma / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! R2: missing *)
Theorem R2_missing :
  forall (N nu : nat) (tau : R) (G Y_s z : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu - (sum N (fun j : nat => G k j * z j f) + sum
    N (fun i : nat => G i k * Y_s i k * z i f)) / tau / INR nu = sum N (fun i : nat => (1 - Y_s i k) * G i k *
    z i f) / tau / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! R2: numbers *)
Theorem R2_numbers :
  forall (N nu : nat) (tau : R) (G Y_s z : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  let y (j f : nat) : R := z j f in
  (sum N (fun j : nat => ((1 - Y_s k j) * y j f + Y_s k j * z j f) * G k j) + sum N (fun i : nat => G i k *
    Y_s i k * z i f)) / tau / INR nu = (sum N (fun j : nat => G k j * z j f) + sum N (fun i : nat => G i k *
    Y_s i k * z i f)) / tau / INR nu.
(*! *)
Proof.
  intros. do 3 f_equal. apply sum_ext. intros j _. unfold y. ring.
Qed.
