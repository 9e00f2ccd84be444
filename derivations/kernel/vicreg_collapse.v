(* VICReg at collapse: if all rows are equal, so are their gradients, and they stay equal. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

Lemma collapsed : forall B (c : R), (0 < B)%nat -> c - sum B (fun _ => c) / INR B = 0.
Proof.
  intros B c P. assert (X := INR_pos B P). rewrite (sum_ext B _ (fun _ => c * 1)), sum_scale, sum_one by (intros; ring). field. lra.
Qed.

(*! R15: collapsed *)
Theorem R15_collapsed :
  forall (B d : nat) (c_1 c_2 c_3 epsilon : R) (alpha chi chi' : nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon) ->
  let z_1 (i f : nat) : R := chi f in
  let y (i f : nat) : R := z_1 i f - sum B (fun j : nat => z_1 j f) / INR B in
  let C (f g : nat) : R := sum B (fun i : nat => y i f * y i g) / (INR B - 1) in
  let D (f : nat) : R := sqrt (epsilon + C f f) in
  let z_2 (i f : nat) : R := chi' f in
  (INR B - 1 <> 0) ->
  (forall f : nat, D f <> 0) ->
  (forall f : nat, 0 <= epsilon + C f f) ->
  (4 * c_3 * sum d (fun g : nat => differ f g * C f g * y k g) - c_2 * alpha f * y k f / D f) / (INR B - 1) +
    2 * c_1 * (z_1 k f - z_2 k f) = 2 * c_1 * (chi f - chi' f).
(*! *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.

(*! R15: stuck *)
Theorem R15_stuck :
  forall (B d : nat) (c_1 c_2 c_3 epsilon : R) (alpha chi : nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon) ->
  let z_1 (i f : nat) : R := chi f in
  let y (i f : nat) : R := z_1 i f - sum B (fun j : nat => z_1 j f) / INR B in
  let C (f g : nat) : R := sum B (fun i : nat => y i f * y i g) / (INR B - 1) in
  let D (f : nat) : R := sqrt (epsilon + C f f) in
  let z_2 (i f : nat) : R := chi f in
  (INR B - 1 <> 0) ->
  (forall f : nat, D f <> 0) ->
  (forall f : nat, 0 <= epsilon + C f f) ->
  (4 * c_3 * sum d (fun g : nat => differ f g * C f g * y k g) - c_2 * alpha f * y k f / D f) / (INR B - 1) +
    2 * c_1 * (z_1 k f - z_2 k f) = 0.
(*! *)
Proof.
  intros. assert (Y : forall i f, y i f = 0) by (intros i g; apply (collapsed B (chi g)); assumption).
  rewrite (sum_zero d) by (intros; rewrite Y; ring). rewrite Y. unfold z_1, z_2, Rdiv. ring.
Qed.

(*! R15: gradient *)
Theorem R15_gradient :
  forall (B d : nat) (c_1 c_2 c_3 epsilon mu : R) (z_1 z_2 : nat -> nat -> R) (alpha alpha' : nat -> R) (f k :
    nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < epsilon) ->
  (f < d)%nat ->
  (k < B)%nat ->
  let y (z_1 : nat -> nat -> R) (i f : nat) : R := z_1 i f - sum B (fun j : nat => z_1 j f) / INR B in
  let C (z_1 : nat -> nat -> R) (f g : nat) : R := sum B (fun i : nat => y z_1 i f * y z_1 i g) / (INR B - 1)
    in
  let y' (i f : nat) : R := z_2 i f - sum B (fun j : nat => z_2 j f) / INR B in
  let C' (f g : nat) : R := sum B (fun i : nat => y' i f * y' i g) / (INR B - 1) in
  let D (z_1 : nat -> nat -> R) (f : nat) : R := sqrt (epsilon + C z_1 f f) in
  let D' (f : nat) : R := sqrt (epsilon + C' f f) in
  let loss (z_1 : nat -> nat -> R) : R := c_1 * sum B (fun i : nat => sum d (fun f : nat => (z_1 i f - z_2 i
    f) ^ 2)) + c_2 * sum d (fun f : nat => (mu - D z_1 f) * alpha f) + c_2 * sum d (fun f : nat => (mu - D' f)
    * alpha' f) + c_3 * sum d (fun f : nat => sum d (fun g : nat => C z_1 f g ^ 2 * differ f g)) + c_3 * sum d
    (fun f : nat => sum d (fun g : nat => C' f g ^ 2 * differ f g)) in
  (INR B - 1 <> 0) ->
  (forall f : nat, (f < d)%nat -> D z_1 f <> 0) ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon + C z_1 f f) ->
  (forall f : nat, (f < d)%nat -> 0 < epsilon + C' f f) ->
  is_derive (fun x : R => loss (set2 z_1 k f x)) (z_1 k f) ((4 * c_3 * sum d (fun g : nat => differ f g * C
    z_1 f g * y z_1 k g) - c_2 * alpha f * y z_1 k f / D z_1 f) / (INR B - 1) + 2 * c_1 * (z_1 k f - z_2 k f)).
(*! *)
Proof.
  intros. assert (V : is_derive (fun x => sum d (fun g => (mu - D (set2 z_1 k f x) g) * alpha g)) (z_1 k f) (- (y z_1 k f * alpha f / (INR B - 1) / D z_1 f)))
    by (apply (d_hinges B d z_1 k f mu epsilon alpha H3 H2); exact H6).
  assert (W : is_derive (fun x => sum d (fun g => sum d (fun h => C (set2 z_1 k f x) g h ^ 2 * differ g h))) (z_1 k f)
    (4 * sum d (fun h => differ f h * y z_1 k h * C z_1 f h) / (INR B - 1))) by apply (d_covariances B d z_1 k f H3 H2).
  unfold loss. eapply d_eq.
  - apply d_plus; [apply d_plus; [apply d_plus; [apply d_plus|]|]|].
    + apply d_scale, (d_apart B d z_1 z_2 k f H3 H2).
    + apply d_scale, V.
    + apply d_const.
    + apply d_scale, W.
    + apply d_const.
  - rewrite (sum_ext d (fun g => differ f g * C z_1 f g * y z_1 k g) (fun h => differ f h * y z_1 k h * C z_1 f h)) by (intros; ring).
    field. split; [apply H5, H2|assumption].
Qed.
