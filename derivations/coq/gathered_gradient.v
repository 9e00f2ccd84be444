(* A batch over several ranks: the gradient if the features gathered from other ranks are constants, and if they
   are not. *)

(*! R27: shares *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption).
  rewrite (sum_ext Gamma _ (fun l => sum N (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f)) * (INR Gamma * / tau * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun j => sum Gamma _) (fun j => (G j k + G k j) * z j f)).
    + field. repeat split; try exact M; apply Rgt_not_eq; first [assumption|apply INR_pos; assumption].
    + intros j J. rewrite sum_plus, (sum_delta Gamma (psi j) (fun _ => G j k * z j f)), (sum_delta Gamma (psi k) (fun _ => G k j * z j f)) by auto. ring.
  - intros l _. unfold Rdiv. rewrite (sum_ext N (fun j => (_ + _) * _) (fun j => delta l (psi j) * (G j k * z j f) + delta l (psi k) * (G k j * z j f))) by (intros; ring). ring.
Qed.

(*! R27: losses *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption). unfold loss_r, loss, Rdiv.
  rewrite (sum_ext Gamma _ (fun l => sum N (fun i => delta l (psi i) * ell i) * (INR Gamma * / INR nu))).
  - rewrite sum_scale_r, sum_swap, (sum_ext N (fun i => sum Gamma _) (fun i => ell i)).
    + field. split; [apply Rgt_not_eq, INR_pos; assumption|exact M].
    + intros i I_. apply (sum_delta Gamma (psi i) (fun _ => ell i)). auto.
  - intros l _. rewrite (sum_ext N (fun i => ell i * delta l (psi i)) (fun i => delta l (psi i) * ell i)) by (intros; ring). ring.
Qed.

(*! R27: encoder *)
Proof.
  intros. assert (M : INR Gamma <> 0) by (apply Rgt_not_eq, INR_pos; assumption).
  pose (g := fun k f => sum N (fun j => (G j k + G k j) * z j f) / tau / INR nu).
  rewrite sum_swap, (sum_ext N (fun k => sum Gamma _) (fun k => sum d (fun f => V k f * g k f) * INR Gamma)).
  - rewrite sum_scale_r. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_r, Rmult_1_r by exact M.
    apply sum_ext. intros k _. apply sum_ext. intros f _. unfold g. unfold Rdiv. ring.
  - intros k K. transitivity (sum Gamma (fun l => delta l (psi k) * sum d (fun f => V k f * sum Gamma (fun _ => g k f)))); [reflexivity|].
    rewrite (sum_delta Gamma (psi k) (fun _ => sum d (fun f => V k f * sum Gamma (fun _ => g k f)))) by auto.
    rewrite <- sum_scale_r. apply sum_ext. intros f _.
    rewrite (sum_ext Gamma (fun _ => g k f) (fun _ => g k f * 1)), sum_scale, sum_one by (intros; ring). ring.
Qed.
