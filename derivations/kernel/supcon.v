(* SupCon, supervised contrastive learning: every other row of the anchor's class is a positive (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F21: alone *)
Theorem F21_alone :
  forall (N : nat) (L calY : nat -> nat -> R) (i : nat),
  (forall i j : nat, 0 <= calY i j) ->
  (0 < N)%nat ->
  (i < N)%nat ->
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 0 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  ell i = 0.
(*! *)
Proof. by_sums. Qed.

(*! F21: mutual *)
Theorem F21_mutual :
  forall (c_tilde : nat -> nat) (i j : nat),
  let calY (i j : nat) : R := delta (c_tilde i) (c_tilde j) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  Y_c i j = Y_c j i.
(*! *)
Proof. by_sums. Qed.

(*! F22: alone *)
Theorem F22_alone :
  forall (N : nat) (L calY : nat -> nat -> R) (i : nat),
  (forall i j : nat, 0 <= calY i j) ->
  (0 < N)%nat ->
  (i < N)%nat ->
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 0 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * ln ((1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i)
    / n_c i / sum N (fun k : nat => differ k i * exp (L i k)))) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < (1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i) / n_c i
    / sum N (fun k : nat => differ k i * exp (L i k))) ->
  ell i = 0.
(*! *)
Proof. by_sums. Qed.

(*! F22: whole *)
Theorem F22_whole :
  forall (N nu : nat) (L Y_c : nat -> nat -> R) (n_c psi_plus : nat -> R),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= Y_c i j) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_plus i) ->
  let ell (i : nat) : R := - (psi_plus i * ln ((1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i)
    / n_c i / sum N (fun k : nat => differ k i * exp (L i k)))) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < ((1 - psi_plus i) / sum N (fun k : nat => differ k i * exp (L i k)) +
    sum N (fun j : nat => Y_c i j * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)))) / n_c i)
    ->
  (forall i : nat, (i < N)%nat -> 0 < (1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i) / n_c i
    / sum N (fun k : nat => differ k i * exp (L i k))) ->
  loss = sum N (fun i : nat => - (psi_plus i * ln (((1 - psi_plus i) / sum N (fun k : nat => differ k i * exp
    (L i k)) + sum N (fun j : nat => Y_c i j * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k))))
    / n_c i))) / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! F23: sum out *)
Theorem F23_sum_out :
  forall (N d : nat) (tau : R) (w : nat -> nat -> R) (psi_plus : nat -> R) (calY : nat -> nat -> R) (i : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= calY i j) ->
  (forall i : nat, 0 <= psi_plus i) ->
  (i < N)%nat ->
  (forall i : nat, psi_plus i = 0 \/ psi_plus i = 1) ->
  let norm_w (i : nat) : R := sqrt (sum d (fun f : nat => w i f ^ 2)) in
  let z (i f : nat) : R := w i f / norm_w i in
  let s (i j : nat) : R := sum d (fun f : nat => z i f * z j f) in
  let L (i j : nat) : R := s i j / tau in
  let P (i j : nat) : R := differ j i * exp (L i j) / sum N (fun k : nat => differ k i * exp (L i k)) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let G (i j : nat) : R := psi_plus i * sum N (fun m : nat => (P i j * Y_c i m - P i m * Y_c i j) * differ m
    j) / n_c i in
  (forall i : nat, (i < N)%nat -> norm_w i <> 0) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  sum N (fun j : nat => G i j) = 0.
(*! *)
Proof. by_sums. Qed.

(*! F24: one *)
Theorem F24_one :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let calY (i j : nat) : R := delta j (p i) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 1 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  ell i = - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))).
(*! *)
Proof. by_sums. Qed.

(* The loss of a row with the positive j, by the odds of all its candidates. *)
Lemma row_odds : forall n (o L : nat -> R) j, 0 < sum n (fun k => o k * exp (L k - L j)) ->
  ln (exp (L j) / sum n (fun k => o k * exp (L k))) = - ln (sum n (fun k => o k * exp (L k - L j))).
Proof.
  intros n o L j P. assert (E := exp_pos (L j)).
  assert (S : sum n (fun k => o k * exp (L k)) = exp (L j) * sum n (fun k => o k * exp (L k - L j))).
  { rewrite <- sum_scale. apply sum_ext. intros k _. unfold Rminus. rewrite exp_plus, exp_Ropp. field. lra. }
  assert (S0 : 0 < sum n (fun k => o k * exp (L k))) by (rewrite S; apply Rmult_lt_0_compat; assumption). rewrite <- (odds _ _ _ E S0 S). ring.
Qed.

(*! F21: whole *)
Theorem F21_whole :
  forall (N nu : nat) (L Y_c : nat -> nat -> R) (n_c psi_plus : nat -> R),
  (0 < N)%nat ->
  (forall i j : nat, 0 <= Y_c i j) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_plus i) ->
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  let loss : R := sum N (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < sum N (fun k : nat => differ k i * exp (L
    i k - L i j))) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  loss = sum N (fun i : nat => psi_plus i * sum N (fun j : nat => Y_c i j * ln (sum N (fun k : nat => differ k
    i * exp (L i k - L i j)))) / n_c i) / INR nu.
(*! *)
Proof.
  intros. unfold loss. f_equal. apply sum_ext. intros i I_. unfold ell. rewrite <- Ropp_div. f_equal.
  rewrite Ropp_mult_distr_r, <- sum_opp. f_equal. apply sum_ext. intros j J.
  rewrite row_odds by (apply H4; assumption). ring.
Qed.

(*! F24: row *)
Theorem F24_row :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (i < N)%nat ->
  (forall i : nat, p i <> i) ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))) = ln (1 + sum N (fun j : nat =>
    differ j i * differ j (p i) * exp (L i j - L i (p i)))).
(*! *)
Proof.
  intros. assert (E := exp_pos (L i (p i))). assert (S := over_below _ _ E (H4 i H0)). apply odds; [exact E|exact S|].
  rewrite Rmult_plus_distr_l, <- sum_scale.
  rewrite (sum_ext N (fun k => exp (L i (p i)) * _) (fun k => differ k i * exp (L i k) - delta k (p i) * (differ k i * exp (L i k)))).
  - rewrite sum_minus, sum_delta, (differ_pos _ _ (H1 i)) by auto. ring.
  - intros k _. unfold Rminus at 1. rewrite exp_plus, exp_Ropp, (differ_delta k (p i)). field. lra.
Qed.

(*! F24: count *)
Theorem F24_count :
  forall (B N : nat) (q r : nat -> nat),
  (0 < N)%nat ->
  (0 < B)%nat ->
  (forall i : nat, (i < B)%nat -> (q i < N)%nat) ->
  (forall i : nat, (i < B)%nat -> (r i < N)%nat) ->
  let Y_c (i j : nat) : R := sum B (fun n : nat => delta i (r n) * delta j (q n)) in
  let psi_plus (i : nat) : R := 1 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  sum N (fun i : nat => n_c i) = INR B.
(*! *)
Proof.
  intros. rewrite (sum_ext N _ (fun i => sum B (fun n => delta i (r n) * 1))).
  - rewrite sum_swap, <- sum_one. apply sum_ext. intros n K. apply sum_delta. auto.
  - intros i _. unfold n_c, psi_plus, Y_c. rewrite sum_swap. ring_simplify. apply sum_ext. intros n K.
    rewrite (sum_ext N _ (fun j => delta j (q n) * delta i (r n))) by (intros; ring). rewrite sum_delta by auto. ring.
Qed.

(*! F24: one, in *)
Theorem F24_one__in :
  forall (N : nat) (L : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < N)%nat ->
  (forall i : nat, p i <> i) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < N)%nat) ->
  let calY (i j : nat) : R := delta j (p i) in
  let Y_c (i j : nat) : R := differ j i * calY i j in
  let psi_plus (i : nat) : R := 1 in
  let n_c (i : nat) : R := 1 + sum N (fun j : nat => Y_c i j) - psi_plus i in
  let ell (i : nat) : R := - (psi_plus i * ln ((1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i)
    / n_c i / sum N (fun k : nat => differ k i * exp (L i k)))) in
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k))) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < (1 + sum N (fun j : nat => Y_c i j * exp (L i j)) - psi_plus i) / n_c i
    / sum N (fun k : nat => differ k i * exp (L i k))) ->
  ell i = - (ln (exp (L i (p i)) / sum N (fun k : nat => differ k i * exp (L i k)))).
(*! *)
Proof.
  intros. assert (Y : forall f, sum N (fun j => Y_c i j * f j) = f (p i)).
  { intros f. rewrite (sum_ext N _ (fun j => delta j (p i) * (differ j i * f j))) by (intros; unfold Y_c, calY; ring).
    rewrite sum_delta, (differ_pos _ _ (H0 i)) by auto. ring. }
  unfold ell, n_c, psi_plus. rewrite (sum_ext N (fun j => Y_c i j) (fun j => Y_c i j * 1)) by (intros; ring).
  rewrite (Y (fun _ => 1)), (Y (fun j => exp (L i j))), Rmult_1_l. do 2 f_equal. unfold Rdiv. f_equal. field.
Qed.

(*! F24: pairs *)
Theorem F24_pairs :
  forall (B N : nat) (L : nat -> nat -> R) (n_c : nat -> R) (q r : nat -> nat),
  (0 < N)%nat ->
  (0 < B)%nat ->
  (forall i : nat, (i < B)%nat -> (q i < N)%nat) ->
  (forall i : nat, (i < B)%nat -> (r i < N)%nat) ->
  let Y_c (i j : nat) : R := sum B (fun n : nat => delta i (r n) * delta j (q n)) in
  let psi_plus (i : nat) : R := 1 in
  let ell (i : nat) : R := - (psi_plus i * sum N (fun j : nat => Y_c i j * ln (exp (L i j) / sum N (fun k :
    nat => differ k i * exp (L i k)))) / n_c i) in
  (forall n : nat, sum N (fun k : nat => differ k (r n) * exp (L (r n) k)) <> 0) ->
  (forall n : nat, n_c (r n) <> 0) ->
  (forall n : nat, 0 < exp (L (r n) (q n)) / sum N (fun k : nat => differ k (r n) * exp (L (r n) k))) ->
  (forall i : nat, (i < N)%nat -> sum N (fun k : nat => differ k i * exp (L i k)) <> 0) ->
  (forall i : nat, (i < N)%nat -> n_c i <> 0) ->
  (forall i : nat, (i < N)%nat -> forall j : nat, (j < N)%nat -> 0 < exp (L i j) / sum N (fun k : nat =>
    differ k i * exp (L i k))) ->
  sum N (fun i : nat => ell i) = - (sum B (fun n : nat => ln (exp (L (r n) (q n)) / sum N (fun k : nat =>
    differ k (r n) * exp (L (r n) k))) / n_c (r n))).
(*! *)
Proof.
  intros. pose (P := fun i j => ln (exp (L i j) / sum N (fun k => differ k i * exp (L i k)))).
  rewrite (sum_ext N _ (fun i => sum B (fun n => delta i (r n) * - (P i (q n) / n_c i)))).
  - rewrite sum_swap, <- sum_opp. apply sum_ext. intros n K. apply (sum_delta N (r n) (fun i => - (P i (q n) / n_c i))). auto.
  - intros i _. unfold ell, psi_plus. rewrite Rmult_1_l. unfold Rdiv at 1. rewrite <- sum_scale_r, <- sum_opp.
    rewrite (sum_ext N _ (fun j => sum B (fun n => delta j (q n) * (delta i (r n) * - (P i j * / n_c i))))).
    + rewrite sum_swap. apply sum_ext. intros n K.
      apply (sum_delta N (q n) (fun j => delta i (r n) * - (P i j * / n_c i))). auto.
    + intros j _. unfold Y_c. fold (P i j). rewrite <- !sum_scale_r, <- sum_opp. apply sum_ext. intros. ring.
Qed.
