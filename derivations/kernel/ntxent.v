(* NT-Xent, the loss of SimCLR: cosine similarities, no anchor in its own denominator (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.2: negatives *)
Theorem D3_2_negatives :
  forall (N : nat) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  sum N (fun j : nat => differ j i * differ j (p i)) = INR N - 2.
(*! *)
Proof. by_sums. Qed.

(*! D3.2: positive *)
Theorem D3_2_positive :
  forall (tau : R) (s : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < tau) ->
  0 < exp ((s i j - s i (p i)) / tau).
(*! *)
Proof. by_signs. Qed.

(*! D3.3: square *)
Theorem D3_3_square :
  forall (d : nat) (s z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z j f - s i j * z i f) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D3.4: exchange *)
Theorem D3_4_exchange :
  forall (N nu : nat) (ell : nat -> R) (k l : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (k < N)%nat ->
  (l < N)%nat ->
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss = sum N (fun i : nat => (ell l - ell k) * delta i k + (ell k - ell l) * delta i l + ell i) / INR nu.
(*! *)
Proof. by_sums. Qed.
