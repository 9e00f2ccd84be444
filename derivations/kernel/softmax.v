(* Softmax and cross-entropy: the loss of one row of logits, its derivatives, and the forms that do not cancel. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D1.6: difference *)
Theorem D1_6_difference :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  (forall i : nat, 0 < P i (p i)) ->
  ell i = ln (sum N (fun k : nat => exp (L i k))) - L i (p i).
(*! *)
Proof. by_sums. Qed.

(*! D1.6: positive *)
Theorem D1_6_positive :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P i (p i).
(*! *)
Proof. by_signs. Qed.

(*! D1.7: derivative *)
Theorem D1_7_derivative :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i j k : nat),
  (0 < N)%nat ->
  (j < N)%nat ->
  let P (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i (p i))) in
  let G (L : nat -> nat -> R) (i j : nat) : R := P L i j - delta j (p i) in
  (forall i : nat, 0 < P L i (p i)) ->
  is_derive (fun x : R => ell (set2 L k j x) i) (L k j) (G L i j * delta i k).
(*! *)
Proof. by_sums. Qed.

(*! D1.8: derivative *)
Theorem D1_8_derivative :
  forall (N nu : nat) (L : nat -> nat -> R) (p : nat -> nat) (i j : nat),
  (0 < nu)%nat ->
  (0 < N)%nat ->
  (j < N)%nat ->
  (i < N)%nat ->
  let P (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i (p i))) in
  let loss (L : nat -> nat -> R) : R := sum N (fun i : nat => ell L i) / INR nu in
  let G (L : nat -> nat -> R) (i j : nat) : R := P L i j - delta j (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P L i (p i)) ->
  is_derive (fun x : R => loss (set2 L i j x)) (L i j) (G L i j / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! D1.11: sum *)
Theorem D1_11_sum :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let G (i j : nat) : R := P i j - delta j (p i) in
  sum N (fun j : nat => G i j) = 0.
(*! *)
Proof. by_sums. Qed.

(*! S1: softplus *)
Theorem S1_softplus :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let x (i : nat) : R := ln (sum N (fun k : nat => differ k (p i) * exp (L i k))) - L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum N (fun k : nat => differ k (p i) * exp (L i k))) ->
  ell i = ln (1 + exp (x i)).
(*! *)
Proof. intros; unfold_names. apply softplus; [sign | normalise; finish]. Qed.

(*! S2: others *)
Theorem S2_others :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  1 - P i (p i) = sum N (fun j : nat => differ j (p i) * P i j).
(*! *)
Proof. by_sums. Qed.

(*! S2: positive *)
Theorem S2_positive :
  forall (N : nat) (L : nat -> nat -> R) (i j : nat),
  (0 < N)%nat ->
  let P (i j : nat) : R := exp (L i j) / sum N (fun k : nat => exp (L i k)) in
  0 < P i j.
(*! *)
Proof. by_signs. Qed.

(*! S3: lemma, right of 1 *)
Theorem S3_lemma__right_of_1 :
  forall (t : R),
  (0 < t) ->
  is_derive (fun x : R => x - ln (1 + x)) t (t / (1 + t)).
(*! *)
Proof. by_sums. Qed.

(*! S3: lemma, left of 1 *)
Theorem S3_lemma__left_of_1 :
  forall (t : R),
  (0 < t) ->
  is_derive (fun x : R => 1 / (1 + x) - 1 - ln (1 / (1 + x))) t (t / (1 + t) ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! S3: slope *)
Theorem S3_slope :
  forall (x : R),
  is_derive (fun t : R => ln (1 + exp t)) x (exp x / (1 + exp x)).
(*! *)
Proof. by_sums. Qed.

(*! S3: above *)
Theorem S3_above :
  forall (x : R),
  ln (1 + exp x) <= exp x.
(*! *)
Proof. intros. assert (E := exp_pos x). assert (L := ln_below (1 + exp x)). lra. Qed.
