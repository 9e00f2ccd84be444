(* Instance discrimination: every sample its own class, the memory bank holds the classes (document D3). *)

(* The loss of a row as a function of the odds of the others. *)
Lemma row_odds : forall n (L : nat -> R) q, (q < n)%nat ->
  - ln (exp (L q) / sum n (fun m => exp (L m))) = ln (1 + sum n (fun j => differ j q * exp (L j - L q))).
Proof.
  intros n L q Q. apply odds; [apply exp_pos|sign|].
  rewrite Rmult_plus_distr_l, <- sum_scale.
  rewrite (sum_ext n (fun k => exp (L q) * _) (fun k => exp (L k) - delta k q * exp (L k))).
  - rewrite sum_minus, sum_delta by exact Q. ring.
  - intros k _. unfold Rminus at 1. rewrite exp_plus, exp_Ropp, differ_delta. field. apply not_zero, exp_pos.
Qed.

(*! D3.6: odds *)
Proof. intros. unfold loss. f_equal. apply sum_ext. intros i I_. apply (row_odds K (L i)). auto. Qed.
