(* DHN-NCE: images and texts, each pair against its hard negatives, the positive in no denominator (document D4). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! D4.1: negatives *)
Theorem D4_1_negatives :
  forall (B i : nat),
  (0 < B)%nat ->
  (i < B)%nat ->
  sum B (fun m : nat => differ m i) = INR B - 1.
(*! *)
Proof. by_sums. Qed.

(*! D4.1: rows *)
Theorem D4_1_rows :
  forall (B nu : nat) (ell ell' : nat -> R),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  let loss : R := (sum B (fun i : nat => ell i) + sum B (fun i : nat => ell' i)) / INR nu in
  loss = sum B (fun i : nat => ell i + ell' i) / INR nu.
(*! *)
Proof. by_sums. Qed.


(*! D4.2: ratio *)
Theorem D4_2_ratio :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  exp (ell i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_1 * L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D4.2: sum *)
Theorem D4_2_sum :
  forall (B : nat) (c : R) (L : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  (i < B)%nat ->
  (forall i : nat, o i <> i) ->
  (forall i : nat, (i < B)%nat -> (o i < B)%nat) ->
  let O (i j : nat) : R := differ i j in
  sum B (fun m : nat => O i m * exp (c * L i m)) = sum B (fun m : nat => differ m i * differ m (o i) * exp (c
    * L i m)) + exp (c * L i (o i)).
(*! *)
Proof. by_sums. Qed.

(*! D4.2: positive *)
Theorem D4_2_positive :
  forall (B : nat) (c : R) (L : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  0 < sum B (fun m : nat => differ m i * differ m (o i) * exp (c * L i m)) + exp (c * L i (o i)).
(*! *)
Proof. by_signs. Qed.

(*! D4.3: printed_sum *)
Theorem D4_3_printed_sum :
  forall (B : nat) (beta_1 : R) (L O : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  let W (i j : nat) : R := (beta_1 - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun m : nat => W i m * O i m) = beta_1 - 1.
(*! *)
Proof. by_sums. Qed.

(*! D4.3: row *)
Theorem D4_3_row :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  exp (ell i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_1 * L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D4.3: printed_row *)
Theorem D4_3_printed_row :
  forall (B : nat) (beta_1 : R) (L O : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  let W (i j : nat) : R := (beta_1 - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  exp (ell i) = (beta_1 - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_1 * L i m)).
(*! *)
Proof. by_sums. Qed.

(*! D4.3: sum *)
Theorem D4_3_sum :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun m : nat => W i m * O i m) = INR B - 1.
(*! *)
Proof. by_sums. Qed.

(*! D4.3: flat *)
Theorem D4_3_flat :
  forall (B : nat) (L : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (i < B)%nat ->
  let O (i j : nat) : R := differ i j in
  let beta_1 : R := 0 in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  W i j = 1.
(*! *)
Proof. by_sums. Qed.


(*! D4.4: ratio *)
Theorem D4_4_ratio :
  forall (B d : nat) (beta_2 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_2) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  exp (ell' i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_2) * L m i)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_2 * L m i)).
(*! *)
Proof. by_sums. Qed.

(*! D4.4: swapped *)
Theorem D4_4_swapped :
  forall (d : nat) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  sum d (fun f : nat => I j f * T i f) = S j i.
(*! *)
Proof. by_sums. Qed.

(*! D4.5: printed_row *)
Theorem D4_5_printed_row :
  forall (B : nat) (beta_2 : R) (L O : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_2) ->
  let W' (i j : nat) : R := (beta_2 - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 *
    L m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  exp (ell' i) = (beta_2 - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_2) * L m i)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_2 * L m i)).
(*! *)
Proof. by_sums. Qed.

(*! D4.5: printed_sum *)
Theorem D4_5_printed_sum :
  forall (B : nat) (beta_2 : R) (L O : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_2) ->
  let W' (i j : nat) : R := (beta_2 - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 *
    L m i)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  sum B (fun m : nat => W' i m * O i m) = beta_2 - 1.
(*! *)
Proof. by_sums. Qed.

(*! D4.5: row *)
Theorem D4_5_row :
  forall (B d : nat) (beta_2 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_2) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  exp (ell' i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_2) * L m i)) * exp (- (L i i)) /
    sum B (fun m : nat => O i m * exp (beta_2 * L m i)).
(*! *)
Proof. by_sums. Qed.

(*! D4.5: sum *)
Theorem D4_5_sum :
  forall (B d : nat) (beta_2 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_2) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  sum B (fun m : nat => W' i m * O i m) = INR B - 1.
(*! *)
Proof. by_sums. Qed.

(*! D4.5: flat *)
Theorem D4_5_flat :
  forall (B : nat) (L : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (i < B)%nat ->
  let O (i j : nat) : R := differ i j in
  let beta_2 : R := 0 in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  W' i j = 1.
(*! *)
Proof. by_sums. Qed.


(*! M20: weight *)
Theorem M20_weight :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i j : nat),
  (forall i j : nat, 0 <= O i j) ->
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (0 <= beta_1) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  W i j * O i j = (INR B - 1) * rho i j.
(*! *)
Proof. by_sums. Qed.

(*! M20: held *)
Theorem M20_held :
  forall (B d : nat) (beta_1 tau_held : R) (I_held L O T_held : nat -> nat -> R) (i k l : nat),
  (0 < d)%nat ->
  (0 < tau_held) ->
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (l < B)%nat ->
  let L_held (i j : nat) : R := sum d (fun f : nat => I_held i f * T_held j f) / tau_held in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L_held i j) / sum B (fun m : nat => O i m * exp (beta_1
    * L_held i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i
    i in
  let Q (L : nat -> nat -> R) (i j : nat) : R := W i j * O i j * exp (L i j) / sum B (fun m : nat => W i m * O
    i m * exp (L i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L_held i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  is_derive (fun x : R => ell (set2 L k l x) i) (L k l) ((Q L i l - delta i l) * delta i k).
(*! *)
Proof. by_sums. Qed.

(*! M20: sum *)
Theorem M20_sum :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let Q (i j : nat) : R := O i j * exp ((1 + beta_1) * L i j) / sum B (fun m : nat => O i m * exp ((1 +
    beta_1) * L i m)) in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  sum B (fun l : nat => (1 + beta_1) * Q i l - delta i l - beta_1 * rho i l) = 0.
(*! *)
Proof. by_sums. Qed.

(*! M20: row *)
Theorem M20_row :
  forall (B : nat) (beta_1 : R) (L O : nat -> nat -> R) (i k l : nat),
  (0 <= beta_1) ->
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (l < B)%nat ->
  let W (L : nat -> nat -> R) (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O
    i m * exp (beta_1 * L i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W L i m * O i m * exp (L i m))) - L
    i i in
  let Q (L : nat -> nat -> R) (i j : nat) : R := O i j * exp ((1 + beta_1) * L i j) / sum B (fun m : nat => O
    i m * exp ((1 + beta_1) * L i m)) in
  let rho (L : nat -> nat -> R) (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m
    * exp (beta_1 * L i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W L i m * O i m * exp (L i m))) ->
  (forall i : nat, sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) <> 0) ->
  is_derive (fun x : R => ell (set2 L k l x) i) (L k l) (((1 + beta_1) * Q L i l - delta i l - beta_1 * rho L
    i l) * delta i k).
(*! *)
Proof. intros. unfold_names. set (c := INR B - 1) in *. clearbody c. by_rules. Qed.

(*! M20: share *)
Theorem M20_share :
  forall (B d : nat) (beta_1 tau : R) (I O T : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let Q (i j : nat) : R := W i j * O i j * exp (L i j) / sum B (fun m : nat => W i m * O i m * exp (L i m)) in
  (forall i : nat, sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) <> 0) ->
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, sum B (fun m : nat => W i m * O i m * exp (L i m)) <> 0) ->
  Q i j = O i j * exp ((1 + beta_1) * L i j) / sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)).
(*! *)
Proof. intros. unfold_names. set (c := INR B - 1) in *. clearbody c. by_rules. Qed.

(*! M20: held_sum *)
Theorem M20_held_sum :
  forall (B d : nat) (beta_1 tau tau_held : R) (I I_held O T T_held : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau_held) ->
  (0 < tau) ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let L_held (i j : nat) : R := sum d (fun f : nat => I_held i f * T_held j f) / tau_held in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L_held i j) / sum B (fun m : nat => O i m * exp (beta_1
    * L_held i m)) in
  let Q (i j : nat) : R := W i j * O i j * exp (L i j) / sum B (fun m : nat => W i m * O i m * exp (L i m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L_held i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => W i m * O i m * exp (L i m)) <> 0) ->
  sum B (fun l : nat => Q i l - delta i l) = 0.
(*! *)
Proof. intros. unfold_names. set (c := INR B - 1) in *. clearbody c. by_rules. Qed.

(*! M20: both *)
Theorem M20_both :
  forall (B nu : nat) (beta_1 beta_2 : R) (L O : nat -> nat -> R) (k l : nat),
  (0 < nu)%nat ->
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 <= beta_2) ->
  (l < B)%nat ->
  (k < B)%nat ->
  let W (L : nat -> nat -> R) (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O
    i m * exp (beta_1 * L i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W L i m * O i m * exp (L i m))) - L
    i i in
  let W' (L : nat -> nat -> R) (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O
    i m * exp (beta_2 * L m i)) in
  let ell' (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W' L i m * O i m * exp (L m i))) -
    L i i in
  let loss (L : nat -> nat -> R) : R := (sum B (fun i : nat => ell L i) + sum B (fun i : nat => ell' L i)) /
    INR nu in
  let Q (L : nat -> nat -> R) (i j : nat) : R := O i j * exp ((1 + beta_1) * L i j) / sum B (fun m : nat => O
    i m * exp ((1 + beta_1) * L i m)) in
  let Q' (L : nat -> nat -> R) (i j : nat) : R := O i j * exp ((1 + beta_2) * L j i) / sum B (fun m : nat => O
    i m * exp ((1 + beta_2) * L m i)) in
  let rho (L : nat -> nat -> R) (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m
    * exp (beta_1 * L i m)) in
  let rho' (L : nat -> nat -> R) (i j : nat) : R := O i j * exp (beta_2 * L j i) / sum B (fun m : nat => O i m
    * exp (beta_2 * L m i)) in
  let G (L : nat -> nat -> R) (i j : nat) : R := (1 + beta_1) * Q L i j + (1 + beta_2) * Q' L j i - 2 * delta
    i j - beta_1 * rho L i j - beta_2 * rho' L j i in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W L i m * O i m * exp (L i m))) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W' L i m * O i m * exp (L m i))) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp ((1 + beta_1) * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp ((1 + beta_2) * L m i)) <> 0) ->
  is_derive (fun x : R => loss (set2 L k l x)) (L k l) (G L k l / INR nu).
(*! *)
Proof. intros. unfold_names. set (c := INR B - 1) in *. clearbody c. by_rules. Qed.


(*! M21: push_back_positive *)
Theorem M21_push_back_positive :
  forall (B : nat) (beta_2 : R) (L L_held : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_2) ->
  0 < 1 + sum B (fun m : nat => differ m i * differ m (o i) * exp (- (L (o i) i)) * exp (beta_2 * L_held m i)
    * exp (- (beta_2 * L_held (o i) i)) * exp (L m i)).
(*! *)
Proof. by_signs. Qed.

(*! M21: positive *)
Theorem M21_positive :
  forall (B : nat) (beta_1 : R) (L : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  0 < 1 + sum B (fun m : nat => differ m i * differ m (o i) * exp (beta_1 * L i m) * exp (- (beta_1 * L i (o
    i)))).
(*! *)
Proof. by_signs. Qed.

(*! M21: push *)
Theorem M21_push :
  forall (B d : nat) (beta_1 tau_held : R) (I_held L T_held : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau_held) ->
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (forall i : nat, o i <> i) ->
  (i < B)%nat ->
  (forall i : nat, (i < B)%nat -> (o i < B)%nat) ->
  let O (i j : nat) : R := differ i j in
  let L_held (i j : nat) : R := sum d (fun f : nat => I_held i f * T_held j f) / tau_held in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L_held i j) / sum B (fun m : nat => O i m * exp (beta_1
    * L_held i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i
    i in
  let Q (L : nat -> nat -> R) (i j : nat) : R := W i j * O i j * exp (L i j) / sum B (fun m : nat => W i m * O
    i m * exp (L i m)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L_held i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  is_derive (fun x : R => ell (set2 L i (o i) x) i) (L i (o i)) (Q L i (o i)).
(*! *)
Proof. by_sums. Qed.

(*! M21: push_back *)
Theorem M21_push_back :
  forall (B d : nat) (beta_2 tau_held : R) (I_held L T_held : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau_held) ->
  (0 < B)%nat ->
  (0 <= beta_2) ->
  (forall i : nat, o i <> i) ->
  (i < B)%nat ->
  (forall i : nat, (i < B)%nat -> (o i < B)%nat) ->
  let O (i j : nat) : R := differ i j in
  let L_held (i j : nat) : R := sum d (fun f : nat => I_held i f * T_held j f) / tau_held in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L_held j i) / sum B (fun m : nat => O i m * exp
    (beta_2 * L_held m i)) in
  let ell' (L : nat -> nat -> R) (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L
    i i in
  let Q' (L : nat -> nat -> R) (i j : nat) : R := W' i j * O i j * exp (L j i) / sum B (fun m : nat => W' i m
    * O i m * exp (L m i)) in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_2 * L_held m i)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  is_derive (fun x : R => ell' (set2 L (o i) i x) i) (L (o i) i) (Q' L i (o i)).
(*! *)
Proof. by_sums. Qed.

(*! M21: push_positive *)
Theorem M21_push_positive :
  forall (B : nat) (beta_1 : R) (L L_held : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  0 < 1 + sum B (fun m : nat => differ m i * differ m (o i) * exp (- (L i (o i))) * exp (beta_1 * L_held i m)
    * exp (- (beta_1 * L_held i (o i))) * exp (L i m)).
(*! *)
Proof. by_signs. Qed.

(*! M21: share *)
Theorem M21_share :
  forall (B d : nat) (beta_1 tau : R) (I T : nat -> nat -> R) (o : nat -> nat) (i : nat),
  (0 < B)%nat ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  (forall i : nat, o i <> i) ->
  (forall i : nat, (i < B)%nat -> (o i < B)%nat) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let O (i j : nat) : R := differ i j in
  let rho (i j : nat) : R := O i j * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L i
    m)) in
  (forall i : nat, (i < B)%nat -> rho i (o i) <> 0) ->
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  1 / rho i (o i) = 1 + sum B (fun m : nat => differ m i * differ m (o i) * exp (beta_1 * L i m) * exp (-
    (beta_1 * L i (o i)))).
(*! *)
Proof. by_sums. Qed.

(*! M22: far *)
Theorem M22_far :
  forall (d : nat) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  sum d (fun f : nat => (I i f + T j f) ^ 2) = 2 * S i j + sum d (fun f : nat => I i f ^ 2) + sum d (fun f :
    nat => T j f ^ 2).
(*! *)
Proof. by_sums. Qed.

(*! M22: flat *)
Theorem M22_flat :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let O (i j : nat) : R := differ i j in
  let beta_1 : R := 0 in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, (i < B)%nat -> sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, (i < B)%nat -> 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  exp (ell i) = sum B (fun m : nat => O i m * exp (L i m)) * exp (- (L i i)).
(*! *)
Proof. by_sums. Qed.

(*! M22: near *)
Theorem M22_near :
  forall (d : nat) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  sum d (fun f : nat => (I i f - T j f) ^ 2) = sum d (fun f : nat => I i f ^ 2) + sum d (fun f : nat => T j f
    ^ 2) - 2 * S i j.
(*! *)
Proof. by_sums. Qed.

(*! M26: image *)
Theorem M26_image :
  forall (B d : nat) (c beta_1 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_1) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W (i j : nat) : R := (INR B - 1) * exp (beta_1 * L i j) / sum B (fun m : nat => O i m * exp (beta_1 * L
    i m)) in
  let ell (i : nat) : R := ln (sum B (fun m : nat => W i m * O i m * exp (L i m))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * (c + L i m))) <> 0) ->
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_1 * L i m)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W i m * O i m * exp (L i m))) ->
  exp (ell i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_1) * (c + L i m))) * exp (- (c) - L
    i i) / sum B (fun m : nat => O i m * exp (beta_1 * (c + L i m))).
(*! *)
Proof. by_sums. Qed.

(*! M26: text *)
Theorem M26_text :
  forall (B d : nat) (c beta_2 tau : R) (I O T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (forall i j : nat, 0 <= O i j) ->
  (0 <= beta_2) ->
  (0 < d)%nat ->
  (0 < tau) ->
  let S (i j : nat) : R := sum d (fun f : nat => I i f * T j f) in
  let L (i j : nat) : R := S i j / tau in
  let W' (i j : nat) : R := (INR B - 1) * exp (beta_2 * L j i) / sum B (fun m : nat => O i m * exp (beta_2 * L
    m i)) in
  let ell' (i : nat) : R := ln (sum B (fun m : nat => W' i m * O i m * exp (L m i))) - L i i in
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * (c + L m i))) <> 0) ->
  (forall i : nat, sum B (fun m : nat => O i m * exp (beta_2 * L m i)) <> 0) ->
  (forall i : nat, 0 < sum B (fun m : nat => W' i m * O i m * exp (L m i))) ->
  exp (ell' i) = (INR B - 1) * sum B (fun m : nat => O i m * exp ((1 + beta_2) * (c + L m i))) * exp (- (c) -
    L i i) / sum B (fun m : nat => O i m * exp (beta_2 * (c + L m i))).
(*! *)
Proof. by_sums. Qed.
