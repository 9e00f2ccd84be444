(* Mutual information of two variables with finitely many values (document D3). *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! D3.19: exchanged *)
Theorem D3_19_exchanged :
  forall (V : nat) (J_y J_x pi : nat -> R),
  (forall i : nat, 0 < J_y i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_x i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let J_y_given_x (i : nat) : R := J i / J_x i in
  information = sum V (fun i : nat => J i * ln (J_y_given_x i / J_y i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.19: conditional *)
Theorem D3_19_conditional :
  forall (V : nat) (J_y J_x pi : nat -> R),
  (forall i : nat, 0 < J_x i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let J_x_given_y (i : nat) : R := J i / J_y i in
  information = sum V (fun i : nat => J i * ln (J_x_given_y i / J_x i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.22: sum *)
Theorem D3_22_sum :
  forall (V : nat) (J_y J_x pi : nat -> R),
  (forall i : nat, 0 < J_y i) ->
  (forall i : nat, 0 < J_x i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  information = sum V (fun i : nat => J i * ln (J i / J_y i / J_x i)).
(*! *)
Proof. by_sums. Qed.

(*! D3.22: occurs *)
Theorem D3_22_occurs :
  forall (V : nat) (J : nat -> R) (x : nat -> nat) (i : nat),
  (forall i : nat, 0 < J i) ->
  (0 < V)%nat ->
  0 < J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)).
(*! *)
Proof. by_signs. Qed.

(*! D3.22: joint *)
Theorem D3_22_joint :
  forall (V : nat) (pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  sum V (fun i : nat => J i) = 1.
(*! *)
Proof. by_sums. Qed.

(*! D3.22: at_pair *)
Theorem D3_22_at_pair :
  forall (V : nat) (pi : nat -> R) (x : nat -> nat) (i : nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (i < V)%nat ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_x (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)) in
  sum V (fun k : nat => J k * delta (x i) (x k)) = J_x i.
(*! *)
Proof. by_sums. Qed.

(*! D3.22: marginal *)
Theorem D3_22_marginal :
  forall (V X : nat) (pi : nat -> R) (x : nat -> nat),
  (0 < V)%nat ->
  (0 < X)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, (i < V)%nat -> (x i < X)%nat) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  sum X (fun a : nat => sum V (fun k : nat => J k * delta a (x k))) = 1.
(*! *)
Proof. intros; unfold_names. reorder. sums. Qed.


(*! D3.23: really *)
Theorem D3_23_really :
  forall (V : nat) (J_y J_x pi : nat -> R),
  (forall i : nat, 0 < J_x i) ->
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y_given_x (i : nat) : R := J i / J_x i in
  let H_y : R := - (sum V (fun i : nat => J i * ln (J_y i))) in
  let H_x : R := - (sum V (fun i : nat => J i * ln (J_x i))) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  sum V (fun i : nat => J i * ln (J_y_given_x i / J_x i)) = H_x + information - H_y.
(*! *)
Proof. by_sums. Qed.

(*! D3.25: gain *)
Theorem D3_25_gain :
  forall (V : nat) (J_y J_x pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  (forall i : nat, 0 < J_x i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let H_y : R := - (sum V (fun i : nat => J i * ln (J_y i))) in
  let J_y_given_x (i : nat) : R := J i / J_x i in
  let H_y_given_x : R := - (sum V (fun i : nat => J i * ln (J_y_given_x i))) in
  information = H_y - H_y_given_x.
(*! *)
Proof. by_sums. Qed.

(*! D3.26: zero *)
Theorem D3_26_zero :
  forall (V : nat) (Pi : nat -> R),
  (forall i : nat, 0 < Pi i) ->
  (0 < V)%nat ->
  let J (i : nat) : R := Pi i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  information = 0.
(*! *)
Proof. by_sums. Qed.

(*! D3.26: square *)
Theorem D3_26_square :
  forall (J Pi : nat -> R) (i : nat),
  (forall i : nat, 0 < J i) ->
  (forall i : nat, 0 < Pi i) ->
  0 <= (sqrt (J i) - sqrt (Pi i)) ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! D3.26: outside *)
Theorem D3_26_outside :
  forall (J : nat -> R) (varkappa : nat -> nat -> R) (k l : nat),
  (forall i : nat, 0 < J i) ->
  0 <= varkappa k l ^ 2 * J k * J l.
(*! *)
Proof. by_signs. Qed.


(*! D3.27: identical *)
Theorem D3_27_identical :
  forall (V : nat) (pi : nat -> R),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i in
  let J_x (i : nat) : R := J i in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let H_x : R := - (sum V (fun i : nat => J i * ln (J_x i))) in
  information = H_x.
(*! *)
Proof. by_sums. Qed.

(*! D3.27: doubt *)
Theorem D3_27_doubt :
  forall (V : nat) (J J_y : nat -> R) (c : nat -> nat),
  (forall i : nat, 0 < J i) ->
  (forall i : nat, 0 < J_y i) ->
  (0 < V)%nat ->
  0 <= sum V (fun i : nat => J i * sum V (fun k : nat => differ k i * J k * delta (c i) (c k)) / J_y i).
(*! *)
Proof. by_signs. Qed.

(*! D3.27: function *)
Theorem D3_27_function :
  forall (V : nat) (pi : nat -> R) (F : nat -> nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (F i) (F k)) in
  let J_x (i : nat) : R := J i in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let H_y : R := - (sum V (fun i : nat => J i * ln (J_y i))) in
  information = H_y.
(*! *)
Proof. by_sums. Qed.

(*! D3.27: grid *)
Theorem D3_27_grid :
  forall (V : nat),
  (0 < V)%nat ->
  let J (i : nat) : R := 1 / INR V in
  let J_y (i : nat) : R := J i in
  let J_x (i : nat) : R := J i in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  information = ln (INR V).
(*! *)
Proof. by_sums. Qed.

(*! D3.26: far *)
Theorem D3_26_far :
  forall (V : nat) (pi : nat -> R) (c x : nat -> nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (c i) (c k)) in
  let J_x (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let varkappa (k l : nat) : R := 1 - sum V (fun i : nat => delta (c i) (c l) * delta (x i) (x k)) in
  (forall i j : nat, varkappa i j = 0 \/ varkappa i j = 1) ->
  - (information) <= - (sum V (fun i : nat => (sqrt (J i) - sqrt (Pi i)) ^ 2)) - sum V (fun l : nat => sum V
    (fun k : nat => varkappa k l ^ 2 * J k * J l)).
(*! *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  assert (J1 : sum V J = 1) by (apply shares, not_zero; sign).
  assert (P0 : forall i, 0 < Pi i) by (intros; unfold Pi, J_y, J_x; sign).
  unfold information. rewrite <- sum_opp.
  rewrite (sum_ext V (fun l => sum V (fun k => varkappa k l ^ 2 * J k * J l)) (fun l => sum V (fun k => varkappa k l * J k * J l)))
    by (intros; apply sum_ext; intros; rewrite masked_square by apply H1; reflexivity).
  apply (Rle_trans _ (sum V (fun i => Pi i - J i - (sqrt (J i) - sqrt (Pi i)) ^ 2))).
  - apply sum_le. intros i _. replace (- (J i * ln (J i / Pi i))) with (J i * ln (Pi i / J i)); [apply gibbs_by_roots; auto|].
    assert (X := J0 i). assert (Y := P0 i). unfold Rdiv. rewrite !ln_mult, !ln_Rinv by (auto using Rinv_0_lt_compat). ring.
  - right. rewrite !sum_minus. unfold Pi at 1, J_y, J_x. rewrite (outside V J c x J1).
    change (sum V (fun k => J k)) with (sum V J). rewrite J1. unfold varkappa. ring.
Qed.

(*! D3.21: gibbs *)
Theorem D3_21_gibbs :
  forall (V : nat) (pi : nat -> R) (c x : nat -> nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (c i) (c k)) in
  let J_x (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let varkappa (k l : nat) : R := 1 - sum V (fun i : nat => delta (c i) (c l) * delta (x i) (x k)) in
  (forall i j : nat, varkappa i j = 0 \/ varkappa i j = 1) ->
  0 <= information.
(*! *)
Proof.
  intros. assert (F := D3_26_far V pi c x H H0 H1). cbv zeta in F. fold J in F.
  assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign).
  apply Ropp_le_cancel. rewrite Ropp_0. eapply Rle_trans; [exact F|].
  match goal with |- - ?a - ?b <= 0 => assert (A : 0 <= a) by sign; assert (B : 0 <= b) by sign; lra end.
Qed.

(* If J is part of a marginal, Σ J log(J/(J_x J_y)) is at most −Σ J log J_x. *)
Lemma below_entropy : forall V (J J_x J_y : nat -> R), (forall i, 0 < J i) -> (forall i, 0 < J_x i) -> (forall i, J i <= J_y i) ->
  sum V (fun i => J i * ln (J i / (J_y i * J_x i))) <= - sum V (fun i => J i * ln (J_x i)).
Proof.
  intros V J J_x J_y P X Y. rewrite <- sum_opp. apply sum_le. intros i _. assert (p := P i). assert (x := X i). assert (y := Y i). assert (y0 : 0 < J_y i) by lra.
  replace (- (J i * ln (J_x i))) with (J i * - ln (J_x i)) by ring. apply Rmult_le_compat_l; [lra|].
  rewrite <- ln_Rinv by exact x. apply ln_le; [sign|]. apply Rmult_le_reg_r with (J_y i * J_x i); [sign|].
  replace (J i / (J_y i * J_x i) * (J_y i * J_x i)) with (J i) by (field; lra). replace (/ J_x i * (J_y i * J_x i)) with (J_y i) by (field; lra). exact y.
Qed.

(*! D3.27: below_x *)
Theorem D3_27_below_x :
  forall (V : nat) (J_x pi : nat -> R) (c : nat -> nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_x i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (c i) (c k)) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let H_x : R := - (sum V (fun i : nat => J i * ln (J_x i))) in
  information <= H_x.
(*! *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). apply below_entropy; auto.
  intros i. unfold J_y. assert (S : 0 <= sum V (fun k => differ k i * J k * delta (c i) (c k))) by sign. lra.
Qed.

(*! D3.27: below_y *)
Theorem D3_27_below_y :
  forall (V : nat) (J_y pi : nat -> R) (x : nat -> nat),
  (0 < V)%nat ->
  (forall i : nat, 0 < pi i) ->
  (forall i : nat, 0 < J_y i) ->
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_x (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let H_y : R := - (sum V (fun i : nat => J i * ln (J_y i))) in
  information <= H_y.
(*! *)
Proof.
  intros. assert (J0 : forall i, 0 < J i) by (intros; unfold J; sign). unfold information, Pi.
  rewrite (sum_ext V _ (fun i => J i * ln (J i / (J_x i * J_y i)))) by (intros; rewrite (Rmult_comm (J_y _)); reflexivity).
  apply below_entropy; auto.
  intros i. unfold J_x. assert (S : 0 <= sum V (fun k => differ k i * J k * delta (x i) (x k))) by sign. lra.
Qed.

(*! D3.23: coin *)
Theorem D3_23_coin :
  let V : nat := (2)%nat in
  let pi : nat -> R := list1 (1 :: 1 :: nil)%list in
  let c : nat -> nat := (places (0 :: 0 :: nil))%nat in
  let x : nat -> nat := (places (0 :: 1 :: nil))%nat in
  let J (i : nat) : R := pi i / sum V (fun k : nat => pi k) in
  let J_y (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (c i) (c k)) in
  let J_x (i : nat) : R := J i + sum V (fun k : nat => differ k i * J k * delta (x i) (x k)) in
  let Pi (i : nat) : R := J_y i * J_x i in
  let information : R := sum V (fun i : nat => J i * ln (J i / Pi i)) in
  let J_y_given_x (i : nat) : R := J i / J_x i in
  information <> sum V (fun i : nat => J i * ln (J_y_given_x i / J_x i)).
(*! *)
Proof. at_point. Qed.
