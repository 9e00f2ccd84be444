(* The modality gap: images and texts can be far apart on the sphere at the same loss. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R10: distance *)
Theorem R10_distance :
  forall (B d : nat) (gamma : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 <= 1 - gamma ^ 2) ->
  (sum B (fun i : nat => gamma) / INR B - sum B (fun i : nat => - (gamma)) / INR B) ^ 2 + sum d (fun f : nat
    => (sum B (fun i : nat => sqrt (1 - gamma ^ 2) * I i f) / INR B - sum B (fun i : nat => sqrt (1 - gamma ^
    2) * T i f) / INR B) ^ 2) = 4 * gamma ^ 2 + sum d (fun f : nat => (sum B (fun i : nat => sqrt (1 - gamma ^
    2) * I i f) / INR B - sum B (fun i : nat => sqrt (1 - gamma ^ 2) * T i f) / INR B) ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! R10: unit *)
Theorem R10_unit :
  forall (d : nat) (gamma : R) (w : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  (forall i : nat, norm_w i <> 0) ->
  gamma ^ 2 + sum d (fun f : nat => z i f ^ 2 * (1 - gamma ^ 2)) = 1.
(*! *)
Proof.
  intros. assert (n0 := H0 i). assert (E : norm_w i * norm_w i = sum d (fun f => w i f ^ 2)) by (apply sqrt_sqrt; sign).
  rewrite (sum_ext d _ (fun f => (1 - gamma ^ 2) * / (norm_w i * norm_w i) * w i f ^ 2)) by (intros; unfold z; field; exact n0).
  rewrite sum_scale, <- E. field. exact n0.
Qed.

(*! R10: distance sign *)
Theorem R10_distance_sign :
  forall (B d : nat) (gamma : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 <= 1 - gamma ^ 2) ->
  0 <= sum d (fun f : nat => (sum B (fun i : nat => sqrt (1 - gamma ^ 2) * I i f) / INR B - sum B (fun i : nat
    => sqrt (1 - gamma ^ 2) * T i f) / INR B) ^ 2).
(*! *)
Proof. by_signs. Qed.

Lemma shrunk : forall d gamma tau (I T : nat -> R), 0 < tau -> tau * (1 - gamma ^ 2) <> 0 ->
  (sum d (fun g => (1 - gamma ^ 2) * I g * T g) - gamma ^ 2) / (tau * (1 - gamma ^ 2))
    = sum d (fun g => I g * T g) / tau - gamma ^ 2 / (tau * (1 - gamma ^ 2)).
Proof.
  intros d gamma tau I T t0 N. rewrite (sum_ext d _ (fun g => (1 - gamma ^ 2) * (I g * T g))), sum_scale by (intros; ring).
  assert (G : 1 - gamma ^ 2 <> 0) by (intro Z; apply N; rewrite Z; ring). field. split; [exact G|lra].
Qed.

(*! R10: logit *)
Theorem R10_logit :
  forall (d : nat) (gamma tau : R) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let tau' : R := tau * (1 - gamma ^ 2) in
  (tau' <> 0) ->
  (sum d (fun g : nat => (1 - gamma ^ 2) * I i g * T j g) - gamma ^ 2) / tau' = sum d (fun g : nat => I i g *
    T j g) / tau - gamma ^ 2 / tau'.
(*! *)
Proof. intros. apply shrunk; assumption. Qed.

(*! R10: bias *)
Theorem R10_bias :
  forall (d : nat) (b gamma tau : R) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let tau' : R := tau * (1 - gamma ^ 2) in
  let b' : R := b + gamma ^ 2 / tau' in
  (tau' <> 0) ->
  b' + (sum d (fun g : nat => (1 - gamma ^ 2) * I i g * T j g) - gamma ^ 2) / tau' = b + sum d (fun g : nat =>
    I i g * T j g) / tau.
(*! *)
Proof. intros. unfold b', tau'. rewrite shrunk by assumption. ring. Qed.

(*! R10: loss *)
Theorem R10_loss :
  forall (B : nat) (x : R) (L : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L i k)) in
  let P_c (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L k j)) in
  let ell (i : nat) : R := - (ln (P i i) / 2) - ln (P_c i i) / 2 in
  (forall i : nat, 0 < P i i) ->
  (forall i : nat, 0 < P_c i i) ->
  - (ln (exp (L i i - x) / sum B (fun k : nat => exp (L i k - x))) / 2) - ln (exp (L i i - x) / sum B (fun k :
    nat => exp (L k i - x))) / 2 = ell i.
(*! *)
Proof.
  intros. rewrite (lowered B (L i) x i), (lowered B (fun k => L k i) x i). reflexivity.
Qed.
