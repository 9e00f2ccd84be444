(* The spectral contrastive loss: inner products of pairs, and squared inner products of all other rows (document F). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! F7: batch *)
Theorem F7_batch :
  forall (B d : nat) (Z_1 Z_2 : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  let nu : nat := (B)%nat in
  let S (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let ell (i : nat) : R := sum B (fun j : nat => S i j ^ 2 * differ i j) / (INR B - 1) - 2 * S i i in
  let loss : R := sum B (fun i : nat => ell i) / INR nu in
  (INR B - 1 <> 0) ->
  loss = sum B (fun i : nat => sum B (fun j : nat => S i j ^ 2 * differ i j)) / INR B / (INR B - 1) - 2 * sum
    B (fun i : nat => S i i) / INR B.
(*! *)
Proof. by_sums. Qed.

(*! F7: exchange *)
Theorem F7_exchange :
  forall (B d nu : nat) (Z_1 Z_2 : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < nu)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let ell (i : nat) : R := sum B (fun j : nat => S i j ^ 2 * differ i j) / (INR B - 1) - 2 * S i i in
  let loss : R := sum B (fun i : nat => ell i) / INR nu in
  (INR B - 1 <> 0) ->
  loss = sum B (fun i : nat => sum B (fun j : nat => (sum d (fun f : nat => Z_1 j f * Z_2 i f)) ^ 2 * differ i
    j) / (INR B - 1) - 2 * sum d (fun f : nat => Z_1 i f * Z_2 i f)) / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! F7: pairs *)
Theorem F7_pairs :
  forall (B : nat),
  (0 < B)%nat ->
  sum B (fun i : nat => sum B (fun j : nat => differ i j)) = INR B * (INR B - 1).
(*! *)
Proof. by_sums. Qed.

(*! F7: square *)
Theorem F7_square :
  forall (S : nat -> nat -> R) (i j : nat),
  0 <= S i j ^ 2.
(*! *)
Proof. by_signs. Qed.

(*! F8: pull *)
Theorem F8_pull :
  forall (B d : nat) (Z_1 Z_2 : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  (0 < B)%nat ->
  let S (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let G (i j : nat) : R := 2 * differ i j * S i j / (INR B - 1) - 2 * delta i j in
  (INR B - 1 <> 0) ->
  G i i = - 2.
(*! *)
Proof. by_sums. Qed.

(*! F8: z1 *)
Theorem F8_z1 :
  forall (B d nu : nat) (Z_1 Z_2 : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let S (Z_1 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let ell (Z_1 : nat -> nat -> R) (i : nat) : R := sum B (fun j : nat => S Z_1 i j ^ 2 * differ i j) / (INR B
    - 1) - 2 * S Z_1 i i in
  let loss (Z_1 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_1 i) / INR nu in
  let G (Z_1 : nat -> nat -> R) (i j : nat) : R := 2 * differ i j * S Z_1 i j / (INR B - 1) - 2 * delta i j in
  (INR B - 1 <> 0) ->
  is_derive (fun x : R => loss (set2 Z_1 k f x)) (Z_1 k f) (sum B (fun j : nat => G Z_1 k j * Z_2 j f) / INR
    nu).
(*! *)
Proof. by_sums. Qed.

(*! F8: z2 *)
Theorem F8_z2 :
  forall (B d nu : nat) (Z_1 Z_2 : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let S (Z_2 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let ell (Z_2 : nat -> nat -> R) (i : nat) : R := sum B (fun j : nat => S Z_2 i j ^ 2 * differ i j) / (INR B
    - 1) - 2 * S Z_2 i i in
  let loss (Z_2 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_2 i) / INR nu in
  let G (Z_2 : nat -> nat -> R) (i j : nat) : R := 2 * differ i j * S Z_2 i j / (INR B - 1) - 2 * delta i j in
  (INR B - 1 <> 0) ->
  is_derive (fun x : R => loss (set2 Z_2 k f x)) (Z_2 k f) (sum B (fun j : nat => G Z_2 j k * Z_1 j f) / INR
    nu).
(*! *)
Proof. by_sums. Qed.
