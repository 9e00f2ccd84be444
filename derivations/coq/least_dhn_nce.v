(* The least loss of DHN-NCE: as that of DCL. *)

(*! M34: reached *)
Proof.
  intros. assert (m0 := INR_pos M H). rewrite (sum_ext _ _ (fun j => 1 * exp t - delta j i * exp t)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_scale_r, sum_one, (sum_delta _ i (fun _ => exp t)), plus_INR by assumption. simpl (INR 1).
  replace ((1 + INR M) * exp t - exp t) with (INR M * exp t) by ring. rewrite ln_mult, ln_exp by (try apply exp_pos; assumption). unfold t. field. lra.
Qed.
