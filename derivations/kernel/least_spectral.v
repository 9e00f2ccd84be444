(* The least spectral loss of unit rows: squares. *)

From infonce_ref Require Import sums enclosures.
Local Open Scope R_scope.

(*! M33: near sign *)
Theorem M33_near_sign :
  forall (M d : nat) (S Z_1 Z_2 : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= sum (1 + M)%nat (fun i : nat => sum d (fun f : nat => (Z_1 i f - Z_2 i f) ^ 2)) / (1 + INR M) + sum (1
    + M)%nat (fun i : nat => sum (1 + M)%nat (fun j : nat => S i j ^ 2 * differ i j)) / INR M / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M33: floor sign *)
Theorem M33_floor_sign :
  forall (M d : nat) (Z_1 Z_2 : nat -> nat -> R),
  (0 < M)%nat ->
  (0 < d)%nat ->
  0 <= (sum d (fun f : nat => sum d (fun g : nat => (sum (1 + M)%nat (fun i : nat => Z_1 i f * Z_1 i g + Z_2 i
    f * Z_2 i g) - (2 + 2 * INR M) * delta f g / INR d) ^ 2)) / 4 + sum (1 + M)%nat (fun i : nat => sum (1 +
    M)%nat (fun j : nat => differ j i * sum d (fun f : nat => (Z_1 i f - Z_2 i f) ^ 2) * sum d (fun g : nat =>
    (Z_1 j g - Z_2 j g) ^ 2))) / 4 + sum d (fun f : nat => sum d (fun g : nat => sum (1 + M)%nat (fun i : nat
    => sum (1 + M)%nat (fun j : nat => ((Z_1 i f - Z_2 i f) * (Z_1 j g + Z_2 j g) - (Z_1 j f - Z_2 j f) * (Z_1
    i g + Z_2 i g)) ^ 2)))) / 8 + sum d (fun f : nat => sum d (fun g : nat => (sum (1 + M)%nat (fun i : nat =>
    (Z_1 i f - Z_2 i f) * (Z_1 i g + Z_2 i g) - (Z_1 i g - Z_2 i g) * (Z_1 i f + Z_2 i f))) ^ 2)) / 16) / INR
    M / (1 + INR M).
(*! *)
Proof. by_signs. Qed.

(*! M33: circle *)
Theorem M33_circle :
  let M : nat := (3)%nat in
  let d : nat := (2)%nat in
  let Z_1 : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: (0 :: 1 :: nil) :: (- 1 :: 0 :: nil) :: (0 :: - 1 ::
    nil) :: nil)%list in
  let Z_2 : nat -> nat -> R := list2 ((1 :: 0 :: nil) :: (0 :: 1 :: nil) :: (- 1 :: 0 :: nil) :: (0 :: - 1 ::
    nil) :: nil)%list in
  let S (i j : nat) : R := sum d (fun f : nat => Z_1 i f * Z_2 j f) in
  let ell (i : nat) : R := sum (1 + M)%nat (fun j : nat => S i j ^ 2 * differ i j) / INR M - 2 * S i i in
  sum (1 + M)%nat (fun i : nat => ell i) / (1 + INR M) = - (5 / 3).
(*! *)
Proof. intros. unfold ell, S, M, d, Z_1, Z_2, list2. cbv -[Rplus Rmult Rdiv Rinv Ropp Rminus IZR pow INR]. simpl. field. Qed.
