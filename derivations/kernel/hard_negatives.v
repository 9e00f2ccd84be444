(* Which samples an anchor learns from: what document D2 concludes from its gradient, and what follows from it. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
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

(*! D2.16: easy *)
Theorem D2_16_easy :
  forall (epsilon : R),
  (0 <= epsilon) ->
  1 - (1 - epsilon) ^ 2 = epsilon * (2 - epsilon).
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

(*! M15: easy *)
Theorem M15_easy :
  forall (epsilon : R),
  (0 <= epsilon) ->
  1 - (1 - epsilon) ^ 2 = epsilon * (2 - epsilon).
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
