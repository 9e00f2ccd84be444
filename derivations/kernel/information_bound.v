(* The InfoNCE bound on mutual information: the posterior, the printed proof, and a proof (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.31: squares *)
Theorem D3_31_squares :
  forall (N : nat) (r phi' : nat -> R),
  (0 < N)%nat ->
  (forall i : nat, 0 < r i) ->
  (forall i : nat, 0 < phi' i) ->
  0 <= sum N (fun i : nat => (sqrt (r i) / sqrt (sum N (fun k : nat => r k)) - sqrt (phi' i) / sqrt (sum N
    (fun k : nat => phi' k))) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D3.33d: u *)
Theorem D3_33d_u :
  forall (V : nat) (J_y J_x pi : nat -> R) (i : nat),
  (forall i : nat, 0 < J_x i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_x_given_y (i : nat) : R := J i / J_y i in
  let Pi (i : nat) : R := J_y i * J_x i in
  J_x i / J_x_given_y i = Pi i / J i.
(*! *)
Proof. by_sums. Qed.
