(* Normalisation z = w/‖w‖: its Jacobian, and its effect on a gradient (document D2). *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! D2.11: jacobian *)
Theorem D2_11_jacobian :
  forall (d : nat) (w : nat -> nat -> R) (f g i k : nat),
  (0 < d)%nat ->
  (g < d)%nat ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  (forall i : nat, norm_w w i <> 0) ->
  (forall i : nat, 0 < sum d (fun f : nat => w i f ^ 2)) ->
  is_derive (fun x : R => z (set2 w k g x) i f) (w k g) ((delta f g - z w i f * z w i g) * delta i k / norm_w
    w i).
(*! *)
Proof. by_sums. Qed.

(*! D2.11: radial *)
Theorem D2_11_radial :
  forall (d : nat) (w : nat -> nat -> R) (f i : nat),
  (0 < d)%nat ->
  (f < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun g : nat => (delta f g - z i f * z i g) * w i g) = 0.
(*! *)
Proof. by_sums. Qed.

(*! D2.11: idempotent *)
Theorem D2_11_idempotent :
  forall (d : nat) (w : nat -> nat -> R) (f g i : nat),
  (0 < d)%nat ->
  (g < d)%nat ->
  (f < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun h : nat => (delta f h - z i f * z i h) * (delta g h - z i g * z i h)) = delta f g - z i f * z i g.
(*! *)
Proof. by_sums. Qed.

(*! D2.12: tangent *)
Theorem D2_12_tangent :
  forall (A N d : nat) (tau : R) (w y : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  sum d (fun f : nat => w i f * sum d (fun g : nat => ((P i (p i) - 1) * y (p i) g + sum A (fun a : nat =>
    differ a (p i) * P i a * y a g)) * (delta f g - z i f * z i g)) / tau / norm_w i) = 0.
(*! *)
Proof. intros; unfold_names. normalise. finish. Qed.

(*! D2.12: gradient *)
Theorem D2_12_gradient :
  forall (A N d : nat) (tau : R) (w y : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < d)%nat ->
  (0 < A)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let L (w : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z w i f) / tau in
  let P (w : nat -> nat -> R) (i a : nat) : R := exp (L w i a) / sum A (fun m : nat => exp (L w i m)) in
  let ell (w : nat -> nat -> R) (i : nat) : R := - (ln (P w i (p i))) in
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < P w i (p i)) ->
  is_derive (fun x : R => ell (set2 w i f x) i) (w i f) (sum d (fun g : nat => ((P w i (p i) - 1) * y (p i) g
    + sum A (fun a : nat => differ a (p i) * P w i a * y a g)) * (delta f g - z w i f * z w i g)) / tau /
    norm_w w i).
(*! *)
Proof. by_sums. Qed.

(*! D2.13: gradient *)
Theorem D2_13_gradient :
  forall (A N d : nat) (tau : R) (w y : nat -> nat -> R) (p : nat -> nat) (f i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let L (w : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z w i f) / tau in
  let P (w : nat -> nat -> R) (i a : nat) : R := exp (L w i a) / sum A (fun m : nat => exp (L w i m)) in
  let ell (w : nat -> nat -> R) (i : nat) : R := - (ln (P w i (p i))) in
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < P w i (p i)) ->
  is_derive (fun x : R => ell (set2 w i f x) i) (w i f) ((P w i (p i) - 1) * sum d (fun g : nat => (delta f g
    - z w i f * z w i g) * y (p i) g) / tau / norm_w w i + sum A (fun a : nat => differ a (p i) * P w i a *
    sum d (fun g : nat => (delta f g - z w i f * z w i g) * y a g) / tau / norm_w w i)).
(*! *)
Proof. by_sums. Qed.

(*! D2.14: length *)
Theorem D2_14_length :
  forall (d : nat) (w : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun f : nat => (sum d (fun g : nat => (delta f g - z i f * z i g) * z j g)) ^ 2) = 1 - s i j ^ 2.
(*! *)
Proof. by_sums. Qed.

(*! D2.13: printed *)
Theorem D2_13_printed :
  let A : nat := (2)%nat in
  let d : nat := (2)%nat in
  let tau : R := 1 in
  let w : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: nil)%list in
  let y : nat -> nat -> R := list2 ((0 :: 1 :: nil) :: (1 :: 0 :: nil) :: nil)%list in
  let p : nat -> nat := (places (0 :: nil))%nat in
  let f : nat := (1)%nat in
  let i : nat := (0)%nat in
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (P i (p i) - 1) * sum d (fun g : nat => (delta f g - z i f * z i g) * y (p i) g) / tau / norm_w i <> P i (p
    i) * sum d (fun g : nat => (delta f g - z i f * z i g) * y (p i) g).
(*! *)
Proof. at_point. Qed.

(*! D2.14: matrix *)
Theorem D2_14_matrix :
  let d : nat := (2)%nat in
  let w : nat -> nat -> R := list2 ((5 :: 0 :: nil) :: (3 :: 4 :: nil) :: nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  let m : nat := (0)%nat in
  let n : nat := (1)%nat in
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  sum d (fun f : nat => (sum d (fun g : nat => (delta f g - z i f * z i g) * z j g)) ^ 2) <> delta m n - s i j
    ^ 2.
(*! *)
Proof. at_point. Qed.
