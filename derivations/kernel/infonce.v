(* InfoNCE over a batch of pairs, the anchor in its own denominator, and its gradient (document D1). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D1.0: strangers *)
Theorem D1_0_strangers :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (j k : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P j k + P k j.
(*! *)
Proof. by_signs. Qed.

(*! D1.0: attracts *)
Theorem D1_0_attracts :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (j k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P j j + P k k + sum N (fun m : nat => differ m j * differ m (p j) * P j m) + sum N (fun m : nat =>
    differ m k * differ m (p k) * P k m).
(*! *)
Proof. by_signs. Qed.

(*! D1.0: coefficient *)
Theorem D1_0_coefficient :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (j k : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  G j k + G k j = P j k + P k j - delta j (p k) - delta k (p j).
(*! *)
Proof. by_sums. Qed.

(*! D1.0: partners *)
Theorem D1_0_partners :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (j k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i : nat, p i <> i) ->
  (j < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (k < N)%nat ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  - (G j (p j)) - G k (p k) = P j j + P k k + sum N (fun m : nat => differ m j * differ m (p j) * P j m) + sum
    N (fun m : nat => differ m k * differ m (p k) * P k m).
(*! *)
Proof. by_sums. Qed.


(*! D1.2: symmetric *)
Theorem D1_2_symmetric :
  forall (d : nat) (tau : R) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  L i j = L j i.
(*! *)
Proof. by_sums. Qed.

(*! D1.3: positive *)
Theorem D1_3_positive :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P i j.
(*! *)
Proof. by_signs. Qed.

(*! D1.3: sum *)
Theorem D1_3_sum :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  sum N (fun j : nat => P i j) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D1.4: positive *)
Theorem D1_4_positive :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P i i + sum N (fun m : nat => differ m i * differ m (p i) * P i m).
(*! *)
Proof. by_signs. Qed.

(*! D1.4: rest *)
Theorem D1_4_rest :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (forall i : nat, p i <> i) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  sum N (fun j : nat => differ j (p i) * P i j) = P i i + sum N (fun m : nat => differ m i * differ m (p i) *
    P i m).
(*! *)
Proof. by_sums. Qed.

(*! D1.5: step *)
Theorem D1_5_step :
  forall (B : nat),
  (0 < B)%nat ->
  0 < INR B.
(*! *)
Proof. by_signs. Qed.

(*! D1.5: back *)
Theorem D1_5_back :
  forall (B : nat),
  (0 < B)%nat ->
  let N : nat := (2 * B)%nat in
  INR B - INR N = - (INR B).
(*! *)
Proof. by_sums. Qed.

(*! D1.5: twice *)
Theorem D1_5_twice :
  forall (B i : nat),
  (0 < B)%nat ->
  let N : nat := (2 * B)%nat in
  INR i + 2 * INR B = INR i + INR N.
(*! *)
Proof. by_sums. Qed.


(*! D1.9: diagonal *)
Theorem D1_9_diagonal :
  forall (d : nat) (tau : R) (z : nat -> nat -> R) (f k : nat),
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  is_derive (fun x : R => L (set2 z k f x) k k) (z k f) (2 * z k f / tau).
(*! *)
Proof. by_sums. Qed.

(*! D1.9: derivative *)
Theorem D1_9_derivative :
  forall (d : nat) (tau : R) (z : nat -> nat -> R) (f i j k : nat),
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  is_derive (fun x : R => L (set2 z k f x) i j) (z k f) ((z i f * delta j k + z j f * delta i k) / tau).
(*! *)
Proof. by_sums. Qed.

(*! D1.10: chain rule *)
Theorem D1_10_chain_rule :
  forall (N d nu : nat) (L z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let P (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i (p i))) in
  let loss (L : nat -> nat -> R) : R := sum N (fun i : nat => ell L i) / INR nu in
  (forall i : nat, (i < N)%nat -> 0 < P L i (p i)) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> ex_derive (fun x : R => loss (set2 L i j x))
    (L i j)) /\ (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> ex_derive (fun x : R => L i j)
    (z k f)) /\ is_derive (fun x : R => loss L) (z k f) (sum N (fun i : nat => sum N (fun j : nat => Derive
    (fun x : R => loss (set2 L i j x)) (L i j) * Derive (fun x : R => L i j) (z k f)))).
(*! *)
Proof. by_sums. Qed.

(*! D1.12: gradient *)
Theorem D1_12_gradient :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (f < d)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) ((sum N (fun i : nat => G z i k * z i f) + sum N (fun j
    : nat => G z k j * z j f)) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! D1.12: diagonal *)
Theorem D1_12_diagonal :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  2 * G k k * z k f = 2 * P k k * z k f.
(*! *)
Proof. by_sums. Qed.

(*! D1.13: gradient *)
Theorem D1_13_gradient :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (f < d)%nat ->
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

(*! D1.14: masked *)
Theorem D1_14_masked :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, p i <> i) ->
  (f < d)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := differ j i * exp (L z i j) / sum N (fun k : nat => differ k i
    * exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L z i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) (sum N (fun j : nat => (G z j k + G z k j) * z j f) /
    tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! D1.15: diagonal *)
Theorem D1_15_diagonal :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (k : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  2 * G k k = 2 * P k k.
(*! *)
Proof. by_sums. Qed.

(*! M6: anchor *)
Theorem M6_anchor :
  forall (N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => y j f * z i f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  is_derive (fun x : R => ell (set2 z k f x) k) (z k f) (sum N (fun j : nat => G z k j * y j f) / tau).
(*! *)
Proof. by_sums. Qed.

(*! M6: candidate *)
Theorem M6_candidate :
  forall (N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let L (y : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => y j f * z i f) / tau in
  let P (y : nat -> nat -> R) (i j : nat) : R := exp (L y i j) / sum N (fun k : nat => exp (L y i k)) in
  let ell (y : nat -> nat -> R) (i : nat) : R := - (ln (P y i (p i))) in
  let G (y : nat -> nat -> R) (i j : nat) : R := P y i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P y i (p i)) ->
  (forall i : nat, (i < N)%nat -> ex_derive (fun x : R => ell (set2 y k f x) i) (y k f)) /\ sum N (fun i : nat
    => Derive (fun x : R => ell (set2 y k f x) i) (y k f)) = sum N (fun i : nat => G y i k * z i f) / tau.
(*! *)
Proof. by_sums. Qed.

(*! M6: sum *)
Theorem M6_sum :
  forall (N d : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
  (0 < N)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (z : nat -> nat -> R) (i j : nat) : R := exp (L z i j) / sum N (fun k : nat => exp (L z i k)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let G (z : nat -> nat -> R) (i j : nat) : R := P z i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P z i (p i)) ->
  (forall i : nat, (i < N)%nat -> ex_derive (fun x : R => ell (set2 z k f x) i) (z k f)) /\ sum N (fun i : nat
    => Derive (fun x : R => ell (set2 z k f x) i) (z k f)) = sum N (fun i : nat => G z i k * z i f) / tau +
    sum N (fun j : nat => G z k j * z j f) / tau.
(*! *)
Proof. by_sums. Qed.

(*! M7: by temperature *)
Theorem M7_by_temperature :
  forall (N : nat) (tau : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < tau) ->
  (0 < N)%nat ->
  let L (tau : R) (i j : nat) : R := s i j / tau in
  let P (tau : R) (i j : nat) : R := exp (L tau i j) / sum N (fun k : nat => exp (L tau i k)) in
  let ell (tau : R) (i : nat) : R := - (ln (P tau i (p i))) in
  (forall i : nat, 0 < P tau i (p i)) ->
  is_derive (fun x : R => ell x i) tau ((s i (p i) - sum N (fun j : nat => P tau i j * s i j)) / tau ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! M7: slope *)
Theorem M7_slope :
  forall (N : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < beta) ->
  (0 < N)%nat ->
  let L (beta : R) (i j : nat) : R := beta * s i j in
  let P (beta : R) (i j : nat) : R := exp (L beta i j) / sum N (fun k : nat => exp (L beta i k)) in
  let ell (beta : R) (i : nat) : R := - (ln (P beta i (p i))) in
  (forall i : nat, 0 < P beta i (p i)) ->
  is_derive (fun x : R => ell x i) beta (sum N (fun j : nat => P beta i j * s i j) - s i (p i)).
(*! *)
Proof. by_sums. Qed.

(*! M7: convex *)
Theorem M7_convex :
  forall (N : nat) (beta : R) (s : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  (0 < beta) ->
  let L (i j : nat) : R := beta * s i j in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 <= sum N (fun j : nat => (s i j - sum N (fun m : nat => P i m * s i m)) ^ 2 * P i j).
(*! *)
Proof. by_signs. Qed.

(*! M7: curvature *)
Theorem M7_curvature :
  forall (N : nat) (beta : R) (s : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < beta) ->
  (0 < N)%nat ->
  let L (beta : R) (i j : nat) : R := beta * s i j in
  let P (beta : R) (i j : nat) : R := exp (L beta i j) / sum N (fun k : nat => exp (L beta i k)) in
  let ell (beta : R) (i : nat) : R := - (ln (P beta i (p i))) in
  (forall i : nat, 0 < P beta i (p i)) ->
  is_derive (fun x : R => Derive (fun t : R => ell t i) x) beta (sum N (fun j : nat => (s i j - sum N (fun m :
    nat => P beta i m * s i m)) ^ 2 * P beta i j)).
(*! *)
Proof. by_sums. Qed.

(*! M7: batch *)
Theorem M7_batch :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (tau : R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (tau : R) (i j : nat) : R := exp (L tau i j) / sum N (fun k : nat => exp (L tau i k)) in
  let ell (tau : R) (i : nat) : R := - (ln (P tau i (p i))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let G (tau : R) (i j : nat) : R := P tau i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P tau i (p i)) ->
  is_derive (fun x : R => loss x) tau (- (sum N (fun k : nat => sum d (fun f : nat => z k f * sum N (fun j :
    nat => (G tau j k + G tau k j) * z j f) / tau / INR nu)) / 2 / tau)).
(*! *)
Proof.
  intros. apply d_eq with (- (sum N (fun k => sum N (fun j => G tau k j * sum d (fun f => z k f * z j f)))) / tau / tau / INR nu).
  - by_sums.
  - clearbody G. sums.
Qed.


(*! D1.1: views *)
Theorem D1_1_views :
  forall (B : nat),
  (0 < B)%nat ->
  let N : nat := (2 * B)%nat in
  INR N / INR B = 2.
(*! *)
Proof. by_sums. Qed.

(* 1 − P of a row's positive is the probability of the others. *)
Lemma lacking : forall n (P : nat -> R) q, (q < n)%nat -> sum n P = 1 -> sum n (fun j => differ j q * P j) = 1 - P q.
Proof.
  intros n P q Q S. rewrite (sum_ext n _ (fun j => P j - delta j q * P j)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, S, sum_delta by exact Q. reflexivity.
Qed.

(*! D1.4: below *)
Theorem D1_4_below :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  - (loss) <= - (sum N (fun i : nat => sum N (fun j : nat => differ j (p i) * P i j)) / INR nu).
(*! *)
Proof.
  intros. unfold loss. rewrite <- !Ropp_div, <- !sum_opp.
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, INR_pos; assumption|]. apply sum_le. intros i I_.
  assert (S : sum N (P i) = 1) by (apply shares, not_zero; sign).
  assert (L' := ln_below (P i (p i)) (H4 i I_)). rewrite lacking by auto. unfold ell. lra.
Qed.

(*! D1.15: forces *)
Theorem D1_15_forces :
  forall (N d nu : nat) (tau : R) (z : nat -> nat -> R) (p : nat -> nat) (f : nat),
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let L (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  sum N (fun k : nat => sum N (fun j : nat => (G j k + G k j) * z j f) / tau / INR nu) = sum N (fun j : nat =>
    z j f * sum N (fun i : nat => G i j)) / tau / INR nu.
(*! *)
Proof.
  intros. rewrite (sum_ext N _ (fun k => sum N (fun j => (G j k + G k j) * z j f) * (/ tau * / INR nu))) by (intros; unfold Rdiv; ring).
  rewrite sum_scale_r. unfold Rdiv. rewrite Rmult_assoc. f_equal. rewrite sum_swap. apply sum_ext. intros j J.
  assert (S : sum N (P j) = 1) by (apply shares, not_zero; sign).
  assert (Z : sum N (G j) = 0).
  { unfold G. rewrite sum_minus, (sum_ext N (fun k => delta k (p j)) (fun k => delta k (p j) * 1)) by (intros; ring).
    rewrite sum_delta by auto. change (sum N (fun k => P j k)) with (sum N (P j)). rewrite S. ring. }
  rewrite (sum_ext N _ (fun k => z j f * G k j + z j f * G j k)) by (intros; ring). rewrite sum_plus, !sum_scale, Z. ring.
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

(*! M38: z *)
Theorem M38_z :
  forall (N d nu : nat) (tau : R) (Y_k z : nat -> nat -> R) (p : nat -> nat) (f k : nat),
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
  let L (z : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (exp (L z i (p i)) / (sum N (fun m : nat => (differ m i
    * Y_k i m + delta i m) * differ m (p i) * exp (L z i m)) + exp (L z i (p i))))) in
  let loss (z : nat -> nat -> R) : R := sum N (fun i : nat => ell z i) / INR nu in
  let P (z : nat -> nat -> R) (i j : nat) : R := ((differ j i * Y_k i j + delta i j) * differ j (p i) + delta
    j (p i)) * exp (L z i j) / (sum N (fun m : nat => (differ m i * Y_k i m + delta i m) * differ m (p i) *
    exp (L z i m)) + exp (L z i (p i))) in
  let G (z : nat -> nat -> R) (i j : nat) : R := differ j (p i) * P z i j - delta j (p i) * sum N (fun m : nat
    => differ m (p i) * P z i m) in
  is_derive (fun x : R => loss (set2 z k f x)) (z k f) (sum N (fun j : nat => (G z j k + G z k j) * z j f) /
    tau / INR nu).
(*! *)
Proof.
  intros. assert (C : forall i j, is_derive (fun x => sum d (fun g => set2 z k f x i g * set2 z k f x j g)) (z k f) (delta i k * z j f + delta j k * z i f)) by (intros; by_sums).
  eapply d_eq.
  - apply (d_over (fun x => sum N (fun i => ell (set2 z k f x) i))), (d_sum N (fun i x => ell (set2 z k f x) i)). intros i I_.
    apply (d_kept_row N (fun m => (differ m i * Y_k i m + delta i m) * differ m (p i)) (fun x => L (set2 z k f x) i)
      (fun j => (delta i k * z j f + delta j k * z i f) / tau) (p i)).
    + auto.
    + intros m. rewrite (delta_sym i). unfold differ, delta. assert (Z := H3 i m). destruct (Nat.eqb m i); destruct (Nat.eqb m (p i)); lra.
    + intros j _. apply (d_over (fun x => sum d (fun g => set2 z k f x i g * set2 z k f x j g))), C.
  - cbv beta zeta. rewrite set2_same.
    transitivity (sum N (fun i => sum N (fun j => G z i j * (delta i k * z j f + delta j k * z i f))) * / tau / INR nu).
    + apply (f_equal (fun t => t / INR nu)). rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale_r. apply sum_ext. intros j _.
      unfold G, P, Rdiv. ring.
    + rewrite (by_pairs N (G z) (fun j => z j f) k) by assumption. unfold Rdiv. do 2 f_equal. apply sum_ext. intros. ring.
Qed.

(*! M38: temperature *)
Theorem M38_temperature :
  forall (N d nu : nat) (tau : R) (Y_k z : nat -> nat -> R) (p : nat -> nat),
  (0 < tau) ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (forall i j : nat, 0 <= Y_k i j) ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (forall i j : nat, Y_k i j = 0 \/ Y_k i j = 1) ->
  let L (tau : R) (i j : nat) : R := sum d (fun f : nat => z i f * z j f) / tau in
  let ell (tau : R) (i : nat) : R := - (ln (exp (L tau i (p i)) / (sum N (fun m : nat => (differ m i * Y_k i m
    + delta i m) * differ m (p i) * exp (L tau i m)) + exp (L tau i (p i))))) in
  let loss (tau : R) : R := sum N (fun i : nat => ell tau i) / INR nu in
  let P (tau : R) (i j : nat) : R := ((differ j i * Y_k i j + delta i j) * differ j (p i) + delta j (p i)) *
    exp (L tau i j) / (sum N (fun m : nat => (differ m i * Y_k i m + delta i m) * differ m (p i) * exp (L tau
    i m)) + exp (L tau i (p i))) in
  let G (tau : R) (i j : nat) : R := differ j (p i) * P tau i j - delta j (p i) * sum N (fun m : nat => differ
    m (p i) * P tau i m) in
  is_derive (fun x : R => loss x) tau (- (sum N (fun i : nat => sum N (fun j : nat => G tau i j * L tau i j))
    / tau / INR nu)).
(*! *)
Proof.
  intros. apply (d_by_temperature N tau (INR nu) ell (G tau) (L tau)). intros i I_. eapply d_eq.
  - apply (d_kept_row N (fun m => (differ m i * Y_k i m + delta i m) * differ m (p i)) (fun x => L x i) (fun j => - L tau i j / tau) (p i)).
    + auto.
    + intros m. rewrite (delta_sym i). unfold differ, delta. assert (Z := H3 i m). destruct (Nat.eqb m i); destruct (Nat.eqb m (p i)); lra.
    + intros j _. unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - reflexivity.
Qed.
