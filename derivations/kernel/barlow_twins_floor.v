(* The floor of Barlow Twins: a batch of B rows cannot make more than B − 1 features uncorrelated. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R4: dimensions *)
Theorem R4_dimensions :
  forall (M : nat),
  (0 < M)%nat ->
  let Gamma_e (i j : nat) : R := delta i j in
  sum M (fun i : nat => Gamma_e i i) = INR M.
(*! *)
Proof. by_sums. Qed.

(*! R4: aligned *)
Theorem R4_aligned :
  forall (M d : nat) (lambda : R) (r : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  let C (f g : nat) : R := differ f g * r f g + delta f g in
  let loss : R := lambda * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2 * differ f g)) + sum d (fun f
    : nat => (1 - C f f) ^ 2) in
  let kappa : R := INR d / INR M - 1 in
  loss = kappa * lambda * INR d + lambda * (INR M * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2)) -
    (sum d (fun f : nat => C f f)) ^ 2) / INR M.
(*! *)
Proof. by_sums. Qed.

(*! R4: all *)
Theorem R4_all :
  forall (M d : nat) (R_ : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  let Gamma_e (i j : nat) : R := delta i j in
  sum M (fun i : nat => sum M (fun j : nat => Gamma_e i j * sum d (fun g : nat => R_ i g * R_ j g))) = sum M
    (fun i : nat => sum d (fun g : nat => R_ i g ^ 2)).
(*! *)
Proof. by_sums. Qed.

(*! R4: correlation *)
Theorem R4_correlation :
  forall (B M : nat) (e t z_2 : nat -> nat -> R) (f g : nat),
  (0 < B)%nat ->
  (0 < M)%nat ->
  let z_1 (k f : nat) : R := sum M (fun i : nat => e i f * t k i) in
  let R_ (i g : nat) : R := sum B (fun k : nat => t k i * z_2 k g) / INR B in
  sum B (fun k : nat => z_1 k f * z_2 k g) / INR B = sum M (fun i : nat => R_ i g * e i f).
(*! *)
Proof. by_sums. Qed.

(*! R4: crossed *)
Theorem R4_crossed :
  forall (M d : nat) (R_ e : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  let C (f g : nat) : R := sum M (fun i : nat => R_ i g * e i f) in
  let Gamma_e (i j : nat) : R := sum d (fun f : nat => e i f * e j f) in
  sum M (fun i : nat => Gamma_e i i) * sum M (fun i : nat => sum d (fun g : nat => R_ i g ^ 2)) - (sum d (fun
    f : nat => C f f)) ^ 2 = sum M (fun i : nat => sum M (fun j : nat => sum d (fun f : nat => sum d (fun g :
    nat => (R_ j g * e i f - R_ i f * e j g) ^ 2)))) / 2.
(*! *)
Proof. by_sums. Qed.

(*! R4: crossed sign *)
Theorem R4_crossed_sign :
  forall (M d : nat) (R_ e : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum M (fun i : nat => sum M (fun j : nat => sum d (fun f : nat => sum d (fun g : nat => (R_ j g * e i f
    - R_ i f * e j g) ^ 2)))) / 2.
(*! *)
Proof. by_signs. Qed.

(*! R4: squares *)
Theorem R4_squares :
  forall (M d : nat) (R_ e : nat -> nat -> R),
  (0 < d)%nat ->
  (0 < M)%nat ->
  let C (f g : nat) : R := sum M (fun i : nat => R_ i g * e i f) in
  let Gamma_e (i j : nat) : R := sum d (fun f : nat => e i f * e j f) in
  sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2)) = sum M (fun i : nat => sum M (fun j : nat =>
    Gamma_e i j * sum d (fun g : nat => R_ i g * R_ j g))).
(*! *)
Proof. by_sums. Qed.

(*! R4: rows *)
Theorem R4_rows :
  forall (M : nat),
  (0 < M)%nat ->
  let B : nat := (1 + M)%nat in
  INR B - 1 = INR M.
(*! *)
Proof. by_sums. Qed.

(*! R4: floor *)
Theorem R4_floor :
  forall (M d : nat) (lambda : R) (C : nat -> nat -> R),
  (0 < d)%nat ->
  (0 < M)%nat ->
  let kappa : R := INR d / INR M - 1 in
  let loss : R := lambda * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2 * differ f g)) + sum d (fun f
    : nat => (1 - C f f) ^ 2) in
  let c : R := sum d (fun f : nat => C f f) / INR d in
  (1 + kappa * lambda <> 0) ->
  loss - kappa * lambda * INR d / (1 + kappa * lambda) = (1 - lambda) * sum d (fun f : nat => (C f f - c) ^ 2)
    + lambda * (INR M * sum d (fun f : nat => sum d (fun g : nat => C f g ^ 2)) - (sum d (fun f : nat => C f
    f)) ^ 2) / INR M + INR d * (c - 1 / (1 + kappa * lambda)) ^ 2 * (1 + kappa * lambda).
(*! *)
Proof.
  intros. assert (M0 := INR_pos M H0).
  assert (E : INR M + (INR d * lambda + -1 * lambda * INR M) <> 0).
  { intros Z. apply H1. unfold kappa. replace (1 + (INR d / INR M - 1) * lambda)
      with ((INR M + (INR d * lambda + -1 * lambda * INR M)) / INR M) by (field; lra). rewrite Z. field. lra. }
  by_sums.
Qed.
