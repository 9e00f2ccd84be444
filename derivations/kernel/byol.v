(* BYOL: two views without negatives; the gradient of one is stopped (document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.42: weights *)
Theorem D3_42_weights :
  forall (t : nat) (zeta kappa : R) (eta : nat -> R),
  (0 < t)%nat ->
  zeta * kappa + (1 - zeta) * (1 + sum t (fun i : nat => zeta * eta i)) - 1 = zeta * (kappa + (1 - zeta) * sum
    t (fun i : nat => eta i) - 1).
(*! *)
Proof. by_sums. Qed.

(*! D3.42: left_out *)
Theorem D3_42_left_out :
  forall (N d nu : nat) (qtheta z' : nat -> nat -> R) (f k : nat),
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let norm_z' (z' : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (z' : nat -> nat -> R) (i f : nat) : R := z' i f / norm_z' z' i in
  let ell (z' : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => (q_macrontheta i f - z_macron' z' i f)
    ^ 2) in
  let loss (z' : nat -> nat -> R) : R := sum N (fun i : nat => ell z' i) / INR nu in
  let cos (z' : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => q_macrontheta i h * z_macron' z' i h)
    in
  (forall k : nat, (k < N)%nat -> norm_z' z' k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => qtheta i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_qtheta i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z' z' i <> 0) ->
  is_derive (fun x : R => loss (set2 z' k f x)) (z' k f) (- (2 * (q_macrontheta k f - cos z' k * z_macron' z'
    k f) / INR nu / norm_z' z' k)).
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
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

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

(*! M18: against *)
Theorem M18_against :
  forall (d : nat) (stretch : R) (qtheta : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (0 < stretch) ->
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let z' (i f : nat) : R := - (stretch * qtheta i f) in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let cos (i : nat) : R := sum d (fun h : nat => q_macrontheta i h * z_macron' i h) in
  (forall k : nat, norm_qtheta k <> 0) ->
  (forall i : nat, norm_qtheta i <> 0) ->
  (forall i : nat, norm_z' i <> 0) ->
  (z_macron' k f - cos k * q_macrontheta k f) / norm_qtheta k = 0.
(*! *)
Proof. by_sums. Qed.

(*! M18: along *)
Theorem M18_along :
  forall (d : nat) (stretch : R) (qtheta : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (0 < stretch) ->
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let z' (i f : nat) : R := stretch * qtheta i f in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let cos (i : nat) : R := sum d (fun h : nat => q_macrontheta i h * z_macron' i h) in
  (forall k : nat, norm_qtheta k <> 0) ->
  (forall i : nat, norm_qtheta i <> 0) ->
  (forall i : nat, norm_z' i <> 0) ->
  (z_macron' k f - cos k * q_macrontheta k f) / norm_qtheta k = 0.
(*! *)
Proof. by_sums. Qed.

(*! M18: length *)
Theorem M18_length :
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
  sum d (fun f : nat => (z_macron' k f - cos k * q_macrontheta k f) ^ 2 / norm_qtheta k ^ 2) = (1 - cos k ^ 2)
    / norm_qtheta k ^ 2.
(*! *)
Proof. by_sums. Qed.


(*! D3.43: distance *)
Theorem D3_43_distance :
  forall (d : nat) (qtheta z' : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let cos (i : nat) : R := sum d (fun h : nat => q_macrontheta i h * z_macron' i h) in
  (forall i : nat, norm_qtheta i <> 0) ->
  (forall i : nat, norm_z' i <> 0) ->
  sum d (fun f : nat => (q_macrontheta i f - z_macron' i f) ^ 2) = 2 - 2 * cos i.
(*! *)
Proof. by_sums. Qed.
