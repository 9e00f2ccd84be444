(* Estimates of mutual information from scores, as code computes them: definitions and gradients (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F15: scores *)
Theorem F15_scores :
  forall (N : nat) (u : nat -> nat -> R) (k l : nat),
  (0 < N)%nat ->
  (k < N)%nat ->
  (l < N)%nat ->
  let information_circumflex (u : nat -> nat -> R) : R := sum N (fun i : nat => u i i) / INR N - sum N (fun i
    : nat => sum N (fun j : nat => differ i j * exp (u i j - 1))) / INR N / (INR N - 1) in
  (INR N - 1 <> 0) ->
  is_derive (fun x : R => information_circumflex (set2 u k l x)) (u k l) (delta k l / INR N - differ k l * exp
    (u k l - 1) / INR N / (INR N - 1)).
(*! *)
Proof. by_sums. Qed.

(*! F15: shift *)
Theorem F15_shift :
  forall (N : nat) (c : R) (u : nat -> nat -> R),
  (0 < N)%nat ->
  let information_circumflex : R := sum N (fun i : nat => u i i) / INR N - sum N (fun i : nat => sum N (fun j
    : nat => differ i j * exp (u i j - 1))) / INR N / (INR N - 1) in
  (INR N - 1 <> 0) ->
  sum N (fun i : nat => c + u i i) / INR N - sum N (fun i : nat => sum N (fun j : nat => differ i j * exp (c +
    u i j - 1))) / INR N / (INR N - 1) = c + information_circumflex + (1 - exp c) * sum N (fun i : nat => sum
    N (fun j : nat => differ i j * exp (u i j - 1))) / INR N / (INR N - 1).
(*! *)
Proof. by_sums. Qed.

(*! F16: row *)
Theorem F16_row :
  forall (N : nat) (u : nat -> nat -> R) (k : nat),
  (0 < N)%nat ->
  (k < N)%nat ->
  let P (i j : nat) : R := exp (u i j) / sum N (fun m : nat => exp (u i m)) in
  sum N (fun l : nat => delta k l * sum N (fun m : nat => differ m k * P k m) / INR N - differ k l * P k l /
    INR N) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F16: scores *)
Theorem F16_scores :
  forall (N : nat) (u : nat -> nat -> R) (k l : nat),
  (0 < N)%nat ->
  (l < N)%nat ->
  (k < N)%nat ->
  let information_circumflex (u : nat -> nat -> R) : R := sum N (fun i : nat => ln (exp (u i i) / sum N (fun j
    : nat => exp (u i j)))) / INR N + ln (INR N) in
  let P (u : nat -> nat -> R) (i j : nat) : R := exp (u i j) / sum N (fun m : nat => exp (u i m)) in
  is_derive (fun x : R => information_circumflex (set2 u k l x)) (u k l) (delta k l * sum N (fun m : nat =>
    differ m k * P u k m) / INR N - differ k l * P u k l / INR N).
(*! *)
Proof. by_sums. Qed.
