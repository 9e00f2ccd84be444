(* The modality gap: images and texts can be far apart on the sphere at the same loss. *)

Lemma shrunk : forall d gamma tau (I T : nat -> R), 0 < tau -> tau * (1 - gamma ^ 2) <> 0 ->
  (sum d (fun g => (1 - gamma ^ 2) * I g * T g) - gamma ^ 2) / (tau * (1 - gamma ^ 2))
    = sum d (fun g => I g * T g) / tau - gamma ^ 2 / (tau * (1 - gamma ^ 2)).
Proof.
  intros d gamma tau I T t0 N. rewrite (sum_ext d _ (fun g => (1 - gamma ^ 2) * (I g * T g))), sum_scale by (intros; ring).
  assert (G : 1 - gamma ^ 2 <> 0) by (intro Z; apply N; rewrite Z; ring). field. split; [exact G|lra].
Qed.

(*! R10: logit *)
Proof. intros. apply shrunk; assumption. Qed.

(*! R10: bias *)
Proof. intros. unfold b', tau'. rewrite shrunk by assumption. ring. Qed.

(*! R10: loss *)
Proof.
  intros. rewrite (lowered B (L i) x i), (lowered B (fun k => L k i) x i). reflexivity.
Qed.
