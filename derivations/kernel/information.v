(* Mutual information of two variables with finitely many values (document D3). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
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


(*! D3.23: right *)
Theorem D3_23_right :
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

(*! D3.24: exchanged *)
Theorem D3_24_exchanged :
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

(*! D3.24: conditional *)
Theorem D3_24_conditional :
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
