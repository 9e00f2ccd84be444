(* MoCo: a queue of keys, an encoder that follows slowly, and its algorithm (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D3.35: odds *)
Theorem D3_35_odds :
  forall (M : nat) (L : nat -> nat -> R) (L_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  0 < sum M (fun a : nat => exp (L i a - L_plus i)).
(*! *)
Proof. by_signs. Qed.

(*! D3.38: step *)
Theorem D3_38_step :
  forall (t : nat) (zeta theta_t kappa xi_0 : R) (eta theta : nat -> R),
  (0 < t)%nat ->
  let xi : R := kappa * xi_0 + (1 - zeta) * sum t (fun i : nat => eta i * theta i) in
  let xi_plus : R := zeta * xi + theta_t * (1 - zeta) in
  xi_plus = (1 - zeta) * (theta_t + sum t (fun i : nat => zeta * eta i * theta i)) + zeta * kappa * xi_0.
(*! *)
Proof. by_sums. Qed.

(*! D3.39: move *)
Theorem D3_39_move :
  forall (zeta theta_t xi : R),
  let xi_plus : R := zeta * xi + theta_t * (1 - zeta) in
  xi_plus - xi = (1 - zeta) * (theta_t - xi).
(*! *)
Proof. by_sums. Qed.
