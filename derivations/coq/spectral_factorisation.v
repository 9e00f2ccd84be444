(* The spectral loss factors the matrix of how often two samples occur as a pair. *)

Lemma cell : forall a b J t, a <> 0 -> b <> 0 ->
  t ^ 2 * (a * a) * (b * b) - 2 * (J * t) = (J / a / b - a * b * t) ^ 2 - J ^ 2 / (a * a) / (b * b).
Proof. intros. field. split; assumption. Qed.

(*! R11: loss *)
Proof.
  intros. unfold loss. rewrite <- sum_scale, <- !sum_minus. apply sum_ext. intros i _. rewrite <- sum_scale, <- !sum_minus. apply sum_ext. intros j _.
  rewrite (sum_ext d (fun g => sqrt (J_y j) * sqrt (J_x i) * z_1 i g * z_2 j g) (fun g => sqrt (J_y j) * sqrt (J_x i) * (z_1 i g * z_2 j g))) by (intros; ring).
  rewrite sum_scale. assert (E := cell (sqrt (J_y j)) (sqrt (J_x i)) (J_plus i j) (sum d (fun f => z_1 i f * z_2 j f))
    ltac:(apply not_zero, sqrt_lt_R0, H) ltac:(apply not_zero, sqrt_lt_R0, H0)).
  rewrite !sqrt_sqrt in E by (apply Rlt_le; auto). exact E.
Qed.
