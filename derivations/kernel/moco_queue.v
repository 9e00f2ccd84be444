(* MoCo: a queue of keys, a momentum encoder, and its algorithm (document D3). *)

From infonce_ref Require Import sums.
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

(*! D3.36: scaled *)
Theorem D3_36_scaled :
  forall (d : nat) (c tau : R) (k_plus q : nat -> nat -> R) (i : nat),
  (0 < c) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  sum d (fun f : nat => c * k_plus i f * q i f) / c / tau = L_plus i.
(*! *)
Proof. by_sums. Qed.

(*! D3.34: softplus *)
Theorem D3_34_softplus :
  forall (M d : nat) (tau : R) (k' k_plus q : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  ell i = ln (1 + sum M (fun a : nat => exp (L i a - L_plus i))).
(*! *)
Proof. by_odds. Qed.

(*! D3.34: equal *)
Theorem D3_34_equal :
  forall (M : nat) (L_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  let L (i a : nat) : R := L_plus i in
  let ell (i : nat) : R := - (ln (exp (L_plus i) / (sum M (fun m : nat => exp (L i m)) + exp (L_plus i)))) in
  ell i = ln (1 + INR M).
(*! *)
Proof.
  intros. assert (X := INR_pos M H). assert (E := exp_pos (L_plus i)). unfold ell, L.
  rewrite (sum_ext M _ (fun _ => exp (L_plus i) * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  apply odds; [sign|sign|ring].
Qed.
