(* SimSiam: two views without negatives or momentum, kept from collapse by the stop-gradient (document D3). *)

Lemma apart : forall d (p z : nat -> R), sum d (fun f => p f ^ 2) = 1 -> sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => (p f - z f) ^ 2) = 2 - 2 * sum d (fun f => p f * z f).
Proof.
  intros d p z P Z. rewrite (sum_ext d _ (fun f => p f ^ 2 + z f ^ 2 - 2 * (p f * z f))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scale, P, Z. ring.
Qed.

(*! D3.46: collapsed *)
Proof.
  intros. assert (N0 := INR_pos N H0). unfold loss.
  rewrite (sum_ext N _ (fun _ => -1 * 1)); [rewrite sum_scale, sum_one; field; lra|].
  intros i I_. assert (U := unit_row d chi (H1 i I_)). unfold ell, distance, distance', cos, cos'.
  assert (C : sum d (fun h => p_macron_1 i h * z_macron_2 i h) = 1).
  { rewrite <- U. apply sum_ext. intros f _. transitivity (p_macron_1 i f ^ 2); [change (z_macron_2 i f) with (p_macron_1 i f); ring|reflexivity]. }
  change (sum d (fun h => p_macron_2 i h * z_macron_1 i h)) with (sum d (fun h => p_macron_1 i h * z_macron_2 i h)).
  rewrite C. field.
Qed.

(*! D3.46: excess *)
Proof.
  intros. assert (N0 := INR_pos N H). unfold loss.
  rewrite (sum_ext N (fun i => _ + _) (fun i => 4 * (1 + ell i))).
  - rewrite sum_scale, sum_plus, sum_one. change (sum N (fun i => ell i)) with (sum N ell). field. lra.
  - intros i I_. rewrite !apart by (apply unit_row; first [exact (H1 i I_) | exact (H2 i I_) | exact (H3 i I_) | exact (H4 i I_)]).
    unfold ell, distance, distance', cos, cos'. field.
Qed.
