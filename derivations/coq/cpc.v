(* InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the positive? (D2, Eq. 2; D3) *)

(*! D2.3: odds *)
Proof. by_odds. Qed.

(*! M36: all *)
Proof.
  intros. unfold ell. rewrite (sum_ext A (fun m => differ m (p i) * Y_k i m * exp (u i m)) (fun m => exp (u i m) - delta m (p i) * exp (u i m))).
  - rewrite sum_minus, (sum_delta A (p i) (fun m => exp (u i m))) by auto. do 3 f_equal. ring.
  - intros m _. rewrite differ_delta. unfold Y_k. ring.
Qed.

(*! M36: left *)
Proof.
  intros. unfold G, P, differ, delta. destruct (H3 i a) as [Z|Z]; rewrite Z; destruct (Nat.eqb a (p i)); unfold Rdiv; ring.
Qed.

(*! M36: odds *)
Proof. by_odds. Qed.
