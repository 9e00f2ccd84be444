(* Instance discrimination: every sample its own class, the memory bank holds the classes (document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.5: positive *)
Theorem D3_5_positive :
  forall (K d : nat) (tau : R) (b v : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < K)%nat ->
  let L (i j : nat) : R := sum d (fun f : nat => b j f * v i f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum K (fun m : nat => exp (L i m)) in
  0 < P i j.
(*! *)
Proof. by_signs. Qed.

(*! D3.5: sum *)
Theorem D3_5_sum :
  forall (K d : nat) (tau : R) (b v : nat -> nat -> R) (i : nat),
  (0 < K)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun f : nat => b j f * v i f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum K (fun m : nat => exp (L i m)) in
  sum K (fun j : nat => P i j) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.6: others *)
Theorem D3_6_others :
  forall (K N : nat) (p : nat -> nat) (i : nat),
  (0 < K)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < K)%nat) ->
  sum K (fun j : nat => differ j (p i)) = INR K - 1.
(*! *)
Proof. by_sums. Qed.

(*! M16: bank *)
Theorem M16_bank :
  forall (K d : nat) (tau : R) (b v : nat -> nat -> R) (p : nat -> nat) (f i j : nat),
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < K)%nat ->
  (f < d)%nat ->
  (j < K)%nat ->
  let L (b : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => b j f * v i f) / tau in
  let P (b : nat -> nat -> R) (i j : nat) : R := exp (L b i j) / sum K (fun m : nat => exp (L b i m)) in
  let ell (b : nat -> nat -> R) (i : nat) : R := - (ln (P b i (p i))) in
  (forall i : nat, 0 < P b i (p i)) ->
  is_derive (fun x : R => ell (set2 b j f x) i) (b j f) ((P b i j - delta j (p i)) * v i f / tau).
(*! *)
Proof. by_sums. Qed.

(*! M16: feature *)
Theorem M16_feature :
  forall (K N d : nat) (tau : R) (b v : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < K)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < K)%nat) ->
  (f < d)%nat ->
  let L (v : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => b j f * v i f) / tau in
  let P (v : nat -> nat -> R) (i j : nat) : R := exp (L v i j) / sum K (fun m : nat => exp (L v i m)) in
  let ell (v : nat -> nat -> R) (i : nat) : R := - (ln (P v i (p i))) in
  (forall i : nat, (i < N)%nat -> 0 < P v i (p i)) ->
  is_derive (fun x : R => ell (set2 v i f x) i) (v i f) ((sum K (fun j : nat => P v i j * b j f) - b (p i) f)
    / tau).
(*! *)
Proof. by_sums. Qed.

(* The loss of a row as a function of the odds of the others. *)
Lemma row_odds : forall n (L : nat -> R) q, (q < n)%nat ->
  - ln (exp (L q) / sum n (fun m => exp (L m))) = ln (1 + sum n (fun j => differ j q * exp (L j - L q))).
Proof.
  intros n L q Q. apply odds; [apply exp_pos|sign|].
  rewrite Rmult_plus_distr_l, <- sum_scale.
  rewrite (sum_ext n (fun k => exp (L q) * _) (fun k => exp (L k) - delta k q * exp (L k))).
  - rewrite sum_minus, sum_delta by exact Q. ring.
  - intros k _. unfold Rminus at 1. rewrite exp_plus, exp_Ropp, differ_delta. field. apply not_zero, exp_pos.
Qed.

(*! D3.6: odds *)
Theorem D3_6_odds :
  forall (K N d nu : nat) (tau : R) (b v : nat -> nat -> R) (p : nat -> nat),
  (0 < K)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (p i < K)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => b j f * v i f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum K (fun m : nat => exp (L i m)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  loss = sum N (fun i : nat => ln (1 + sum K (fun j : nat => differ j (p i) * exp (L i j - L i (p i))))) / INR
    nu.
(*! *)
Proof. intros. unfold loss. f_equal. apply sum_ext. intros i I_. apply (row_odds K (L i)). auto. Qed.
