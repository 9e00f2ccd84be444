(* The least loss of DHN-NCE: as that of DCL. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! M34: above *)
Theorem M34_above :
  forall (M d : nat) (tau : R) (I T : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  0 <= (sum (1 + M)%nat (fun j : nat => sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => (I i f + T j f -
    I j f - T i f) ^ 2))) / 2 + sum d (fun f : nat => (sum (1 + M)%nat (fun i : nat => I i f)) ^ 2 + (sum (1 +
    M)%nat (fun i : nat => T i f)) ^ 2)) / tau / INR M / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M34: reached *)
Theorem M34_reached :
  forall (M d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < M)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < 1 + M)%nat ->
  let t : R := - (sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => I i f ^ 2 + T i f ^ 2)) / 2 / tau /
    INR M) in
  (forall i : nat, (i < 1 + M)%nat -> 0 < sum (1 + M)%nat (fun j : nat => differ j i * exp t)) ->
  ln (sum (1 + M)%nat (fun j : nat => differ j i * exp t)) = ln (INR M) - sum (1 + M)%nat (fun i : nat => sum
    d (fun f : nat => I i f ^ 2 + T i f ^ 2)) / 2 / tau / INR M.
(*! *)
Proof.
  intros. assert (m0 := INR_pos M H). rewrite (sum_ext _ _ (fun j => 1 * exp t - delta j i * exp t)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => exp t)), plus_INR by assumption. simpl (INR 1).
  replace ((1 + INR M) * exp t - exp t) with (INR M * exp t) by ring. rewrite ln_mult, ln_exp by (try apply exp_pos; assumption). unfold t. field. lra.
Qed.
