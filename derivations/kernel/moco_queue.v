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

(*! D3.40: gradient *)
Theorem D3_40_gradient :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R) (f k : nat),
  (0 < M)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (q : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (q : nat -> nat -> R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (q : nat -> nat -> R) (i : nat) : R := - (ln (exp (L_plus q i) / (sum M (fun m : nat => exp (L q i
    m)) + exp (L_plus q i)))) in
  let loss (q : nat -> nat -> R) : R := sum N (fun i : nat => ell q i) / INR nu in
  let P (q : nat -> nat -> R) (i a : nat) : R := exp (L q i a) / (sum M (fun m : nat => exp (L q i m)) + exp
    (L_plus q i)) in
  is_derive (fun x : R => loss (set2 q k f x)) (q k f) (sum M (fun a : nat => (k' a f - k_plus k f) * P q k a)
    / tau / INR nu).
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

(*! D3.36: slope *)
Theorem D3_36_slope :
  forall (M N d nu : nat) (tau : R) (k' k_plus q : nat -> nat -> R),
  (0 < tau) ->
  (0 < M)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => k' a f * q i f) / tau in
  let L_plus (tau : R) (i : nat) : R := sum d (fun f : nat => k_plus i f * q i f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L_plus tau i) / (sum M (fun m : nat => exp (L tau i m)) + exp
    (L_plus tau i)))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i a : nat) : R := exp (L tau i a) / (sum M (fun m : nat => exp (L tau i m)) + exp (L_plus
    tau i)) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum M (fun a : nat => (L tau i a - L_plus tau
    i) * P tau i a)) / tau / INR nu)).
(*! *)
Proof.
  intros. apply d_eq with (sum N (fun i => sum M (fun a => - ((L tau i a - L_plus tau i) * P tau i a / tau))) / INR nu).
  - apply (d_over (fun tau => sum N (fun i => ell tau i))), (d_sum N (fun i tau => ell tau i)). intros i _.
    assert (Dn : forall a, is_derive (fun tau => L tau i a) tau (- L tau i a / tau)).
    { intros a. unfold L. eapply d_eq; [diff; lra|]. field. lra. }
    assert (Dp : is_derive (fun tau => L_plus tau i) tau (- L_plus tau i / tau)).
    { unfold L_plus. eapply d_eq; [diff; lra|]. field. lra. }
    assert (S : 0 < sum M (fun m => exp (L tau i m)) + exp (L_plus tau i)) by sign.
    unfold ell. apply d_eq with (- (- L_plus tau i / tau - (sum M (fun m => exp (L tau i m) * (- L tau i m / tau)) + exp (L_plus tau i) * (- L_plus tau i / tau))
      * / (sum M (fun m => exp (L tau i m)) + exp (L_plus tau i)))).
    + apply (d_opp (fun tau => ln (exp (L_plus tau i) / (sum M (fun m => exp (L tau i m)) + exp (L_plus tau i))))).
      apply (d_ln_exp_over (fun tau => L_plus tau i) (fun tau => sum M (fun m => exp (L tau i m)) + exp (L_plus tau i))); [exact Dp| |exact S].
      apply (d_plus (fun tau => sum M (fun m => exp (L tau i m))) (fun tau => exp (L_plus tau i))).
      * apply (d_sum M (fun m tau => exp (L tau i m))). intros m _. apply (d_exp (fun tau => L tau i m)), Dn.
      * apply (d_exp (fun tau => L_plus tau i)), Dp.
    + unfold P. set (S' := sum M (fun m => exp (L tau i m)) + exp (L_plus tau i)) in *.
      rewrite (sum_ext M (fun a => - _) (fun a => L_plus tau i / S' / tau * exp (L tau i a) + / S' * (exp (L tau i a) * (- L tau i a / tau))))
        by (intros; field; lra).
      rewrite sum_plus, !sum_scale. replace (sum M (fun k => exp (L tau i k))) with (S' - exp (L_plus tau i)) by (unfold S'; ring).
      field. lra.
  - rewrite <- (Ropp_div (sum N _ / tau)). f_equal. unfold Rdiv at 2. rewrite <- sum_scale_r, <- sum_opp. apply sum_ext. intros i _.
    rewrite <- sum_scale_r, <- sum_opp. reflexivity.
Qed.
