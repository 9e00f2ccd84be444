(* The momentum network, BYOL's target and MoCo's key encoder, is a mean of earlier networks (document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.41: move *)
Theorem D3_41_move :
  forall (zeta theta_t xi : R),
  let xi_plus : R := zeta * xi + theta_t * (1 - zeta) in
  xi_plus - xi = (1 - zeta) * (theta_t - xi).
(*! *)
Proof. by_sums. Qed.

(*! D3.41: weights *)
Theorem D3_41_weights :
  forall (t : nat) (zeta kappa : R) (eta : nat -> R),
  (0 < t)%nat ->
  zeta * kappa + (1 - zeta) * (1 + sum t (fun i : nat => zeta * eta i)) - 1 = zeta * (kappa + (1 - zeta) * sum
    t (fun i : nat => eta i) - 1).
(*! *)
Proof. by_sums. Qed.
