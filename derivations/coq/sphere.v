(* Normalisation z = w/‖w‖: its Jacobian, and its effect on a gradient (document D2). *)

(*! D2.12: tangent *)
Proof. intros; unfold_names. normalise. finish. Qed.
