(* BYOL: two views without negatives, one of them held constant (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.42: weights *)
Theorem D3_42_weights :
  forall (t : nat) (zeta kappa : R) (eta : nat -> R),
  (0 < t)%nat ->
  zeta * kappa + (1 - zeta) * (1 + sum t (fun i : nat => zeta * eta i)) - 1 = zeta * (kappa + (1 - zeta) * sum
    t (fun i : nat => eta i) - 1).
(*! *)
Proof. by_sums. Qed.

(*! M18: gradient *)
Theorem M18_gradient :
  forall (N d nu : nat) (qtheta z' : nat -> nat -> R) (f k : nat),
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_qtheta (qtheta : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (qtheta : nat -> nat -> R) (i f : nat) : R := qtheta i f / norm_qtheta qtheta i in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let ell (qtheta : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => (q_macrontheta qtheta i f -
    z_macron' i f) ^ 2) in
  let loss (qtheta : nat -> nat -> R) : R := sum N (fun i : nat => ell qtheta i) / INR nu in
  let cos (qtheta : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => q_macrontheta qtheta i h *
    z_macron' i h) in
  (forall k : nat, (k < N)%nat -> norm_qtheta qtheta k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => qtheta i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_qtheta qtheta i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z' i <> 0) ->
  is_derive (fun x : R => loss (set2 qtheta k f x)) (qtheta k f) (- (2 * (z_macron' k f - cos qtheta k *
    q_macrontheta qtheta k f) / INR nu / norm_qtheta qtheta k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. by_roots. Qed.

(*! M18: across *)
Theorem M18_across :
  forall (d : nat) (qtheta z' : nat -> nat -> R) (k : nat),
  (0 < d)%nat ->
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let cos (i : nat) : R := sum d (fun h : nat => q_macrontheta i h * z_macron' i h) in
  (forall k : nat, norm_qtheta k <> 0) ->
  (forall i : nat, norm_qtheta i <> 0) ->
  (forall i : nat, norm_z' i <> 0) ->
  sum d (fun f : nat => (z_macron' k f - cos k * q_macrontheta k f) * qtheta k f / norm_qtheta k) = 0.
(*! *)
Proof. by_sums. Qed.
