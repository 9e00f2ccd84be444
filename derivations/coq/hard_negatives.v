(* Which samples an anchor learns from: the conclusions that document D2 draws from its gradient, and others. *)

Lemma after : forall tau P, 0 < tau ->
  (1 - P) / tau - 2 / (2 + tau) / (1 - (2 / (2 + tau)) ^ 2) = - (1 / (4 + tau)) - P / tau.
Proof.
  intros tau P T. assert (E : 1 - (2 / (2 + tau)) ^ 2 = tau * (4 + tau) / (2 + tau) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

(*! D2.4: after *)
Proof. intros. apply after. assumption. Qed.

(* M equal negatives. *)
Lemma equal : forall (M : nat) (L : nat -> nat -> R) (a i n : nat), (0 < M)%nat ->
  sum M (fun m : nat => exp (L i a)) / (sum M (fun m : nat => exp (L i a)) + exp (L i n)) = INR M / (INR M + exp (L i n - L i a)).
Proof.
  intros M L a i n P. assert (X := INR_pos M P). assert (Y := exp_pos (L i a)). assert (Z := exp_pos (L i n)).
  rewrite (sum_ext M _ (fun _ => exp (L i a) * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  unfold Rminus. rewrite exp_plus, exp_Ropp. field. repeat split; try lra; apply not_zero; sign.
Qed.
