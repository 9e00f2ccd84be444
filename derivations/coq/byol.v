(* BYOL: two views without negatives; the gradient of one is stopped (document D3). *)

(*! M18: gradient *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.
