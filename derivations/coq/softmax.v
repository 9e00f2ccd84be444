(* Softmax and cross-entropy: the loss of one row of logits, its derivatives, and the forms that do not cancel. *)

(*! S3: above *)
Proof. intros. assert (E := exp_pos x). assert (L := ln_below (1 + exp x)). lra. Qed.
