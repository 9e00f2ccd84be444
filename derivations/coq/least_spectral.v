(* The least spectral loss of unit rows: squares. *)

Lemma unit_row : forall d (w : nat -> R), sqrt (sum d (fun f => w f ^ 2)) <> 0 ->
  sum d (fun f => (w f / sqrt (sum d (fun g => w g ^ 2))) ^ 2) = 1.
Proof.
  intros d w N. set (q := sum d (fun g => w g ^ 2)) in *.
  assert (Q : 0 <= q) by (apply sum_nonneg; intros; apply pow2_ge_0).
  rewrite (sum_ext d _ (fun f => w f ^ 2 * (/ sqrt q * / sqrt q))) by (intros; field; exact N).
  rewrite (sum_scale_r d (/ sqrt q * / sqrt q) (fun f => w f ^ 2)). fold q.
  rewrite <- (sqrt_sqrt q Q) at 1. field. exact N.
Qed.

(*! M33: near *)
Proof.
  intros M d w w' A D norm_w Z_1 norm_w' Z_2 S ell N N'.
  assert (U : forall i, (i < 1 + M)%nat -> sum d (fun f => Z_1 i f ^ 2) = 1) by (intros; apply unit_row, N; assumption).
  assert (U' : forall i, (i < 1 + M)%nat -> sum d (fun f => Z_2 i f ^ 2) = 1) by (intros; apply unit_row, N'; assumption).
  assert (V : 0 < INR M) by (apply INR_pos; assumption).
  unfold ell. rewrite (sum_minus (1 + M) (fun i => sum (1 + M) (fun j => S i j ^ 2 * differ i j) / INR M) (fun i => 2 * S i i)).
  rewrite (sum_ext (1 + M) (fun i => sum d (fun f => (Z_1 i f - Z_2 i f) ^ 2)) (fun i => 2 - 2 * S i i)).
  - rewrite (sum_minus (1 + M) (fun _ => 2) (fun i => 2 * S i i)).
    rewrite (sum_ext (1 + M) (fun _ => 2) (fun _ => 2 * 1)) by (intros; ring). rewrite (sum_scale (1 + M) 2 (fun _ => 1)), sum_one.
    unfold Rdiv at 2. rewrite (sum_scale_r (1 + M) (/ INR M)). rewrite plus_INR. simpl (INR 1). field. lra.
  - intros i I. rewrite (sum_ext d _ (fun f => Z_1 i f ^ 2 + Z_2 i f ^ 2 - 2 * (Z_1 i f * Z_2 i f))) by (intros; ring).
    rewrite (sum_minus d (fun f => Z_1 i f ^ 2 + Z_2 i f ^ 2) (fun f => 2 * (Z_1 i f * Z_2 i f))).
    rewrite (sum_plus d (fun f => Z_1 i f ^ 2) (fun f => Z_2 i f ^ 2)), (U i I), (U' i I).
    rewrite (sum_scale d 2 (fun f => Z_1 i f * Z_2 i f)). unfold S. ring.
Qed.

(*! M33: circle *)
Proof. intros. unfold ell, S, M, d, Z_1, Z_2, list2. cbv -[Rplus Rmult Rdiv Rinv Ropp Rminus IZR pow INR]. simpl. field. Qed.
