(* The clamp of the debiased loss: the gradients on its two sides differ. *)

(*! R5: cliff *)
Proof.
  intros. unfold g_minus, L_plus. replace ((1 + s_plus i) / tau) with (s_plus i / tau + 1 / tau) by (field; lra).
  rewrite exp_plus, exp_Ropp. assert (E := exp_pos (1 / tau)). field. lra.
Qed.

(*! R5: pull *)
Proof.
  intros. assert (P := H1 i). assert (T : 1 - pi_plus = / (1 + theta_plus)) by (unfold pi_plus; field; lra).
  unfold ell. apply d_eq with ((INR M * ((0 - pi_plus * (exp (L_plus i) * 1)) / (1 - pi_plus)) + exp (L_plus i) * 1)
    * / (INR M * g_minus L_plus i + exp (L_plus i)) - 1).
  - assert (D : is_derive (fun x => set1 L_plus i x i) (L_plus i) 1) by (eapply d_eq; [apply d_set1|apply delta_refl]).
    apply (d_minus (fun x => ln (INR M * g_minus (set1 L_plus i x) i + exp (set1 L_plus i x i)))); [|exact D].
    assert (E : is_derive (fun x => exp (set1 L_plus i x i)) (L_plus i) (exp (L_plus i) * 1)).
    { eapply d_eq; [apply d_exp, D|cbv beta; rewrite set1_same; reflexivity]. }
    eapply d_eq; [apply (d_ln (fun x => INR M * g_minus (set1 L_plus i x) i + exp (set1 L_plus i x i)))|].
    + apply (d_plus (fun x => INR M * g_minus (set1 L_plus i x) i)); [|exact E]. unfold g_minus.
      apply (d_scale (fun x => (U i - pi_plus * exp (set1 L_plus i x i)) / (1 - pi_plus))).
      apply (d_over (fun x => U i - pi_plus * exp (set1 L_plus i x i))), d_minus; [apply d_const|]. apply d_scale, E.
    + rewrite set1_same. exact P.
    + rewrite set1_same. reflexivity.
  - set (D := INR M * g_minus L_plus i + exp (L_plus i)) in *. rewrite T.
    replace (exp (L_plus i) * 1) with (D - INR M * g_minus L_plus i) at 2 by (unfold D; ring).
    unfold pi_plus. field. lra.
Qed.

(*! R5: push *)
Proof.
  intros. assert (P := H2 i). assert (m0 := INR_pos M H). assert (T : 1 - pi_plus = / (1 + theta_plus)) by (unfold pi_plus; field; lra).
  unfold ell. apply d_eq with ((INR M * ((exp (L i a) / INR M - 0) / (1 - pi_plus)) + 0) * / (INR M * g_minus L i + exp (L_plus i)) - 0).
  - apply (d_minus (fun x => ln (INR M * g_minus (set2 L i a x) i + exp (L_plus i)))); [|apply d_const].
    eapply d_eq; [apply (d_ln (fun x => INR M * g_minus (set2 L i a x) i + exp (L_plus i)))|].
    + apply (d_plus (fun x => INR M * g_minus (set2 L i a x) i)); [|apply d_const]. unfold g_minus.
      apply (d_scale (fun x => (U (set2 L i a x) i - pi_plus * exp (L_plus i)) / (1 - pi_plus))).
      apply (d_over (fun x => U (set2 L i a x) i - pi_plus * exp (L_plus i))), d_minus; [|apply d_const].
      unfold U. apply (d_over (fun x => sum M (fun m => exp (set2 L i a x i m)))).
      eapply d_eq; [apply (d_sum M (fun m x => exp (set2 L i a x i m))); intros m _; apply d_exp, d_set2|].
      cbv beta. rewrite set2_same. rewrite (sum_ext M _ (fun m => delta m a * exp (L i m))) by (intros; rewrite delta_refl; ring).
      apply sum_delta. assumption.
    + rewrite set2_same. exact P.
    + rewrite set2_same. reflexivity.
  - rewrite T. field. split; [lra|]. split; lra.
Qed.
