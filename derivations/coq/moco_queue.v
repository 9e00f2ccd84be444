(* MoCo: a queue of keys, a momentum encoder, and its algorithm (document D3). *)

(*! D3.34: softplus *)
Proof. by_odds. Qed.

(*! D3.34: equal *)
Proof.
  intros. assert (X := INR_pos M H). assert (E := exp_pos (L_plus i)). unfold ell, L.
  rewrite (sum_ext M _ (fun _ => exp (L_plus i) * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  apply odds; [sign|sign|ring].
Qed.
