(* SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F21: alone *)
Theorem F21_alone :
  forall (N : nat) (L calY : nat -> nat -> R) (i : nat),
  (forall i j : nat, 0 <= calY i j) ->
  (0 < N)%nat ->
  (i < N)%nat ->
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 0 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  ell i = 0.
(*! *)
Proof. by_sums. Qed.

(*! F21: mutual *)
Theorem F21_mutual :
  forall (c_tilde : nat -> nat) (i j : nat),
  let calY (i j : nat) : R := delta (c_tilde i) (c_tilde j) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  Y_c i j = Y_c j i.
(*! *)
Proof. by_sums. Qed.

(*! F22: alone *)
Theorem F22_alone :
  forall (N : nat) (L calY : nat -> nat -> R) (i : nat),
  (forall i j : nat, 0 <= calY i j) ->
  (0 < N)%nat ->
  (i < N)%nat ->
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 0 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * ln ((1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i)
    / n_c i / sum N (fun k : nat => differ k i * exp (L i k)))) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < (1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i) / n_c i
    / sum N (fun k : nat => differ k i * exp (L i k))) ->
  ell i = 0.
(*! *)
Proof. by_sums. Qed.

(*! F22: whole *)
Theorem F22_whole :
  forall (N nu : nat) (L Y_c : nat -> nat -> R) (n_c psi_plus : nat -> R),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= Y_c i j) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_plus i) ->
  let ell (i : nat) : R := - (psi_plus i * ln ((1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i)
    / n_c i / sum N (fun k : nat => differ k i * exp (L i k)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < ((1 - psi_plus i) / sum N (fun k : nat => differ k i * exp (L i k)) +
    sum N (fun j : nat => Y_c i j * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)))) / n_c i)
    ->
  (forall i : nat, (i < N)%nat -> 0 < (1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i) / n_c i
    / sum N (fun k : nat => differ k i * exp (L i k))) ->
  loss = sum N (fun i : nat => - (psi_plus i * ln (((1 - psi_plus i) / sum N (fun k : nat => differ k i * exp
    (L i k)) + sum N (fun j : nat => Y_c i j * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k))))
    / n_c i))) / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! F23: sum out *)
Theorem F23_sum_out :
  forall (N d : nat) (tau : R) (w : nat -> nat -> R) (psi_plus : nat -> R) (calY : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= calY i j) ->
  (forall i : nat, 0 <= psi_plus i) ->
  (i < N)%nat ->
  (forall i : nat, psi_plus i = 0 \/ psi_plus i = 1) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let G (i j : nat) : R := psi_plus i * sum N (fun m : nat => (P i j * Y_c i m - P i m * Y_c i j) * differ m
    j) / n_c i in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  sum N (fun j : nat => G i j) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F24: one *)
Theorem F24_one :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let calY (i j : nat) : R := delta j (p i) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 1 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  ell i = - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))).
(*! *)
Proof. by_sums. Qed.
