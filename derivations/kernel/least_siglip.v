(* The least loss of SigLIP: a softplus is never below its tangent, and squares. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! M32: leaves sign *)
Theorem M32_leaves_sign :
  forall (M d : nat) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum (1 + M)%nat (fun i : nat => I i f + T i f)) ^ 2 / (1 + INR M) ^ 2) / 2 + sum
    (1 + M)%nat (fun i : nat => sum d (fun f : nat => (I i f - T i f - sum (1 + M)%nat (fun j : nat => I j f -
    T j f) / (1 + INR M)) ^ 2)) / (2 + 2 * INR M).
(*! *)
Proof. by_signs. Qed.

(*! M32: coincide sign *)
Theorem M32_coincide_sign :
  forall (M d : nat) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => (I i f - T i f) ^ 2)) / (2 + 2 * INR M).
(*! *)
Proof. by_signs. Qed.

(*! M32: opposite sign *)
Theorem M32_opposite_sign :
  forall (M d : nat) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum (1 + M)%nat (fun i : nat => I i f + T i f)) ^ 2 / (1 + INR M) ^ 2) / 2 + sum
    (1 + M)%nat (fun i : nat => sum d (fun f : nat => (I i f - sum (1 + M)%nat (fun j : nat => I j f) / (1 +
    INR M)) ^ 2 + (T i f - sum (1 + M)%nat (fun j : nat => T j f) / (1 + INR M)) ^ 2)) / (2 + 2 * INR M).
(*! *)
Proof. by_signs. Qed.

(*! M32: curvature sign *)
Theorem M32_curvature_sign :
  forall (M : nat) (r u v tau : R),
  (0 < M)%nat ->
  (0 < tau) ->
  0 <= r ^ 2 * (4 * exp u / (1 + exp u) ^ 2 + (INR M - 1) ^ 2 * exp v / INR M / (1 + exp v) ^ 2) / tau ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! M32: pair *)
Theorem M32_pair :
  forall (b r x tau : R),
  (0 < tau) ->
  let u : R := b + r * (1 - 2 * x) / tau in
  let c : R := 1 in
  u = b + r * (c * (1 - x) - x) / tau.
(*! *)
Proof. intros. unfold u, c. field. lra. Qed.

(*! M32: another *)
Theorem M32_another :
  forall (M : nat) (b r x tau : R),
  (0 < tau) ->
  (0 < M)%nat ->
  let v : R := b - r * (1 + x * (INR M - 1)) / tau / INR M in
  let c : R := - (1 / INR M) in
  v = b + r * (c * (1 - x) - x) / tau.
(*! *)
Proof. intros. assert (m0 := INR_pos M H0). unfold v, c. field. lra. Qed.

(*! M32: reached *)
Theorem M32_reached :
  forall (M : nat) (u v : R) (i : nat),
  (0 < M)%nat ->
  (i < 1 + M)%nat ->
  sum (1 + M)%nat (fun j : nat => differ j i * ln (1 + exp v)) + ln (1 + exp (- (u))) = INR M * ln (1 + exp v)
    + ln (1 + exp (- (u))).
(*! *)
Proof.
  intros. rewrite (sum_ext _ _ (fun j => 1 * ln (1 + exp v) - delta j i * ln (1 + exp v))) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => ln (1 + exp v))), plus_INR by assumption. simpl (INR 1). ring.
Qed.

(*! M32: closed *)
Theorem M32_closed :
  forall (M d : nat) (p q : R) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let r : R := sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => I i f ^ 2 + T i f ^ 2)) / (2 + 2 * INR M)
    in
  let kappa : R := 2 * p - q * (INR M - 1) in
  (p + q) * (r + 2 * sum d (fun f : nat => sum (1 + M)%nat (fun i : nat => I i f) * sum (1 + M)%nat (fun j :
    nat => T j f)) / (1 + INR M) ^ 2 - sum (1 + M)%nat (fun i : nat => S i i) / (1 + INR M)) - kappa * sum d
    (fun f : nat => sum (1 + M)%nat (fun i : nat => I i f) * sum (1 + M)%nat (fun j : nat => T j f)) / (1 +
    INR M) ^ 2 = (r - sum (1 + M)%nat (fun i : nat => S i i) / (1 + INR M)) * (p + q - q * (1 + INR M) / 2) +
    q * (1 + INR M) * (r + 2 * sum d (fun f : nat => sum (1 + M)%nat (fun i : nat => I i f) * sum (1 + M)%nat
    (fun j : nat => T j f)) / (1 + INR M) ^ 2 - sum (1 + M)%nat (fun i : nat => S i i) / (1 + INR M)) / 2.
(*! *)
Proof. by_sums. Qed.

(*! M32: coincide *)
Theorem M32_coincide :
  forall (M d : nat) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let r : R := sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => I i f ^ 2 + T i f ^ 2)) / (2 + 2 * INR M)
    in
  r - sum (1 + M)%nat (fun i : nat => S i i) / (1 + INR M) = sum (1 + M)%nat (fun i : nat => sum d (fun f :
    nat => (I i f - T i f) ^ 2)) / (2 + 2 * INR M).
(*! *)
Proof. by_sums. Qed.

(*! M32: slope *)
Theorem M32_slope :
  forall (M : nat) (b r x tau : R),
  (0 < M)%nat ->
  (0 < tau) ->
  let u (x : R) : R := b + r * (1 - 2 * x) / tau in
  let v (x : R) : R := b - r * (1 + x * (INR M - 1)) / tau / INR M in
  let p (x : R) : R := exp (- (u x)) / (1 + exp (- (u x))) in
  let q (x : R) : R := exp (v x) / (1 + exp (v x)) in
  let kappa (x : R) : R := 2 * p x - q x * (INR M - 1) in
  is_derive (fun t : R => INR M * ln (1 + exp (v t)) + ln (1 + exp (- (u t)))) x (r * kappa x / tau).
(*! *)
Proof. by_sums. Qed.

(*! M32: curvature *)
Theorem M32_curvature :
  forall (M : nat) (b r x tau : R),
  (0 < M)%nat ->
  (0 < tau) ->
  let u (x : R) : R := b + r * (1 - 2 * x) / tau in
  let v (x : R) : R := b - r * (1 + x * (INR M - 1)) / tau / INR M in
  is_derive (fun t : R => Derive (fun x' : R => INR M * ln (1 + exp (v x')) + ln (1 + exp (- (u x')))) t) x (r
    ^ 2 * (4 * exp (u x) / (1 + exp (u x)) ^ 2 + (INR M - 1) ^ 2 * exp (v x) / INR M / (1 + exp (v x)) ^ 2) /
    tau ^ 2).
(*! *)
Proof. by_sums. Qed.
