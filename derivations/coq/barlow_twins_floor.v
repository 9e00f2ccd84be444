(* The floor of Barlow Twins: a batch of B rows cannot make more than B − 1 features uncorrelated. *)

(*! R4: floor *)
Proof.
  intros. assert (M0 := INR_pos M H0).
  assert (E : INR M + (INR d * lambda + -1 * lambda * INR M) <> 0).
  { intros Z. apply H1. unfold kappa. replace (1 + (INR d / INR M - 1) * lambda)
      with ((INR M + (INR d * lambda + -1 * lambda * INR M)) / INR M) by (field; lra). rewrite Z. field. lra. }
  by_sums.
Qed.
