(* The factor that couples positive and negatives in the gradient of InfoNCE, and that DCL removes. *)

(*! R7: softplus *)
Proof. intros; unfold_names. apply softplus; [sign | normalise; finish]. Qed.
