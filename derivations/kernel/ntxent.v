(* NT-Xent, the loss of SimCLR: cosine similarities, without the anchor in its own denominator (document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.2: negatives *)
Theorem D3_2_negatives :
  forall (N : nat) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  sum N (fun j : nat => differ j i * differ j (p i)) = INR N - 2.
(*! *)
Proof. by_sums. Qed.

(*! D3.2: positive *)
Theorem D3_2_positive :
  forall (tau : R) (s : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < tau) ->
  0 < exp ((s i j - s i (p i)) / tau).
(*! *)
Proof. by_signs. Qed.

(*! D3.2: odds *)
Theorem D3_2_odds :
  forall (N : nat) (tau : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := s i j / tau in
  let ell (i : nat) : R := - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  exp (ell i) = 1 + sum N (fun j : nat => differ j i * differ j (p i) * exp ((s i j - s i (p i)) / tau)).
(*! *)
Proof. by_sums. Qed.


(*! D3.3: square *)
Theorem D3_3_square :
  forall (d : nat) (s z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (z j f - s i j * z i f) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D3.3: bounded *)
Theorem D3_3_bounded :
  forall (d : nat) (w : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  1 - s i j ^ 2 = sum d (fun f : nat => (z j f - s i j * z i f) ^ 2).
(*! *)
Proof. by_sums. Qed.


(*! D3.4: exchange *)
Theorem D3_4_exchange :
  forall (N nu : nat) (ell : nat -> R) (k l : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (k < N)%nat ->
  (l < N)%nat ->
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  loss = sum N (fun i : nat => (ell l - ell k) * delta i k + (ell k - ell l) * delta i l + ell i) / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! M5: gradient *)
Theorem M5_gradient :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < d)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, p i <> i) ->
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
  let G (w : nat -> nat -> R) (i j : nat) : R := differ j (p i) * P w i j - delta j (p i) * sum N (fun m : nat
    => differ m (p i) * P w i m) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L w i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L w i (p i)) / sum N (fun k : nat => differ k i * exp (L w i k)))
    ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
  intros. assert (E : forall i j, (i < N)%nat -> G w i j = P w i j - delta j (p i)) by
    (intros; apply (error N (P w i)); [auto|apply shares; auto]).
  apply d_eq with (sum N (fun j => (P w k j - delta j (p k) + (P w j k - delta k (p j)))
    * (z w j f - s w k j * z w k f)) / tau / INR nu / norm_w w k).
  - clear E. by_sums.
  - unfold Rdiv. do 3 f_equal. apply sum_ext. intros j J. rewrite !E by assumption. ring.
Qed.

(*! M5: tangent *)
Theorem M5_tangent :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (p : nat -> nat) (k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (k < N)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let G (i j : nat) : R := differ j (p i) * P i j - delta j (p i) * sum N (fun m : nat => differ m (p i) * P i
    m) in
  (forall k : nat, (k < N)%nat -> norm_w k <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  sum d (fun f : nat => w k f * sum N (fun j : nat => (z j f - s k j * z k f) * (G j k + G k j)) / tau / INR
    nu / norm_w k) = 0.
(*! *)
Proof. by_sums. Qed.

(*! S4: projection *)
Theorem S4_projection :
  forall (N d nu : nat) (tau : R) (w : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (k < N)%nat ->
  (f < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  (forall k : nat, (k < N)%nat -> sum N (fun l : nat => differ l k * exp (L k l)) <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  sum d (fun g : nat => 2 * (delta f g - z k f * z k g) * z k g * exp (1 / tau) / tau / INR nu / sum N (fun l
    : nat => differ l k * exp (L k l))) = 0.
(*! *)
Proof. by_sums. Qed.

(*! D3.3: scale *)
Theorem D3_3_scale :
  forall (d : nat) (c : R) (w : nat -> nat -> R) (f i : nat),
  (0 < c) ->
  (0 < d)%nat ->
  (forall i : nat, 0 < sum d (fun f : nat => c ^ 2 * w i f ^ 2)) ->
  (forall i : nat, 0 < sum d (fun f : nat => w i f ^ 2)) ->
  c * w i f / sqrt (sum d (fun f : nat => c ^ 2 * w i f ^ 2)) = w i f / sqrt (sum d (fun f : nat => w i f ^
    2)).
(*! *)
Proof.
  intros. rewrite sum_scale, sqrt_mult, sqrt_pow2 by (try apply pow2_ge_0; try apply Rlt_le; auto).
  field. split; [apply not_zero, sqrt_lt_R0; auto|lra].
Qed.

(* A row before candidates that a mask keeps, in the safe form. *)
Lemma d_kept_row : forall n (c : nat -> R) (L : R -> nat -> R) (l : nat -> R) q x, (q < n)%nat -> (forall m, 0 <= c m) ->
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) ->
  let P j := (c j + delta j q) * exp (L x j) / (sum n (fun m => c m * exp (L x m)) + exp (L x q)) in
  is_derive (fun y => - ln (exp (L y q) / (sum n (fun m => c m * exp (L y m)) + exp (L y q)))) x
    (sum n (fun j => (differ j q * P j - delta j q * sum n (fun m => differ m q * P m)) * l j)).
Proof.
  intros n c L l q x Q C D P.
  assert (B : forall y, sum n (fun m => (c m + delta m q) * exp (L y m)) = sum n (fun m => c m * exp (L y m)) + exp (L y q)).
  { intros y. rewrite (sum_ext n (fun m => (c m + delta m q) * _) (fun m => c m * exp (L y m) + delta m q * exp (L y m))) by (intros; ring).
    rewrite sum_plus, (sum_delta n q (fun m => exp (L y m))) by exact Q. reflexivity. }
  assert (S : 0 < sum n (fun m => c m * exp (L x m)) + exp (L x q)).
  { assert (E := exp_pos (L x q)). assert (0 <= sum n (fun m => c m * exp (L x m))); [|lra].
    apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]. }
  apply (is_derive_ext (fun y => - ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))); [intros y; rewrite B; reflexivity|].
  eapply d_eq.
  - apply (d_opp (fun y => ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))).
    apply (d_row n (fun m => c m + delta m q) L l q x); [exact D|apply D, Q|rewrite B; exact S].
  - assert (T : sum n P = 1).
    { unfold P. rewrite <- B. apply (shares n (fun m => (c m + delta m q) * exp (L x m))). rewrite B. lra. }
    rewrite (sum_ext n (fun j => (differ j q * P j - _) * l j) (fun j => P j * l j - delta j q * l j))
      by (intros; rewrite (error n P) by assumption; ring).
    rewrite sum_minus, sum_delta by exact Q. rewrite B. fold P. unfold P. ring.
Qed.

(*! M37: w *)
Theorem M37_w :
  forall (N d nu : nat) (tau : R) (Y_k w : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  let norm_w (w : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (w : nat -> nat -> R) (i f : nat) : R := w i f / norm_w w i in
  let s (w : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z w i f * z w j f) in
  let L (w : nat -> nat -> R) (i j : nat) : R := s w i j / tau in
  let ell (w : nat -> nat -> R) (i : nat) : R := - (ln (exp (L w i (p i)) / (sum N (fun m : nat => differ m i
    * differ m (p i) * Y_k i m * exp (L w i m)) + exp (L w i (p i))))) in
  let loss (w : nat -> nat -> R) : R := sum N (fun i : nat => ell w i) / INR nu in
  let P (w : nat -> nat -> R) (i j : nat) : R := (differ j i * differ j (p i) * Y_k i j + delta j (p i)) * exp
    (L w i j) / (sum N (fun m : nat => differ m i * differ m (p i) * Y_k i m * exp (L w i m)) + exp (L w i (p
    i))) in
  let G (w : nat -> nat -> R) (i j : nat) : R := differ j (p i) * P w i j - delta j (p i) * sum N (fun m : nat
    => differ m (p i) * P w i m) in
  (forall k : nat, (k < N)%nat -> norm_w w k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w w i <> 0) ->
  is_derive (fun x : R => loss (set2 w k f x)) (w k f) (sum N (fun j : nat => (z w j f - s w k j * z w k f) *
    (G w j k + G w k j)) / tau / INR nu / norm_w w k).
(*! *)
Proof.
  intros. apply (d_of_cosines N d w k f tau (INR nu) ell (G w)); [exact H7|]. intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => differ m i * differ m (p i) * Y_k i m) (fun x => L (set2 w k f x) i)
      (fun j => (delta i k * ((z w j f - s w k j * z w k f) / norm_w w k) + delta j k * ((z w i f - s w k i * z w k f) / norm_w w k)) / tau) (p i)).
    + auto.
    + intros m. apply Rmult_le_pos; [|auto]. apply Rmult_le_pos; unfold differ; destruct (Nat.eqb _ _); lra.
    + intros j J. apply (d_over (fun x => s (set2 w k f x) i j)), (d_cosine N d w k f i j); assumption.
  - cbv beta zeta. rewrite set2_same. reflexivity.
Qed.

(*! M37: temperature *)
Theorem M37_temperature :
  forall (N d nu : nat) (tau : R) (Y_k w : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L tau i (p i)) / (sum N (fun m : nat => differ m i * differ m
    (p i) * Y_k i m * exp (L tau i m)) + exp (L tau i (p i))))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := (differ j i * differ j (p i) * Y_k i j + delta j (p i)) * exp (L tau i j)
    / (sum N (fun m : nat => differ m i * differ m (p i) * Y_k i m * exp (L tau i m)) + exp (L tau i (p i)))
    in
  let G (tau : R) (i j : nat) : R := differ j (p i) * P tau i j - delta j (p i) * sum N (fun m : nat => differ
    m (p i) * P tau i m) in
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun f : nat => w i f ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum N (fun j : nat => G tau i j * L tau i j))
    / tau / INR nu)).
(*! *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => differ m i * differ m (p i) * Y_k i m) (fun x => L x i) (fun j => - L tau i j / tau) (p i)).
    + auto.
    + intros m. apply Rmult_le_pos; [|auto]. apply Rmult_le_pos; unfold differ; destruct (Nat.eqb _ _); lra.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - reflexivity.
Qed.

(*! M37: left *)
Theorem M37_left :
  forall (N d : nat) (tau : R) (Y_k w : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (forall i j : nat, 0 <= Y_k i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := (differ j i * differ j (p i) * Y_k i j + delta j (p i)) * exp (L i j) / (sum N (fun
    m : nat => differ m i * differ m (p i) * Y_k i m * exp (L i m)) + exp (L i (p i))) in
  let G (i j : nat) : R := differ j (p i) * P i j - delta j (p i) * sum N (fun m : nat => differ m (p i) * P i
    m) in
  (forall i : nat, norm_w i <> 0) ->
  (1 - Y_k i j) * differ j (p i) * G i j = 0.
(*! *)
Proof.
  intros. unfold G, P, differ, delta. destruct (H6 i j) as [Z|Z]; rewrite Z; destruct (Nat.eqb j (p i)); unfold Rdiv; ring.
Qed.
