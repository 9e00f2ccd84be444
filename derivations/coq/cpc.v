(* InfoNCE over rows of scores, as in contrastive predictive coding: which candidate is the positive? (D2, Eq. 2; D3) *)

(*! M36: left *)
Proof.
  intros. unfold G, P, differ, delta. destruct (H3 i a) as [Z|Z]; rewrite Z; destruct (Nat.eqb a (p i)); unfold Rdiv; ring.
Qed.
