(* Hessian-vector products of InfoNCE, NT-Xent and CLIP, computed by matrix products like the gradient's. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(* The inner product of a second direction with the Hessian times the first, in two parts: of the errors G and of
   their change Q. *)
Lemma between : forall N d (tau nu : R) (G Q z x y : nat -> nat -> R), tau <> 0 -> nu <> 0 ->
  sum N (fun k => sum d (fun f => sum N (fun j => (G j k + G k j) * x j f + (Q j k + Q k j) * z j f) / tau / nu * y k f))
    = (sum N (fun i => sum N (fun j => G i j * sum d (fun f => x i f * y j f + x j f * y i f)))
      + sum N (fun i => sum N (fun j => Q i j * sum d (fun f => z i f * y j f + z j f * y i f)))) / tau / nu.
Proof. by_sums. Qed.

Lemma spreads : forall n m (P u v : nat -> nat -> R),
  sum n (fun i => sum m (fun j => (u i j - sum m (fun m => u i m * P i m)) * P i j * v i j))
    = sum n (fun i => sum m (fun j => (v i j - sum m (fun m => v i m * P i m)) * P i j * u i j)).
Proof. by_sums. Qed.

Lemma over_under : forall n d (tau : R) (Q : nat -> nat -> R) (F : nat -> nat -> nat -> R), tau <> 0 ->
  sum n (fun i => sum n (fun j => Q i j * sum d (fun f => F i j f)))
    = tau * sum n (fun i => sum n (fun j => Q i j * (sum d (fun f => F i j f) / tau))).
Proof.
  intros n d tau Q F T. rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros j _. field. exact T.
Qed.

(*! M27: gradient *)
Theorem M27_gradient :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) (sum N (fun j : nat => (G z j k + G z k j) * z j f) /
    tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! M27: product *)
Theorem M27_product :
  forall (N d nu : nat) (tau : R) (z z_dot : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  let L_dot (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i
    f) / tau in
  let P_dot (z : nat -> nat -> R) (i j : nat) : R := (L_dot z i j - sum N (fun m : nat => L_dot z i m * P z i
    m)) * P z i j in
  let H (z : nat -> nat -> R) (k f : nat) : R := sum N (fun j : nat => (G z j k + G z k j) * z_dot j f +
    (P_dot z j k + P_dot z k j) * z j f) / tau / INR nu in
  (forall h : nat, (h < d)%nat -> forall l : nat, (l < N)%nat -> ex_derive (fun x : R => sum N (fun j : nat =>
    (G (set2 z l h x) j k + G (set2 z l h x) k j) * (set2 z l h x) j f) / tau / INR nu) (z l h)) /\ sum N (fun
    l : nat => sum d (fun h : nat => z_dot l h * Derive (fun x : R => sum N (fun j : nat => (G (set2 z l h x)
    j k + G (set2 z l h x) k j) * (set2 z l h x) j f) / tau / INR nu) (z l h))) = H z k f.
(*! *)
Proof. by_sums. Qed.

(*! M27: shares *)
Theorem M27_shares :
  forall (N d : nat) (tau : R) (z z_dot : nat -> nat -> R) (i j : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (j < N)%nat ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let L_dot (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i
    f) / tau in
  let P_dot (z : nat -> nat -> R) (i j : nat) : R := (L_dot z i j - sum N (fun m : nat => L_dot z i m * P z i
    m)) * P z i j in
  (forall h : nat, (h < d)%nat -> forall l : nat, (l < N)%nat -> ex_derive (fun x : R => P (set2 z l h x) i j)
    (z l h)) /\ sum N (fun l : nat => sum d (fun h : nat => z_dot l h * Derive (fun x : R => P (set2 z l h x)
    i j) (z l h))) = P_dot z i j.
(*! *)
Proof. by_sums. Qed.

(*! M27: symmetric *)
Theorem M27_symmetric :
  forall (N d nu : nat) (tau : R) (z z_dot z_dot' : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < nu)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  let L_dot (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i f) / tau in
  let P_dot (i j : nat) : R := (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) * P i j in
  let H (k f : nat) : R := sum N (fun j : nat => (G j k + G k j) * z_dot j f + (P_dot j k + P_dot k j) * z j
    f) / tau / INR nu in
  let L_dot' (i j : nat) : R := sum d (fun f : nat => z i f * z_dot' j f + z j f * z_dot' i f) / tau in
  let P_dot' (i j : nat) : R := (L_dot' i j - sum N (fun m : nat => L_dot' i m * P i m)) * P i j in
  let H' (k f : nat) : R := sum N (fun j : nat => (G j k + G k j) * z_dot' j f + (P_dot' j k + P_dot' k j) * z
    j f) / tau / INR nu in
  sum N (fun k : nat => sum d (fun f : nat => H k f * z_dot' k f)) = sum N (fun k : nat => sum d (fun f : nat
    => H' k f * z_dot k f)).
(*! *)
Proof.
  intros N d nu tau z z_dot z_dot' p A1 A2 A3 A4 A5 L P G L_dot P_dot H L_dot' P_dot' H'. assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  unfold H, H'. rewrite (between N d tau (INR nu) G P_dot z z_dot z_dot'), (between N d tau (INR nu) G P_dot' z z_dot' z_dot) by assumption.
  rewrite !(over_under N d tau P_dot), !(over_under N d tau P_dot') by exact T.
  change (sum N (fun i => sum N (fun j => P_dot i j * (sum d (fun f => z i f * z_dot' j f + z j f * z_dot' i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot i j * L_dot' i j))).
  change (sum N (fun i => sum N (fun j => P_dot' i j * (sum d (fun f => z i f * z_dot j f + z j f * z_dot i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot' i j * L_dot i j))).
  unfold P_dot, P_dot'. rewrite (spreads N N P L_dot L_dot'). do 3 f_equal. apply sum_ext. intros i _. apply sum_ext. intros j _.
  f_equal. apply sum_ext. intros. ring.
Qed.

(*! M27: curvature *)
Theorem M27_curvature :
  forall (N d nu : nat) (tau : R) (z z_dot : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  let L_dot (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i f) / tau in
  let P_dot (i j : nat) : R := (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) * P i j in
  let H (k f : nat) : R := sum N (fun j : nat => (G j k + G k j) * z_dot j f + (P_dot j k + P_dot k j) * z j
    f) / tau / INR nu in
  sum N (fun k : nat => sum d (fun f : nat => H k f * z_dot k f)) = (2 * sum N (fun i : nat => sum N (fun j :
    nat => G i j * sum d (fun f : nat => z_dot i f * z_dot j f))) / tau + sum N (fun i : nat => sum N (fun j :
    nat => (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) ^ 2 * P i j))) / INR nu.
(*! *)
Proof.
  intros N d nu tau z z_dot p A1 A2 A3 A4 A5 L P G L_dot P_dot H. assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  assert (S : forall i, sum N (P i) = 1) by (intros i; apply shares, not_zero; sign).
  unfold H. rewrite (between N d tau (INR nu) G P_dot z z_dot z_dot), !(over_under N d tau P_dot) by assumption.
  change (sum N (fun i => sum N (fun j => P_dot i j * (sum d (fun f => z i f * z_dot j f + z j f * z_dot i f) / tau))))
    with (sum N (fun i => sum N (fun j => P_dot i j * L_dot i j))).
  rewrite (sum_ext N (fun i => sum N (fun j => P_dot i j * L_dot i j))
    (fun i => sum N (fun j => (L_dot i j - sum N (fun m => L_dot i m * P i m)) ^ 2 * P i j))).
  - rewrite (sum_ext N (fun i => sum N (fun j => G i j * sum d (fun f => z_dot i f * z_dot j f + z_dot j f * z_dot i f)))
      (fun i => 2 * sum N (fun j => G i j * sum d (fun f => z_dot i f * z_dot j f)))).
    + rewrite sum_scale. field. split; assumption.
    + intros i _. rewrite <- sum_scale. apply sum_ext. intros j _.
      rewrite (sum_ext d _ (fun f => 2 * (z_dot i f * z_dot j f))) by (intros; ring). rewrite sum_scale. ring.
  - intros i _. unfold P_dot. set (m := sum N (fun m => L_dot i m * P i m)).
    rewrite (sum_ext N _ (fun j => (L_dot i j - m) ^ 2 * P i j + m * (L_dot i j * P i j - m * P i j))) by (intros; ring).
    rewrite sum_plus, sum_scale, sum_minus, sum_scale. fold m. change (sum N (fun k => P i k)) with (sum N (P i)). rewrite S. ring.
Qed.

(* The inner product of a row of the Hessian product with a vector y, in terms of inner products. *)
Lemma row_times : forall N d (tau nu n a : R) (s q A sd z zd y : nat -> R) (Z Zd : nat -> nat -> R), tau <> 0 -> nu <> 0 -> n <> 0 ->
  sum d (fun f => (sum N (fun j => (Z j f - s j * z f) * q j + A j * (Zd j f - s j * zd f - z f * sd j)) / tau / nu / n
      - sum N (fun j => (Z j f - s j * z f) * A j) * a / tau / nu / n ^ 2) * y f)
    = sum N (fun j => (sum d (fun f => Z j f * y f) - s j * sum d (fun f => z f * y f)) / n * q j
        + A j * ((sum d (fun f => Zd j f * y f) - s j * sum d (fun f => zd f * y f) - sum d (fun f => z f * y f) * sd j) / n
          - (sum d (fun f => Z j f * y f) - s j * sum d (fun f => z f * y f)) / n * (a / n))) / tau / nu.
Proof.
  intros N d tau nu n a s q A sd z zd y Z Zd T V W.
  rewrite (sum_ext d _ (fun f => sum N (fun j => Z j f * y f * ((/ n * q j - A j * / n * (a * / n)) * / tau * / nu)
    - z f * y f * ((s j * / n * q j + A j * sd j * / n - A j * s j * / n * (a * / n)) * / tau * / nu)
    + Zd j f * y f * (A j * / n * / tau * / nu) - zd f * y f * (A j * s j * / n * / tau * / nu)))).
  - rewrite sum_swap. unfold Rdiv. rewrite <- !sum_scale_r. apply sum_ext. intros j _.
    rewrite sum_minus, sum_plus, sum_minus, !sum_scale_r. ring.
  - intros f _. set (S1 := sum N (fun j => (Z j f - s j * z f) * q j + A j * (Zd j f - s j * zd f - z f * sd j))).
    set (S2 := sum N (fun j => (Z j f - s j * z f) * A j)).
    replace ((S1 / tau / nu / n - S2 * a / tau / nu / n ^ 2) * y f) with (S1 * (y f / tau / nu / n) - S2 * (a * y f / tau / nu / n ^ 2)) by (field; auto).
    unfold S1, S2. rewrite <- !sum_scale_r, <- sum_minus. apply sum_ext. intros j _. field. auto.
Qed.

(* The change of a unit row is orthogonal to it. *)
Lemma turn_across : forall d (n : R) (z x : nat -> R), sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => z f * ((x f - z f * sum d (fun g => z g * x g)) / n)) = 0.
Proof.
  intros d n z x U. rewrite (sum_ext d _ (fun f => (z f * x f - z f ^ 2 * sum d (fun g => z g * x g)) * / n)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r, sum_minus, sum_scale_r, U. ring.
Qed.

Lemma turn_with : forall d (n : R) (z x u : nat -> R),
  sum d (fun f => u f * ((x f - z f * sum d (fun g => z g * x g)) / n))
    = (sum d (fun f => u f * x f) - sum d (fun f => u f * z f) * sum d (fun f => z f * x f)) / n.
Proof.
  intros d n z x u. rewrite (sum_ext d _ (fun f => (u f * x f - u f * z f * sum d (fun g => z g * x g)) * / n)) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r, sum_minus, sum_scale_r. reflexivity.
Qed.

Lemma unit_rows : forall d (w : nat -> nat -> R) i, sqrt (sum d (fun f => w i f ^ 2)) <> 0 ->
  sum d (fun f => (w i f / sqrt (sum d (fun f => w i f ^ 2))) ^ 2) = 1.
Proof. intros d w i W. exact (unit_row d (w i) W). Qed.

(*! M28: turn *)
Theorem M28_turn :
  forall (N d : nat) (w w_dot : nat -> nat -> R) (f i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (i < N)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let z_dot (w : nat -> nat -> R) (i f : nat) : R := (w_dot i f - z w i f * sum d (fun g : nat => z w i g *
    w_dot i g)) / norm_w w i in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall h : nat, (h < d)%nat -> forall l : nat, (l < N)%nat -> ex_derive (fun x : R => z (set2 w l h x) i f)
    (w l h)) /\ sum N (fun l : nat => sum d (fun h : nat => w_dot l h * Derive (fun x : R => z (set2 w l h x)
    i f) (w l h))) = z_dot w i f.
(*! *)
Proof. by_sums. Qed.

(*! M28: shares *)
Theorem M28_shares :
  forall (N d : nat) (tau : R) (w w_dot : nat -> nat -> R) (i j : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (j < N)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let P (w : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L w i j) / sum N (fun k : nat => differ k i
    * exp (L w i k)) in
  let z_dot (w : nat -> nat -> R) (i f : nat) : R := (w_dot i f - z w i f * sum d (fun g : nat => z w i g *
    w_dot i g)) / norm_w w i in
  let s_dot (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z_dot w j f + z w j f *
    z_dot w i f) in
  let L_dot (w : nat -> nat -> R) (i j : nat) : R := s_dot w i j / tau in
  let P_dot (w : nat -> nat -> R) (i j : nat) : R := (L_dot w i j - sum N (fun m : nat => L_dot w i m * P w i
    m)) * P w i j in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L w i k)) <> 0) ->
  (forall h : nat, (h < d)%nat -> forall l : nat, (l < N)%nat -> ex_derive (fun x : R => P (set2 w l h x) i j)
    (w l h)) /\ sum N (fun l : nat => sum d (fun h : nat => w_dot l h * Derive (fun x : R => P (set2 w l h x)
    i j) (w l h))) = P_dot w i j.
(*! *)
Proof. by_sums. Qed.

(*! M28: gradient *)
Theorem M28_gradient :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let ell (w : nat -> nat -> R) (i : nat) : R := - (ln (exp (L w i (p i)) / sum N (fun k : nat => differ k i *
    exp (L w i k)))) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L w i j) / sum N (fun k : nat => differ k i
    * exp (L w i k)) in
  let G (w : nat -> nat -> R) (i j : nat) : R := P w i j - delta j (p i) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L w i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L w i (p i)) / sum N (fun k : nat => differ k i * exp (L w i k)))
    ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof. by_sums. Qed.

(*! M28: symmetric *)
Theorem M28_symmetric :
  forall (N d nu : nat) (tau : R) (w w_dot w_dot' : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < nu)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  let z_dot (i f : nat) : R := (w_dot i f - z i f * sum d (fun g : nat => z i g * w_dot i g)) / norm_w i in
  let s_dot (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i f) in
  let L_dot (i j : nat) : R := s_dot i j / tau in
  let P_dot (i j : nat) : R := (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) * P i j in
  let H (k f : nat) : R := sum N (fun j : nat => (z j f - s k j * z k f) * (P_dot j k + P_dot k j) + (G j k +
    G k j) * (z_dot j f - s k j * z_dot k f - z k f * s_dot k j)) / tau / INR nu / norm_w k - sum N (fun j :
    nat => (z j f - s k j * z k f) * (G j k + G k j)) * sum d (fun g : nat => z k g * w_dot k g) / tau / INR
    nu / norm_w k ^ 2 in
  let z_dot' (i f : nat) : R := (w_dot' i f - z i f * sum d (fun g : nat => z i g * w_dot' i g)) / norm_w i in
  let s_dot' (i j : nat) : R := sum d (fun f : nat => z i f * z_dot' j f + z j f * z_dot' i f) in
  let L_dot' (i j : nat) : R := s_dot' i j / tau in
  let P_dot' (i j : nat) : R := (L_dot' i j - sum N (fun m : nat => L_dot' i m * P i m)) * P i j in
  let H' (k f : nat) : R := sum N (fun j : nat => (z j f - s k j * z k f) * (P_dot' j k + P_dot' k j) + (G j k
    + G k j) * (z_dot' j f - s k j * z_dot' k f - z k f * s_dot' k j)) / tau / INR nu / norm_w k - sum N (fun
    j : nat => (z j f - s k j * z k f) * (G j k + G k j)) * sum d (fun g : nat => z k g * w_dot' k g) / tau /
    INR nu / norm_w k ^ 2 in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall k : nat, (k < N)%nat -> norm_w k <> 0) ->
  sum N (fun k : nat => sum d (fun f : nat => H k f * w_dot' k f)) = sum N (fun k : nat => sum d (fun f : nat
    => H' k f * w_dot k f)).
(*! *)
Proof.
  intros N d nu tau w x y p A1 A2 A3 A4 A5 norm_w z s L P G z_dot s_dot L_dot P_dot H z_dot' s_dot' L_dot' P_dot' H' B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption).
  pose (a := fun k => sum d (fun f => z k f * x k f) / norm_w k). pose (b := fun k => sum d (fun f => z k f * y k f) / norm_w k).
  pose (e := fun k j => sum d (fun f => z j f * z_dot k f)). pose (e' := fun k j => sum d (fun f => z j f * z_dot' k f)).
  pose (A := fun k j => G j k + G k j).
  assert (S1 : forall k j, s_dot k j = e j k + e k j) by (intros; unfold s_dot, e; rewrite <- sum_plus; apply sum_ext; intros; ring).
  assert (S2 : forall k j, s_dot' k j = e' j k + e' k j) by (intros; unfold s_dot', e'; rewrite <- sum_plus; apply sum_ext; intros; ring).
  assert (C : forall k j, sum d (fun f => z j f * z k f) = s k j) by (intros; apply sum_ext; intros; ring).
  assert (F : forall k, (k < N)%nat -> sum d (fun f => H k f * y k f) = sum N (fun j => e' k j * (P_dot j k + P_dot k j)
    + A k j * (sum d (fun f => z_dot j f * z_dot' k f) - s k j * sum d (fun f => z_dot k f * z_dot' k f) - b k * e k j - a k * e' k j)) / tau / INR nu).
  { intros k K. assert (W := B1 k K). assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
    assert (O : sum d (fun f => z_dot k f * z k f) = 0)
      by (rewrite <- (turn_across d (norm_w k) (z k) (x k) U); apply sum_ext; intros; unfold z_dot; ring).
    unfold H. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * x k g)) (s k) (fun j => P_dot j k + P_dot k j)
      (fun j => G j k + G k j) (s_dot k) (z k) (z_dot k) (y k) z z_dot) by assumption.
    do 2 f_equal. apply sum_ext. intros j J. rewrite S1.
    unfold e', z_dot'. rewrite !turn_with, C, O. unfold A, a, b. fold (e j k) (e k j).
    replace (sum d (fun f => z_dot j f * z k f)) with (e j k) by (apply sum_ext; intros; ring). field. exact W. }
  assert (F' : forall k, (k < N)%nat -> sum d (fun f => H' k f * x k f) = sum N (fun j => e k j * (P_dot' j k + P_dot' k j)
    + A k j * (sum d (fun f => z_dot' j f * z_dot k f) - s k j * sum d (fun f => z_dot' k f * z_dot k f) - a k * e' k j - b k * e k j)) / tau / INR nu).
  { intros k K. assert (W := B1 k K). assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
    assert (O : sum d (fun f => z_dot' k f * z k f) = 0)
      by (rewrite <- (turn_across d (norm_w k) (z k) (y k) U); apply sum_ext; intros; unfold z_dot'; ring).
    unfold H'. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * y k g)) (s k) (fun j => P_dot' j k + P_dot' k j)
      (fun j => G j k + G k j) (s_dot' k) (z k) (z_dot' k) (x k) z z_dot') by assumption.
    do 2 f_equal. apply sum_ext. intros j J. rewrite S2.
    unfold e, z_dot. rewrite !turn_with, C, O. unfold A, a, b. fold (e' j k) (e' k j).
    replace (sum d (fun f => z_dot' j f * z k f)) with (e' j k) by (apply sum_ext; intros; ring). field. exact W. }
  rewrite (sum_ext N _ _ F), (sum_ext N _ _ F'). unfold Rdiv. rewrite !sum_scale_r. do 2 f_equal.
  assert (M : forall (u : nat -> nat -> R) (Q : nat -> nat -> R), sum N (fun k => sum N (fun j => u k j * (Q j k + Q k j))) = sum N (fun k => sum N (fun j => Q k j * (u j k + u k j)))).
  { intros u Q. rewrite (sum_ext N _ (fun k => sum N (fun j => u k j * Q j k) + sum N (fun j => u k j * Q k j))) by (intros; rewrite <- sum_plus; apply sum_ext; intros; ring).
    rewrite sum_plus, sum_swap, <- sum_plus. apply sum_ext. intros. rewrite <- sum_plus. apply sum_ext. intros. ring. }
  assert (R1 := M e' P_dot). assert (R2 := M e P_dot').
  assert (R3 : sum N (fun k => sum N (fun j => P_dot k j * (e' j k + e' k j))) = sum N (fun k => sum N (fun j => P_dot' k j * (e j k + e k j)))).
  { transitivity (tau * sum N (fun k => sum N (fun j => P_dot k j * L_dot' k j))).
    - rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros j _. rewrite <- S2. unfold L_dot'. field. exact T.
    - unfold P_dot. rewrite (spreads N N P L_dot L_dot'). rewrite <- sum_scale. apply sum_ext. intros k _. rewrite <- sum_scale. apply sum_ext. intros j _.
      rewrite <- S1. unfold P_dot', L_dot. field. exact T. }
  rewrite (sum_ext N _ (fun k => sum N (fun j => e' k j * (P_dot j k + P_dot k j)) + (sum N (fun j => A k j * sum d (fun f => z_dot j f * z_dot' k f))
    + sum N (fun j => A k j * (- (s k j * sum d (fun f => z_dot k f * z_dot' k f)) - b k * e k j - a k * e' k j))))) by (intros; rewrite <- !sum_plus; apply sum_ext; intros; ring).
  rewrite (sum_ext N (fun k => sum N (fun j => e k j * _ + _)) (fun k => sum N (fun j => e k j * (P_dot' j k + P_dot' k j)) + (sum N (fun j => A j k * sum d (fun f => z_dot k f * z_dot' j f))
    + sum N (fun j => A k j * (- (s k j * sum d (fun f => z_dot k f * z_dot' k f)) - b k * e k j - a k * e' k j))))).
  - rewrite !sum_plus, R1, R2, R3. do 2 f_equal. apply sum_swap.
  - intros k _. rewrite <- !sum_plus. apply sum_ext. intros j _.
    rewrite (sum_ext d (fun f => z_dot' j f * z_dot k f) (fun f => z_dot k f * z_dot' j f)), (sum_ext d (fun f => z_dot' k f * z_dot k f) (fun f => z_dot k f * z_dot' k f)) by (intros; ring).
    unfold A. ring.
Qed.

(*! M28: outward *)
Theorem M28_outward :
  forall (N d nu : nat) (tau : R) (c : nat -> R) (w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  let w_dot (i f : nat) : R := c i * w i f in
  let z_dot (i f : nat) : R := (w_dot i f - z i f * sum d (fun g : nat => z i g * w_dot i g)) / norm_w i in
  let s_dot (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i f) in
  let L_dot (i j : nat) : R := s_dot i j / tau in
  let P_dot (i j : nat) : R := (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) * P i j in
  let H (k f : nat) : R := sum N (fun j : nat => (z j f - s k j * z k f) * (P_dot j k + P_dot k j) + (G j k +
    G k j) * (z_dot j f - s k j * z_dot k f - z k f * s_dot k j)) / tau / INR nu / norm_w k - sum N (fun j :
    nat => (z j f - s k j * z k f) * (G j k + G k j)) * sum d (fun g : nat => z k g * w_dot k g) / tau / INR
    nu / norm_w k ^ 2 in
  (forall k : nat, (k < N)%nat -> norm_w k <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  H k f = - (c k * sum N (fun j : nat => (z j f - s k j * z k f) * (G j k + G k j)) / tau / INR nu / norm_w k).
(*! *)
Proof.
  intros N d nu tau c w p f k A1 A2 A3 A4 A5 A6 norm_w z s L P G w_dot z_dot s_dot L_dot P_dot H B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption). assert (W := B1 k A5).
  assert (X : forall i, (i < N)%nat -> sum d (fun g => z i g * w_dot i g) = c i * norm_w i).
  { intros i I_. assert (U : sum d (fun f => z i f ^ 2) = 1) by (apply unit_rows, (B2 i I_)).
    rewrite (sum_ext d _ (fun g => c i * norm_w i * z i g ^ 2)) by (intros; unfold w_dot, z; field; apply (B2 i I_)). rewrite sum_scale, U. ring. }
  assert (Z : forall i g, (i < N)%nat -> z_dot i g = 0).
  { intros i g I_. unfold z_dot. rewrite X by exact I_. unfold w_dot, z. field. apply (B2 i I_). }
  assert (S : forall i j, (i < N)%nat -> (j < N)%nat -> s_dot i j = 0).
  { intros i j I_ J. unfold s_dot. apply sum_zero. intros g _. rewrite !Z by assumption. ring. }
  assert (Q : forall i j, (i < N)%nat -> (j < N)%nat -> P_dot i j = 0).
  { intros i j I_ J. unfold P_dot, L_dot. rewrite S by assumption. rewrite sum_zero by (intros m M; rewrite S by assumption; unfold Rdiv; ring). unfold Rdiv. ring. }
  unfold H. rewrite X by exact A5. rewrite sum_zero.
  - field. auto.
  - intros j J. rewrite !Q, !Z, S by assumption. ring.
Qed.

(*! M28: radial *)
Theorem M28_radial :
  forall (N d nu : nat) (tau : R) (w w_dot : nat -> nat -> R) (p : nat -> nat) (k : nat),
  (0 < d)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  let z_dot (i f : nat) : R := (w_dot i f - z i f * sum d (fun g : nat => z i g * w_dot i g)) / norm_w i in
  let s_dot (i j : nat) : R := sum d (fun f : nat => z i f * z_dot j f + z j f * z_dot i f) in
  let L_dot (i j : nat) : R := s_dot i j / tau in
  let P_dot (i j : nat) : R := (L_dot i j - sum N (fun m : nat => L_dot i m * P i m)) * P i j in
  let H (k f : nat) : R := sum N (fun j : nat => (z j f - s k j * z k f) * (P_dot j k + P_dot k j) + (G j k +
    G k j) * (z_dot j f - s k j * z_dot k f - z k f * s_dot k j)) / tau / INR nu / norm_w k - sum N (fun j :
    nat => (z j f - s k j * z k f) * (G j k + G k j)) * sum d (fun g : nat => z k g * w_dot k g) / tau / INR
    nu / norm_w k ^ 2 in
  (forall k : nat, (k < N)%nat -> norm_w k <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  sum d (fun f : nat => H k f * w k f) = - (sum d (fun f : nat => w_dot k f * sum N (fun j : nat => (z j f - s
    k j * z k f) * (G j k + G k j)) / tau / INR nu / norm_w k)).
(*! *)
Proof.
  intros N d nu tau w x p k A1 A2 A3 A4 A5 A6 norm_w z s L P G z_dot s_dot L_dot P_dot H B1 B2 B3.
  assert (T : tau <> 0) by lra. assert (V : INR nu <> 0) by (apply not_zero, INR_pos; assumption). assert (W := B1 k A5).
  assert (U : sum d (fun f => z k f ^ 2) = 1) by (apply unit_rows; exact W).
  assert (X : forall f, w k f = norm_w k * z k f) by (intros; unfold z; field; exact W).
  assert (O : sum d (fun f => z k f * z_dot k f) = 0) by (apply turn_across; exact U).
  unfold H. rewrite (row_times N d tau (INR nu) (norm_w k) (sum d (fun g => z k g * x k g)) (s k) (fun j => P_dot j k + P_dot k j)
    (fun j => G j k + G k j) (s_dot k) (z k) (z_dot k) (w k) z z_dot) by assumption.
  assert (E : forall u : nat -> R, sum d (fun f => u f * w k f) = norm_w k * sum d (fun f => u f * z k f)).
  { intros u. rewrite <- sum_scale. apply sum_ext. intros f _. rewrite X. ring. }
  assert (E1 : sum d (fun f => z k f * z k f) = 1) by (rewrite <- U; apply sum_ext; intros; ring).
  assert (E2 : sum d (fun f => z_dot k f * z k f) = 0) by (rewrite <- O; apply sum_ext; intros; ring).
  rewrite (sum_ext d (fun f => x k f * _ / tau / INR nu / norm_w k) (fun f => sum N (fun j => (z j f * x k f - s k j * (z k f * x k f)) * ((G j k + G k j) / norm_w k)) * (/ tau * / INR nu))).
  - rewrite sum_scale_r, sum_swap. unfold Rdiv at 1 2. rewrite Rmult_assoc, Ropp_mult_distr_l, <- sum_opp. f_equal. apply sum_ext. intros j J.
    rewrite !E, E1, E2, sum_scale_r, sum_minus, sum_scale.
    replace (sum d (fun f => z j f * z k f)) with (s k j) by (apply sum_ext; intros; ring).
    assert (Q := turn_with d (norm_w k) (z k) (x k) (z j)). change (fun f => z j f * ((x k f - z k f * sum d (fun g => z k g * x k g)) / norm_w k)) with (fun f => z j f * z_dot k f) in Q.
    replace (s_dot k j) with (sum d (fun f => z_dot j f * z k f) + sum d (fun f => z j f * z_dot k f)) by (unfold s_dot; rewrite <- sum_plus; apply sum_ext; intros; ring).
    rewrite Q. replace (sum d (fun f => z j f * z k f)) with (s k j) by (apply sum_ext; intros; ring). field. exact W.
  - intros f _. rewrite (sum_ext N (fun j => (z j f * x k f - _) * _) (fun j => (z j f - s k j * z k f) * (G j k + G k j) * (x k f / norm_w k))) by (intros; field; exact W).
    rewrite sum_scale_r. field. auto.
Qed.

(* The same for images, texts and the temperature. *)
Lemma between_all : forall B d (tau nu theta theta' : R) (G Q L I T x y x' y' : nat -> nat -> R), tau <> 0 -> nu <> 0 ->
  (theta * sum B (fun i => sum B (fun j => G i j * L i j)) / 2 / tau ^ 2 / nu
      - sum B (fun i => sum B (fun j => G i j * ((sum d (fun f => I i f * y j f + T j f * x i f) - theta * L i j) / tau) + L i j * Q i j)) / 2 / tau / nu) * theta'
    + sum B (fun k => sum d (fun f => (sum B (fun j => G k j * y j f + T j f * Q k j) / 2 / tau / nu
      - theta * sum B (fun j => G k j * T j f) / 2 / tau ^ 2 / nu) * x' k f))
    + sum B (fun k => sum d (fun f => (sum B (fun i => G i k * x i f + I i f * Q i k) / 2 / tau / nu
      - theta * sum B (fun i => G i k * I i f) / 2 / tau ^ 2 / nu) * y' k f))
  = (sum B (fun i => sum B (fun j => G i j * sum d (fun f => y j f * x' i f + x i f * y' j f)))
      + tau * sum B (fun i => sum B (fun j => Q i j * ((sum d (fun f => I i f * y' j f + T j f * x' i f) - theta' * L i j) / tau)))
      + sum B (fun i => sum B (fun j => G i j * (2 * theta * theta' * L i j - theta * sum d (fun f => I i f * y' j f + T j f * x' i f)
          - theta' * sum d (fun f => I i f * y j f + T j f * x i f)))) / tau) / 2 / tau / nu.
Proof. by_sums. Qed.

Lemma both_spreads : forall n (P C u v : nat -> nat -> R),
  sum n (fun i => sum n (fun j => ((u i j - sum n (fun m => u i m * P i m)) * P i j + (u i j - sum n (fun m => u m j * C m j)) * C i j) * v i j))
    = sum n (fun i => sum n (fun j => ((v i j - sum n (fun m => v i m * P i m)) * P i j + (v i j - sum n (fun m => v m j * C m j)) * C i j) * u i j)).
Proof. by_sums. Qed.

(*! M29: errors *)
Theorem M29_errors :
  forall (B d : nat) (tau tau_dot : R) (I T I_dot T_dot : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  (j < B)%nat ->
  let L (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := sum d (fun g : nat => I i g *
    T j g) / tau in
  let P (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau i k)) in
  let P_c (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau k j)) in
  let G (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := P I T tau i j + P_c I T tau i
    j - 2 * delta i j in
  let L_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (sum d (fun f : nat => I
    i f * T_dot j f + T j f * I_dot i f) - tau_dot * L I T tau i j) / tau in
  let G_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (L_dot I T tau i j - sum
    B (fun m : nat => L_dot I T tau i m * P I T tau i m)) * P I T tau i j + (L_dot I T tau i j - sum B (fun m
    : nat => L_dot I T tau m j * P_c I T tau m j)) * P_c I T tau i j in
  (ex_derive (fun x : R => G I T x i j) tau) /\ (forall h : nat, (h < d)%nat -> forall l : nat, (l < B)%nat ->
    ex_derive (fun x : R => G (set2 I l h x) T tau i j) (I l h)) /\ (forall h : nat, (h < d)%nat -> forall l :
    nat, (l < B)%nat -> ex_derive (fun x : R => G I (set2 T l h x) tau i j) (T l h)) /\ tau_dot * Derive (fun
    x : R => G I T x i j) tau + sum B (fun l : nat => sum d (fun h : nat => I_dot l h * Derive (fun x : R => G
    (set2 I l h x) T tau i j) (I l h))) + sum B (fun l : nat => sum d (fun h : nat => T_dot l h * Derive (fun
    x : R => G I (set2 T l h x) tau i j) (T l h))) = G_dot I T tau i j.
(*! *)
Proof. by_sums. Qed.

(*! M29: by temperature *)
Theorem M29_by_temperature :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R),
  (0 < tau) ->
  (0 < B)%nat ->
  (0 < d)%nat ->
  let L (tau : R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (tau : R) (i j : nat) : R := exp (L tau i j) / sum B (fun k : nat => exp (L tau i k)) in
  let P_c (tau : R) (i j : nat) : R := exp (L tau i j) / sum B (fun k : nat => exp (L tau k j)) in
  let ell (tau : R) (i : nat) : R := - (ln (P tau i i) / 2) - ln (P_c tau i i) / 2 in
  let loss (tau : R) : R := sum B (fun i : nat => ell tau i) / INR B in
  let G (tau : R) (i j : nat) : R := P tau i j + P_c tau i j - 2 * delta i j in
  (forall i : nat, (i < B)%nat -> 0 < P tau i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c tau i i) ->
  is_derive (fun x : R => loss x) tau (- (sum B (fun i : nat => sum B (fun j : nat => G tau i j * L tau i j))
    / 2 / tau / INR B)).
(*! *)
Proof. by_sums. Qed.

(*! M29: image *)
Theorem M29_image :
  forall (B d : nat) (tau tau_dot : R) (I T I_dot T_dot : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (k < B)%nat ->
  (f < d)%nat ->
  let L (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := sum d (fun g : nat => I i g *
    T j g) / tau in
  let P (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau i k)) in
  let P_c (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau k j)) in
  let G (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := P I T tau i j + P_c I T tau i
    j - 2 * delta i j in
  let L_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (sum d (fun f : nat => I
    i f * T_dot j f + T j f * I_dot i f) - tau_dot * L I T tau i j) / tau in
  let G_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (L_dot I T tau i j - sum
    B (fun m : nat => L_dot I T tau i m * P I T tau i m)) * P I T tau i j + (L_dot I T tau i j - sum B (fun m
    : nat => L_dot I T tau m j * P_c I T tau m j)) * P_c I T tau i j in
  let H_1 (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (k f : nat) : R := sum B (fun j : nat => G I T
    tau k j * T_dot j f + T j f * G_dot I T tau k j) / 2 / tau / INR B - tau_dot * sum B (fun j : nat => G I T
    tau k j * T j f) / 2 / tau ^ 2 / INR B in
  (ex_derive (fun x : R => sum B (fun j : nat => G I T x k j * T j f) / 2 / x / INR B) tau) /\ (forall h :
    nat, (h < d)%nat -> forall l : nat, (l < B)%nat -> ex_derive (fun x : R => sum B (fun j : nat => G (set2 I
    l h x) T tau k j * T j f) / 2 / tau / INR B) (I l h)) /\ (forall h : nat, (h < d)%nat -> forall l : nat,
    (l < B)%nat -> ex_derive (fun x : R => sum B (fun j : nat => G I (set2 T l h x) tau k j * (set2 T l h x) j
    f) / 2 / tau / INR B) (T l h)) /\ tau_dot * Derive (fun x : R => sum B (fun j : nat => G I T x k j * T j
    f) / 2 / x / INR B) tau + sum B (fun l : nat => sum d (fun h : nat => I_dot l h * Derive (fun x : R => sum
    B (fun j : nat => G (set2 I l h x) T tau k j * T j f) / 2 / tau / INR B) (I l h))) + sum B (fun l : nat =>
    sum d (fun h : nat => T_dot l h * Derive (fun x : R => sum B (fun j : nat => G I (set2 T l h x) tau k j *
    (set2 T l h x) j f) / 2 / tau / INR B) (T l h))) = H_1 I T tau k f.
(*! *)
Proof. by_sums. Qed.

(*! M29: text *)
Theorem M29_text :
  forall (B d : nat) (tau tau_dot : R) (I T I_dot T_dot : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (k < B)%nat ->
  (f < d)%nat ->
  let L (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := sum d (fun g : nat => I i g *
    T j g) / tau in
  let P (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau i k)) in
  let P_c (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := exp (L I T tau i j) / sum B
    (fun k : nat => exp (L I T tau k j)) in
  let G (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := P I T tau i j + P_c I T tau i
    j - 2 * delta i j in
  let L_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (sum d (fun f : nat => I
    i f * T_dot j f + T j f * I_dot i f) - tau_dot * L I T tau i j) / tau in
  let G_dot (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (i j : nat) : R := (L_dot I T tau i j - sum
    B (fun m : nat => L_dot I T tau i m * P I T tau i m)) * P I T tau i j + (L_dot I T tau i j - sum B (fun m
    : nat => L_dot I T tau m j * P_c I T tau m j)) * P_c I T tau i j in
  let H_2 (I : nat -> nat -> R) (T : nat -> nat -> R) (tau : R) (k f : nat) : R := sum B (fun i : nat => G I T
    tau i k * I_dot i f + I i f * G_dot I T tau i k) / 2 / tau / INR B - tau_dot * sum B (fun i : nat => G I T
    tau i k * I i f) / 2 / tau ^ 2 / INR B in
  (ex_derive (fun x : R => sum B (fun i : nat => G I T x i k * I i f) / 2 / x / INR B) tau) /\ (forall h :
    nat, (h < d)%nat -> forall l : nat, (l < B)%nat -> ex_derive (fun x : R => sum B (fun i : nat => G (set2 I
    l h x) T tau i k * (set2 I l h x) i f) / 2 / tau / INR B) (I l h)) /\ (forall h : nat, (h < d)%nat ->
    forall l : nat, (l < B)%nat -> ex_derive (fun x : R => sum B (fun i : nat => G I (set2 T l h x) tau i k *
    I i f) / 2 / tau / INR B) (T l h)) /\ tau_dot * Derive (fun x : R => sum B (fun i : nat => G I T x i k * I
    i f) / 2 / x / INR B) tau + sum B (fun l : nat => sum d (fun h : nat => I_dot l h * Derive (fun x : R =>
    sum B (fun i : nat => G (set2 I l h x) T tau i k * (set2 I l h x) i f) / 2 / tau / INR B) (I l h))) + sum
    B (fun l : nat => sum d (fun h : nat => T_dot l h * Derive (fun x : R => sum B (fun i : nat => G I (set2 T
    l h x) tau i k * I i f) / 2 / tau / INR B) (T l h))) = H_2 I T tau k f.
(*! *)
Proof. by_sums. Qed.

(*! M29: symmetric *)
Theorem M29_symmetric :
  forall (B d : nat) (tau tau_dot tau_dot' : R) (I T I_dot I_dot' T_dot T_dot' : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L i k)) in
  let P_c (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L k j)) in
  let G (i j : nat) : R := P i j + P_c i j - 2 * delta i j in
  let L_dot (i j : nat) : R := (sum d (fun f : nat => I i f * T_dot j f + T j f * I_dot i f) - tau_dot * L i
    j) / tau in
  let G_dot (i j : nat) : R := (L_dot i j - sum B (fun m : nat => L_dot i m * P i m)) * P i j + (L_dot i j -
    sum B (fun m : nat => L_dot m j * P_c m j)) * P_c i j in
  let H_1 (k f : nat) : R := sum B (fun j : nat => G k j * T_dot j f + T j f * G_dot k j) / 2 / tau / INR B -
    tau_dot * sum B (fun j : nat => G k j * T j f) / 2 / tau ^ 2 / INR B in
  let H_2 (k f : nat) : R := sum B (fun i : nat => G i k * I_dot i f + I i f * G_dot i k) / 2 / tau / INR B -
    tau_dot * sum B (fun i : nat => G i k * I i f) / 2 / tau ^ 2 / INR B in
  let H_3 : R := tau_dot * sum B (fun i : nat => sum B (fun j : nat => G i j * L i j)) / 2 / tau ^ 2 / INR B -
    sum B (fun i : nat => sum B (fun j : nat => G i j * L_dot i j + L i j * G_dot i j)) / 2 / tau / INR B in
  let L_dot' (i j : nat) : R := (sum d (fun f : nat => I i f * T_dot' j f + T j f * I_dot' i f) - tau_dot' * L
    i j) / tau in
  let G_dot' (i j : nat) : R := (L_dot' i j - sum B (fun m : nat => L_dot' i m * P i m)) * P i j + (L_dot' i j
    - sum B (fun m : nat => L_dot' m j * P_c m j)) * P_c i j in
  let H_1' (k f : nat) : R := sum B (fun j : nat => G k j * T_dot' j f + T j f * G_dot' k j) / 2 / tau / INR B
    - tau_dot' * sum B (fun j : nat => G k j * T j f) / 2 / tau ^ 2 / INR B in
  let H_2' (k f : nat) : R := sum B (fun i : nat => G i k * I_dot' i f + I i f * G_dot' i k) / 2 / tau / INR B
    - tau_dot' * sum B (fun i : nat => G i k * I i f) / 2 / tau ^ 2 / INR B in
  let H_3' : R := tau_dot' * sum B (fun i : nat => sum B (fun j : nat => G i j * L i j)) / 2 / tau ^ 2 / INR B
    - sum B (fun i : nat => sum B (fun j : nat => G i j * L_dot' i j + L i j * G_dot' i j)) / 2 / tau / INR B
    in
  H_3 * tau_dot' + sum B (fun k : nat => sum d (fun f : nat => H_1 k f * I_dot' k f)) + sum B (fun k : nat =>
    sum d (fun f : nat => H_2 k f * T_dot' k f)) = H_3' * tau_dot + sum B (fun k : nat => sum d (fun f : nat
    => H_1' k f * I_dot k f)) + sum B (fun k : nat => sum d (fun f : nat => H_2' k f * T_dot k f)).
(*! *)
Proof.
  intros B d tau theta theta' I T x x' y y' A1 A2 A3 L P P_c G L_dot G_dot H_1 H_2 H_3 L_dot' G_dot' H_1' H_2' H_3'.
  assert (W : tau <> 0) by lra. assert (V : INR B <> 0) by (apply not_zero, INR_pos; assumption).
  unfold H_1, H_2, H_3, H_1', H_2', H_3', L_dot, L_dot'.
  rewrite (between_all B d tau (INR B) theta theta' G G_dot L I T x y x' y'), (between_all B d tau (INR B) theta' theta G G_dot' L I T x' y' x y) by assumption.
  fold L_dot L_dot'. do 3 f_equal. f_equal; [f_equal|].
  - apply sum_ext. intros i _. apply sum_ext. intros j _. f_equal. apply sum_ext. intros. ring.
  - f_equal. exact (both_spreads B P P_c L_dot L_dot').
  - f_equal. apply sum_ext. intros i _. apply sum_ext. intros j _. f_equal. ring.
Qed.
