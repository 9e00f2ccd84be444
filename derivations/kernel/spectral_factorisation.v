(* The spectral loss factors the matrix of how often two samples occur as a pair. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R11: apart *)
Theorem R11_apart :
  forall (X X' d : nat) (J_plus z_1 z_2 : nat -> nat -> R),
  (forall i j : nat, 0 <= J_plus i j) ->
  (0 < X)%nat ->
  (0 < X')%nat ->
  (0 < d)%nat ->
  sum X (fun i : nat => sum X' (fun j : nat => sum X' (fun a : nat => sum X (fun k : nat => (sum d (fun f :
    nat => z_1 i f * z_2 j f)) ^ 2 * J_plus i a * J_plus k j)))) = sum X (fun i : nat => sum X' (fun j : nat
    => (sum d (fun f : nat => z_1 i f * z_2 j f)) ^ 2 * sum X' (fun a : nat => J_plus i a) * sum X (fun k :
    nat => J_plus k j))).
(*! *)
Proof. by_sums. Qed.

Lemma cell : forall a b J t, a <> 0 -> b <> 0 ->
  t ^ 2 * (a * a) * (b * b) - 2 * (J * t) = (J / a / b - a * b * t) ^ 2 - J ^ 2 / (a * a) / (b * b).
Proof. intros. field. split; assumption. Qed.

(*! R11: loss *)
Theorem R11_loss :
  forall (X X' d : nat) (J_y J_x : nat -> R) (J_plus z_1 z_2 : nat -> nat -> R),
  (forall i : nat, 0 < J_y i) ->
  (forall i : nat, 0 < J_x i) ->
  (forall i j : nat, 0 <= J_plus i j) ->
  (0 < X)%nat ->
  (0 < X')%nat ->
  (0 < d)%nat ->
  let loss : R := sum X (fun i : nat => sum X' (fun j : nat => (sum d (fun f : nat => z_1 i f * z_2 j f)) ^ 2
    * J_y j * J_x i)) - 2 * sum X (fun i : nat => sum X' (fun j : nat => J_plus i j * sum d (fun f : nat =>
    z_1 i f * z_2 j f))) in
  loss = sum X (fun i : nat => sum X' (fun j : nat => (J_plus i j / sqrt (J_y j) / sqrt (J_x i) - sum d (fun g
    : nat => sqrt (J_y j) * sqrt (J_x i) * z_1 i g * z_2 j g)) ^ 2)) - sum X (fun i : nat => sum X' (fun j :
    nat => J_plus i j ^ 2 / J_y j / J_x i)).
(*! *)
Proof.
  intros. unfold loss. rewrite <- sum_scale, <- !sum_minus. apply sum_ext. intros i _. rewrite <- sum_scale, <- !sum_minus. apply sum_ext. intros j _.
  rewrite (sum_ext d (fun g => sqrt (J_y j) * sqrt (J_x i) * z_1 i g * z_2 j g) (fun g => sqrt (J_y j) * sqrt (J_x i) * (z_1 i g * z_2 j g))) by (intros; ring).
  rewrite sum_scale. assert (E := cell (sqrt (J_y j)) (sqrt (J_x i)) (J_plus i j) (sum d (fun f => z_1 i f * z_2 j f))
    ltac:(apply not_zero, sqrt_lt_R0, H) ltac:(apply not_zero, sqrt_lt_R0, H0)).
  rewrite !sqrt_sqrt in E by (apply Rlt_le; auto). exact E.
Qed.
