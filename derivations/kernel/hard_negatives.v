(* Which samples an anchor learns from: the conclusions that document D2 draws from its gradient, and others. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D2.4: slope *)
Theorem D2_4_slope :
  forall (R_ s tau : R),
  (0 < tau) ->
  (0 < R_) ->
  let P (s : R) : R := exp (s / tau) / (R_ + exp (s / tau)) in
  let Delta (s : R) : R := (1 - P s) / tau - s / (1 - s ^ 2) in
  (0 < 1 - s ^ 2) ->
  is_derive (fun x : R => P x * sqrt (1 - x ^ 2) / tau) s (P s * Delta s * sqrt (1 - s ^ 2) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D2.4: before sign *)
Theorem D2_4_before_sign :
  forall (R_ tau : R),
  (0 < R_) ->
  (0 < tau) ->
  0 < R_ / tau / (1 + R_).
(*! *)
Proof. by_signs. Qed.

(*! D2.4b: descent sign *)
Theorem D2_4b_descent_sign :
  forall (A d : nat) (P y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum d (fun g : nat => ((P i (p i) - 1) * y (p i) g + sum A (fun a : nat =>
    differ a (p i) * P i a * y a g)) * (delta f g - z i f * z i g))) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D2.4b: widening sign *)
Theorem D2_4b_widening_sign :
  forall (d : nat) (y z : nat -> nat -> R) (a i n : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (sum d (fun g : nat => (y a g - y n g) * (delta f g - z i f * z i g))) ^ 2).
(*! *)
Proof. by_signs. Qed.

(*! D2.4b: pair *)
Theorem D2_4b_pair :
  forall (d : nat) (tau : R) (y z : nat -> nat -> R) (a f i n : nat),
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  is_derive (fun x : R => ln (1 + exp (L (set2 z i f x) i n - L (set2 z i f x) i a))) (z i f) (- ((y a f - y n
    f) * exp (L z i n) / tau / (exp (L z i a) + exp (L z i n)))).
(*! *)
Proof. by_sums. Qed.

(*! D2.4b: rate *)
Theorem D2_4b_rate :
  forall (A N d : nat) (L y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  sum d (fun f : nat => y (p i) f * sum d (fun g : nat => (y (p i) g - sum A (fun m : nat => P i m * y m g)) *
    (delta f g - z i f * z i g))) = (sum d (fun f : nat => y (p i) f ^ 2) - (sum d (fun f : nat => y (p i) f *
    z i f)) ^ 2) * sum A (fun a : nat => differ a (p i) * P i a) - sum A (fun a : nat => (sum d (fun f : nat
    => y a f * y (p i) f) - sum d (fun f : nat => y a f * z i f) * sum d (fun f : nat => y (p i) f * z i f)) *
    differ a (p i) * P i a).
(*! *)
Proof. by_sums. Qed.


(*! D2.5: share *)
Theorem D2_5_share :
  forall (E S e : R),
  (0 < E) ->
  (0 < S) ->
  (0 < e) ->
  0 < e / (E + S).
(*! *)
Proof. by_signs. Qed.

(*! D2.5: gain sign *)
Theorem D2_5_gain_sign :
  forall (E S e : R),
  (0 < E) ->
  (0 < S) ->
  (0 < e) ->
  0 < E * e / (E + S) / (E + S + e).
(*! *)
Proof. by_signs. Qed.

(*! D2.5: more *)
Theorem D2_5_more :
  forall (E S e : R),
  (0 < E) ->
  (0 < S) ->
  (0 < e) ->
  (E + S + e) / (E + S) = 1 + e / (E + S).
(*! *)
Proof. by_sums. Qed.

(*! D2.5: gain *)
Theorem D2_5_gain :
  forall (E S e : R),
  (0 < E) ->
  (0 < S) ->
  (0 < e) ->
  (S + e) / (E + S + e) - S / (E + S) = E * e / (E + S) / (E + S + e).
(*! *)
Proof. by_sums. Qed.

(*! D2.5: unsure *)
Theorem D2_5_unsure :
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
  1 - P i (p i) = sum A (fun a : nat => differ a (p i) * exp (L i a)) / (sum A (fun a : nat => differ a (p i)
    * exp (L i a)) + exp (L i (p i))).
(*! *)
Proof. by_sums. Qed.


(*! D2.15a: easy *)
Theorem D2_15a_easy :
  forall (epsilon : R),
  (0 <= epsilon) ->
  1 - (1 - epsilon) ^ 2 = epsilon * (2 - epsilon).
(*! *)
Proof. by_sums. Qed.

(*! D2.15b: slope *)
Theorem D2_15b_slope :
  forall (s : R),
  (0 < 1 - s ^ 2) ->
  is_derive (fun x : R => sqrt (1 - x ^ 2)) s (- (s / sqrt (1 - s ^ 2))).
(*! *)
Proof. by_sums. Qed.

(*! D2.15b: opposite *)
Theorem D2_15b_opposite :
  forall (epsilon : R),
  (0 <= epsilon) ->
  1 - (epsilon - 1) ^ 2 = epsilon * (2 - epsilon).
(*! *)
Proof. by_sums. Qed.

(*! D2.17: room *)
Theorem D2_17_room :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  1 - S / (E + S) = E / (E + S).
(*! *)
Proof. by_sums. Qed.

(*! D2.17: slope *)
Theorem D2_17_slope :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  is_derive (fun x : R => x / (E + x)) S (E / (E + S) ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! D2.17: bend *)
Theorem D2_17_bend :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  is_derive (fun x : R => E / (E + x) ^ 2) S (- (2 * E / (E + S) ^ 3)).
(*! *)
Proof. by_sums. Qed.

(*! D2.17: room sign *)
Theorem D2_17_room_sign :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  0 < E / (E + S).
(*! *)
Proof. by_signs. Qed.

(*! D2.17: slope sign *)
Theorem D2_17_slope_sign :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  0 < E / (E + S) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! D2.17: bend sign *)
Theorem D2_17_bend_sign :
  forall (E S : R),
  (0 < E) ->
  (0 < S) ->
  0 < 2 * E / (E + S) ^ 3.
(*! *)
Proof. by_signs. Qed.

(*! D2.18: room *)
Theorem D2_18_room :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  1 - INR M / (E + INR M) = E / (E + INR M).
(*! *)
Proof. by_sums. Qed.

(*! D2.18: next *)
Theorem D2_18_next :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  (1 + INR M) / (1 + E + INR M) - INR M / (E + INR M) = E / (E + INR M) / (1 + E + INR M).
(*! *)
Proof. by_sums. Qed.

(*! D2.18: less *)
Theorem D2_18_less :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  E / (E + INR M) / (1 + E + INR M) - E / (1 + E + INR M) / (2 + E + INR M) = 2 * E / (E + INR M) / (1 + E +
    INR M) / (2 + E + INR M).
(*! *)
Proof. by_sums. Qed.

(*! D2.18: room sign *)
Theorem D2_18_room_sign :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  0 < E / (E + INR M).
(*! *)
Proof. by_signs. Qed.

(*! D2.18: next sign *)
Theorem D2_18_next_sign :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  0 < E / (E + INR M) / (1 + E + INR M).
(*! *)
Proof. by_signs. Qed.

(*! D2.18: less sign *)
Theorem D2_18_less_sign :
  forall (M : nat) (E : R),
  (0 < E) ->
  (0 < M)%nat ->
  0 < 2 * E / (E + INR M) / (1 + E + INR M) / (2 + E + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M15: share *)
Theorem M15_share :
  forall (R_ s tau : R),
  (0 < R_) ->
  (0 < tau) ->
  let P : R := exp (s / tau) / (R_ + exp (s / tau)) in
  0 < P.
(*! *)
Proof. by_signs. Qed.

(*! M15: share falls *)
Theorem M15_share_falls :
  forall (R_ s tau : R),
  (0 < tau) ->
  (0 < R_) ->
  let P : R := exp (s / tau) / (R_ + exp (s / tau)) in
  P * (1 - P) / tau ^ 2 = R_ * exp (s / tau) / tau ^ 2 / (R_ + exp (s / tau)) ^ 2.
(*! *)
Proof. by_sums. Qed.

(*! M15: before *)
Theorem M15_before :
  forall (R_ tau : R),
  (0 < R_) ->
  (0 < tau) ->
  let s : R := 0 in
  let P : R := exp (s / tau) / (R_ + exp (s / tau)) in
  let Delta : R := (1 - P) / tau - s / (1 - s ^ 2) in
  (1 - s ^ 2 <> 0) ->
  Delta = R_ / tau / (1 + R_).
(*! *)
Proof. by_sums. Qed.

(*! M15: falls *)
Theorem M15_falls :
  forall (R_ s tau : R),
  (0 < tau) ->
  (0 < R_) ->
  let P (s : R) : R := exp (s / tau) / (R_ + exp (s / tau)) in
  let Delta (s : R) : R := (1 - P s) / tau - s / (1 - s ^ 2) in
  (1 - s ^ 2 <> 0) ->
  is_derive (fun x : R => Delta x) s (- ((1 + s ^ 2) / (1 - s ^ 2) ^ 2) - P s * (1 - P s) / tau ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! M15: softmax *)
Theorem M15_softmax :
  forall (A N d : nat) (tau : R) (w y : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, (i < N)%nat -> sum A (fun m : nat => differ m (p i) * P i m) <> 0) ->
  (forall i : nat, (i < N)%nat -> sum A (fun m : nat => differ m (p i) * exp (L i m)) <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  P i a / sum A (fun m : nat => differ m (p i) * P i m) = exp (L i a) / sum A (fun m : nat => differ m (p i) *
    exp (L i m)).
(*! *)
Proof. by_sums. Qed.

(*! M15: square *)
Theorem M15_square :
  forall (o : R),
  (0 < o) ->
  let s : R := (o - 1) / (1 + o) in
  1 - s ^ 2 = 4 * o / (1 + o) ^ 2.
(*! *)
Proof. by_sums. Qed.

(* The probabilities of a row have the same denominator. *)
Lemma over_shares : forall x y s, y <> 0 -> s <> 0 -> x / s / (y / s) = x / y.
Proof. intros. field. split; assumption. Qed.

Ltac by_shares := intros; unfold_names; rewrite over_shares by (apply not_zero; sign);
  unfold Rminus; rewrite exp_plus, exp_Ropp; reflexivity.

(*! D2.4: odds *)
Theorem D2_4_odds :
  forall (A d : nat) (tau : R) (w y : nat -> nat -> R) (a i n : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < A)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  (forall i : nat, forall n : nat, P i n <> 0) ->
  (forall i : nat, norm_w i <> 0) ->
  P i a / P i n = exp (L i a - L i n).
(*! *)
Proof. by_shares. Qed.

(*! D2.4: after sign *)
Theorem D2_4_after_sign :
  forall (R_ s tau : R),
  (0 < tau) ->
  (0 < R_) ->
  let P : R := exp (s / tau) / (R_ + exp (s / tau)) in
  0 < 1 / (4 + tau) + P / tau.
(*! *)
Proof. by_signs. Qed.

(*! M15: square sign *)
Theorem M15_square_sign :
  forall (o : R),
  (0 < o) ->
  0 < 4 * o / (1 + o) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! M15: share falls sign *)
Theorem M15_share_falls_sign :
  forall (R_ s tau : R),
  (0 < R_) ->
  (0 < tau) ->
  0 < R_ * exp (s / tau) / tau ^ 2 / (R_ + exp (s / tau)) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! M15: sine falls sign *)
Theorem M15_sine_falls_sign :
  forall (o : R),
  (0 < o) ->
  0 < (1 + o) ^ 2 * (1 + o ^ 2) / 8 / o ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! M15: others *)
Theorem M15_others :
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
  1 - P i (p i) = sum A (fun m : nat => differ m (p i) * P i m).
(*! *)
Proof. by_sums. Qed.

(*! M15: sine falls *)
Theorem M15_sine_falls :
  forall (o : R),
  (0 < o) ->
  let s : R := (o - 1) / (1 + o) in
  (1 - s ^ 2 <> 0) ->
  (1 + s ^ 2) / (1 - s ^ 2) ^ 2 = (1 + o) ^ 2 * (1 + o ^ 2) / 8 / o ^ 2.
(*! *)
Proof.
  intros. unfold s. assert (E : 1 - ((o - 1) / (1 + o)) ^ 2 = 4 * o / (1 + o) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

Lemma after : forall tau P, 0 < tau ->
  (1 - P) / tau - 2 / (2 + tau) / (1 - (2 / (2 + tau)) ^ 2) = - (1 / (4 + tau)) - P / tau.
Proof.
  intros tau P T. assert (E : 1 - (2 / (2 + tau)) ^ 2 = tau * (4 + tau) / (2 + tau) ^ 2) by (field; lra).
  rewrite E. field. lra.
Qed.

(*! D2.4: after *)
Theorem D2_4_after :
  forall (R_ tau : R),
  (0 < tau) ->
  (0 < R_) ->
  let s : R := 2 / (2 + tau) in
  let P : R := exp (s / tau) / (R_ + exp (s / tau)) in
  let Delta : R := (1 - P) / tau - s / (1 - s ^ 2) in
  (1 - s ^ 2 <> 0) ->
  Delta = - (1 / (4 + tau)) - P / tau.
(*! *)
Proof. intros. apply after. assumption. Qed.

(* The product of a row of I − zzᵀ with a vector. *)
Lemma projected : forall d (z a : nat -> R) f, (f < d)%nat ->
  sum d (fun g => a g * (delta f g - z f * z g)) = a f - z f * sum d (fun g => a g * z g).
Proof.
  intros d z a f F. rewrite (sum_ext d _ (fun g => delta g f * a g - z f * (a g * z g))) by (intros; rewrite (delta_sym f); ring).
  rewrite sum_minus, sum_delta, sum_scale by exact F. reflexivity.
Qed.

(* The squared length of a row's component orthogonal to a unit row. *)
Lemma across_square : forall d (z a : nat -> R), sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => (sum d (fun g => a g * (delta f g - z f * z g))) ^ 2)
    = sum d (fun f => a f ^ 2) - (sum d (fun g => a g * z g)) ^ 2.
Proof.
  intros d z a U. set (A := sum d (fun g => a g * z g)).
  rewrite (sum_ext d _ (fun f => a f ^ 2 - 2 * A * (a f * z f) + A ^ 2 * z f ^ 2))
    by (intros; rewrite projected by assumption; fold A; ring).
  rewrite sum_plus, sum_minus, !sum_scale, U. fold A. ring.
Qed.

(*! D2.4b: widening *)
Theorem D2_4b_widening :
  forall (d : nat) (w y : nat -> nat -> R) (a i n : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  (forall i : nat, norm_w i <> 0) ->
  sum d (fun f : nat => (y a f - y n f) * sum d (fun g : nat => (y a g - y n g) * (delta f g - z i f * z i
    g))) = sum d (fun f : nat => (sum d (fun g : nat => (y a g - y n g) * (delta f g - z i f * z i g))) ^ 2).
(*! *)
Proof.
  intros. rewrite (across_square d (z i) (fun g => y a g - y n g)) by (apply unit_row, H0).
  rewrite (sum_ext d _ (fun f => (y a f - y n f) ^ 2 - sum d (fun g => (y a g - y n g) * z i g) * ((y a f - y n f) * z i f)))
    by (intros; rewrite (projected d (z i) (fun g => y a g - y n g)) by assumption; ring).
  rewrite sum_minus, sum_scale. ring.
Qed.

(*! D2.15b: short *)
Theorem D2_15b_short :
  forall (d : nat) (w : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  (forall i : nat, norm_w i <> 0) ->
  1 - sum d (fun f : nat => (sum d (fun g : nat => (delta f g - z i f * z i g) * z j g)) ^ 2) = s i j ^ 2.
(*! *)
Proof.
  intros. rewrite (sum_ext d _ (fun f => (sum d (fun g => z j g * (delta f g - z i f * z i g))) ^ 2))
    by (intros; f_equal; apply sum_ext; intros; ring).
  rewrite (across_square d (z i) (z j)) by (apply unit_row, H0).
  assert (U := unit_row d (w j) (H0 j)). change (sum d (fun f => z j f ^ 2) = 1) in U. rewrite U.
  unfold s. rewrite (sum_ext d (fun g => z j g * z i g) (fun f => z i f * z j f)) by (intros; ring). ring.
Qed.

(* M equal negatives. *)
Lemma equal : forall (M : nat) (L : nat -> nat -> R) (a i n : nat), (0 < M)%nat ->
  sum M (fun m : nat => exp (L i a)) / (sum M (fun m : nat => exp (L i a)) + exp (L i n)) = INR M / (INR M + exp (L i n - L i a)).
Proof.
  intros M L a i n P. assert (X := INR_pos M P). assert (Y := exp_pos (L i a)). assert (Z := exp_pos (L i n)).
  rewrite (sum_ext M _ (fun _ => exp (L i a) * 1)) by (intros; ring). rewrite sum_scale, sum_one.
  unfold Rminus. rewrite exp_plus, exp_Ropp. field. repeat split; try lra; apply not_zero; sign.
Qed.

(*! D2.17: equal *)
Theorem D2_17_equal :
  forall (M : nat) (L : nat -> nat -> R) (a i n : nat),
  (0 < M)%nat ->
  sum M (fun m : nat => exp (L i a)) / (sum M (fun m : nat => exp (L i a)) + exp (L i n)) = INR M / (INR M +
    exp (L i n - L i a)).
(*! *)
Proof. apply equal. Qed.

(*! D2.4b: descent *)
Theorem D2_4b_descent :
  forall (A N d : nat) (tau : R) (w y : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
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
  (forall f : nat, (f < d)%nat -> ex_derive (fun x : R => ell (set2 w i f x) i) (w i f)) /\ sum d (fun f : nat
    => - (sum d (fun g : nat => ((P w i (p i) - 1) * y (p i) g + sum A (fun a : nat => differ a (p i) * P w i
    a * y a g)) * (delta f g - z w i f * z w i g)) * Derive (fun x : R => ell (set2 w i f x) i) (w i f) / tau
    / norm_w w i)) = - (sum d (fun f : nat => (sum d (fun g : nat => ((P w i (p i) - 1) * y (p i) g + sum A
    (fun a : nat => differ a (p i) * P w i a * y a g)) * (delta f g - z w i f * z w i g))) ^ 2) / tau ^ 2 /
    norm_w w i ^ 2).
(*! *)
Proof.
  intros. pose (X := fun f => sum d (fun g => ((P w i (p i) - 1) * y (p i) g + sum A (fun a => differ a (p i) * P w i a * y a g)) * (delta f g - z w i f * z w i g))).
  assert (n0 := H4 i H2). assert (S1 : sum A (P w i) = 1) by (apply shares, not_zero; sign).
  assert (D : forall f, (f < d)%nat -> is_derive (fun x => ell (set2 w i f x) i) (w i f) (X f / tau / norm_w w i)).
  { intros f F. pose (l := fun a => sum d (fun g => y a g * ((delta f g - z w i f * z w i g) / norm_w w i)) / tau).
    assert (DL : forall a, is_derive (fun x => L (set2 w i f x) i a) (w i f) (l a)).
    { intros a. apply (d_over (fun x => sum d (fun g => y a g * z (set2 w i f x) i g))). eapply d_eq.
      - apply (d_sum d (fun g x => y a g * z (set2 w i f x) i g)). intros g _. apply (d_scale (fun x => z (set2 w i f x) i g)).
        apply (d_unit d w i i f g); [exact F|apply H5, H2].
      - apply sum_ext. intros g _. rewrite delta_refl. unfold z, norm_w, Rdiv. ring. }
    eapply d_eq.
    - apply (d_opp (fun x => ln (P (set2 w i f x) i (p i)))), (d_softmax A (fun x => L (set2 w i f x) i) l); auto.
    - cbv beta. rewrite set2_same. change (- (l (p i) - sum A (fun a => P w i a * l a)) = X f / tau / norm_w w i).
      rewrite (one_apart A (fun a => P w i a * l a) (p i)) by auto.
      assert (E : X f = sum d (fun g => (P w i (p i) - 1) * (y (p i) g * (delta f g - z w i f * z w i g)))
        + sum A (fun a => differ a (p i) * P w i a * sum d (fun g => y a g * (delta f g - z w i f * z w i g)))).
      { rewrite (sum_ext A _ (fun a => sum d (fun g => differ a (p i) * P w i a * (y a g * (delta f g - z w i f * z w i g))))) by (intros; symmetry; apply sum_scale).
        rewrite sum_swap, <- sum_plus. apply sum_ext. intros g _. rewrite Rmult_plus_distr_r, <- sum_scale_r. f_equal; [ring|]. apply sum_ext. intros. ring. }
      assert (W : forall a, l a = sum d (fun g => y a g * (delta f g - z w i f * z w i g)) * (/ norm_w w i * / tau)).
      { intros a. unfold l, Rdiv. rewrite (sum_ext d _ (fun g => y a g * (delta f g - z w i f * z w i g) * / norm_w w i)) by (intros; ring). rewrite sum_scale_r. ring. }
      rewrite E, sum_scale, W. rewrite (sum_ext A (fun k => differ k (p i) * (P w i k * l k))
        (fun a => differ a (p i) * P w i a * sum d (fun g => y a g * (delta f g - z w i f * z w i g)) * (/ norm_w w i * / tau))) by (intros; rewrite W; ring).
      rewrite sum_scale_r. unfold Rdiv. ring. }
  split; [intros f F; eexists; apply D, F|].
  rewrite (sum_ext d _ (fun f => - (/ (tau ^ 2 * norm_w w i ^ 2)) * X f ^ 2)).
  - rewrite sum_scale. unfold X. field. repeat split; exact n0 || lra.
  - intros f F. replace (Derive (fun x : R => ell (set2 w i f x) i) (w i f)) with (X f / tau / norm_w w i) by (symmetry; apply is_derive_unique, D, F). fold (X f). field. repeat split; exact n0 || lra.
Qed.
