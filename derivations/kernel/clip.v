(* CLIP: images and their texts, each classified among all the others (named in document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.47: exchange *)
Theorem D3_47_exchange :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L i k)) in
  let P_c (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L k j)) in
  let ell (i : nat) : R := - (ln (P i i) / 2) - ln (P_c i i) / 2 in
  let loss : R := sum B (fun i : nat => ell i) / INR B in
  (forall i : nat, (i < B)%nat -> 0 < P i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c i i) ->
  loss = sum B (fun i : nat => - (ln (exp (sum d (fun g : nat => I i g * T i g) / tau) / sum B (fun k : nat =>
    exp (sum d (fun g : nat => I i g * T k g) / tau))) / 2) - ln (exp (sum d (fun g : nat => I i g * T i g) /
    tau) / sum B (fun k : nat => exp (sum d (fun g : nat => I k g * T i g) / tau))) / 2) / INR B.
(*! *)
Proof. by_sums. Qed.

(*! M17: image *)
Theorem M17_image :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let L (I : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (I : nat -> nat -> R) (i j : nat) : R := exp (L I i j) / sum B (fun k : nat => exp (L I i k)) in
  let P_c (I : nat -> nat -> R) (i j : nat) : R := exp (L I i j) / sum B (fun k : nat => exp (L I k j)) in
  let ell (I : nat -> nat -> R) (i : nat) : R := - (ln (P I i i) / 2) - ln (P_c I i i) / 2 in
  let loss (I : nat -> nat -> R) : R := sum B (fun i : nat => ell I i) / INR B in
  let G (I : nat -> nat -> R) (i j : nat) : R := P I i j + P_c I i j - 2 * delta i j in
  (forall i : nat, (i < B)%nat -> 0 < P I i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c I i i) ->
  is_derive (fun x : R => loss (set2 I k f x)) (I k f) (sum B (fun j : nat => G I k j * T j f) / 2 / tau / INR
    B).
(*! *)
Proof. by_sums. Qed.

(*! M17: logits *)
Theorem M17_logits :
  forall (B : nat) (L : nat -> nat -> R) (i j : nat),
  (0 < B)%nat ->
  (j < B)%nat ->
  (i < B)%nat ->
  let P (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L i k)) in
  let P_c (L : nat -> nat -> R) (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L k j)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i i) / 2) - ln (P_c L i i) / 2 in
  let loss (L : nat -> nat -> R) : R := sum B (fun i : nat => ell L i) / INR B in
  let G (L : nat -> nat -> R) (i j : nat) : R := P L i j + P_c L i j - 2 * delta i j in
  (forall i : nat, (i < B)%nat -> 0 < P L i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c L i i) ->
  is_derive (fun x : R => loss (set2 L i j x)) (L i j) (G L i j / 2 / INR B).
(*! *)
Proof. by_sums. Qed.

(*! M17: text *)
Theorem M17_text :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let L (T : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (T : nat -> nat -> R) (i j : nat) : R := exp (L T i j) / sum B (fun k : nat => exp (L T i k)) in
  let P_c (T : nat -> nat -> R) (i j : nat) : R := exp (L T i j) / sum B (fun k : nat => exp (L T k j)) in
  let ell (T : nat -> nat -> R) (i : nat) : R := - (ln (P T i i) / 2) - ln (P_c T i i) / 2 in
  let loss (T : nat -> nat -> R) : R := sum B (fun i : nat => ell T i) / INR B in
  let G (T : nat -> nat -> R) (i j : nat) : R := P T i j + P_c T i j - 2 * delta i j in
  (forall i : nat, (i < B)%nat -> 0 < P T i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c T i i) ->
  is_derive (fun x : R => loss (set2 T k f x)) (T k f) (sum B (fun i : nat => G T i k * I i f) / 2 / tau / INR
    B).
(*! *)
Proof. by_sums. Qed.

(*! M17: rows *)
Theorem M17_rows :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (i : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L i k)) in
  sum B (fun j : nat => P i j) = 1.
(*! *)
Proof. by_sums. Qed.

(*! M17: columns *)
Theorem M17_columns :
  forall (B d : nat) (tau : R) (I T : nat -> nat -> R) (j : nat),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let P_c (i j : nat) : R := exp (L i j) / sum B (fun k : nat => exp (L k j)) in
  sum B (fun i : nat => P_c i j) = 1.
(*! *)
Proof. by_sums. Qed.

(*! M17: scale *)
Theorem M17_scale :
  forall (B d : nat) (upsilon : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  let tau (upsilon : R) : R := exp (- (upsilon)) in
  let L (upsilon : R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau upsilon in
  let P (upsilon : R) (i j : nat) : R := exp (L upsilon i j) / sum B (fun k : nat => exp (L upsilon i k)) in
  let P_c (upsilon : R) (i j : nat) : R := exp (L upsilon i j) / sum B (fun k : nat => exp (L upsilon k j)) in
  let ell (upsilon : R) (i : nat) : R := - (ln (P upsilon i i) / 2) - ln (P_c upsilon i i) / 2 in
  let loss (upsilon : R) : R := sum B (fun i : nat => ell upsilon i) / INR B in
  let G (upsilon : R) (i j : nat) : R := P upsilon i j + P_c upsilon i j - 2 * delta i j in
  (forall i : nat, (i < B)%nat -> 0 < P upsilon i i) ->
  (forall i : nat, (i < B)%nat -> 0 < P_c upsilon i i) ->
  is_derive (fun x : R => loss x) upsilon (sum B (fun i : nat => sum B (fun j : nat => G upsilon i j * L
    upsilon i j)) / 2 / INR B).
(*! *)
Proof. by_sums. Qed.
