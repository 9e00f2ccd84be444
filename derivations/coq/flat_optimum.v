(* NT-Xent at its optimum: the probability of the negatives, and the number of eigenvalues. *)

Lemma share_of_negatives : forall B tau, 2 * B - 2 <> 0 -> B - 1 <> 0 -> 0 < tau ->
  (2 * B - 2) * exp (- (1 / tau / (B - 1))) + exp (1 / tau) <> 0 ->
  1 - exp (1 / tau) / ((2 * B - 2) * exp (- (1 / tau / (B - 1))) + exp (1 / tau)) = 1 / (1 + exp (B / tau / (B - 1)) / (2 * B - 2)).
Proof.
  intros B tau S T P N. assert (P0 : tau <> 0) by lra. pose (X := exp (1 / tau)). pose (Y := exp (- (1 / tau / (B - 1)))).
  assert (YP : 0 < Y) by apply exp_pos.
  assert (E : exp (B / tau / (B - 1)) = X / Y).
  { unfold X, Y. unfold Rdiv at 3. rewrite <- exp_Ropp, <- exp_plus. apply f_equal. field. lra. }
  rewrite E. fold X Y in N |- *. field. repeat split; lra.
Qed.

(*! R22: share *)
Proof. intros. apply share_of_negatives; assumption. Qed.

(*! R22: each *)
Proof. intros. unfold r, varrho. rewrite share_of_negatives by assumption. reflexivity. Qed.

(*! R22: factor *)
Proof.
  intros K tau A T B varrho r H1 H2 H3. unfold r, varrho, B in *.
  assert (E : INR (2 + K) = 2 + INR K) by (rewrite plus_INR; simpl; lra). rewrite E in *.
  assert (P : 0 < INR K) by (apply INR_pos; assumption).
  replace (2 * (2 + INR K) - 2) with (2 + 2 * INR K) in * by lra.
  replace (2 + INR K - 1) with (1 + INR K) in * by lra. field. split; [exact H2 | lra].
Qed.
