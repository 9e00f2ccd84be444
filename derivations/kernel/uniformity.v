(* Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F19: mutual *)
Theorem F19_mutual :
  forall (d : nat) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (z i f - z j f) ^ 2) in
  norm_Deltanorm__2 i j = norm_Deltanorm__2 j i.
(*! *)
Proof. by_sums. Qed.

(*! F19: pairs *)
Theorem F19_pairs :
  forall (N : nat),
  (0 < N)%nat ->
  sum N (fun i : nat => sum N (fun j : nat => differ i j)) = INR N * (INR N - 1).
(*! *)
Proof. by_sums. Qed.

(*! F19: positive *)
Theorem F19_positive :
  forall (t_0 : R) (norm_Deltanorm__2 : nat -> nat -> R) (i j : nat),
  (0 < t_0) ->
  0 < exp (- (t_0 * norm_Deltanorm__2 i j)).
(*! *)
Proof. by_signs. Qed.

(*! F20: shares *)
Theorem F20_shares :
  forall (N d : nat) (t_0 : R) (z : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < t_0) ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (z i f - z j f) ^ 2) in
  let kappa_circumflex (i j : nat) : R := differ i j * exp (- (t_0 * norm_Deltanorm__2 i j)) / sum N (fun m :
    nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2 m n)))) in
  (sum N (fun m : nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2 m n)))) <> 0) ->
  sum N (fun i : nat => sum N (fun j : nat => kappa_circumflex i j)) = 1.
(*! *)
Proof. by_sums. Qed.

(*! F19: cosine *)
Theorem F19_cosine :
  forall (N d : nat) (t_0 : R) (w : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < t_0) ->
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (z i f - z j f) ^ 2) in
  let loss : R := ln (sum N (fun m : nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2
    m n)))) / INR N / (INR N - 1)) in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (INR N - 1 <> 0) ->
  (0 < sum N (fun m : nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2 m n)))) / INR
    N / (INR N - 1)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  exp loss = sum N (fun m : nat => sum N (fun n : nat => differ m n * exp (2 * t_0 * s m n))) * exp (- (2 *
    t_0)) / INR N / (INR N - 1).
(*! *)
Proof.
  intros. unfold loss. rewrite exp_ln by assumption.
  assert (U : forall m, (m < N)%nat -> sum d (fun f => z m f ^ 2) = 1).
  { intros m M. assert (n0 := H4 m M). assert (E : norm_w m * norm_w m = sum d (fun f => w m f ^ 2)) by (apply sqrt_sqrt; sign).
    unfold z. rewrite (sum_ext d _ (fun f => w m f ^ 2 * / (norm_w m * norm_w m))) by (intros; field; exact n0).
    rewrite sum_scale_r, E. apply Rinv_r. rewrite <- E. apply Rmult_integral_contrapositive_currified; exact n0. }
  rewrite <- sum_scale_r. do 2 f_equal. apply sum_ext. intros m M. rewrite <- sum_scale_r. apply sum_ext. intros n K.
  rewrite Rmult_assoc, <- exp_plus. do 2 f_equal. unfold norm_Deltanorm__2.
  rewrite (sum_ext d _ (fun f => z m f ^ 2 + z n f ^ 2 - 2 * (z m f * z n f))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scale, !U by assumption. fold (s m n). ring.
Qed.
