(* Definitions that statements use beyond those of Coq's real numbers and Coquelicot. This file must be trusted. *)

From Coq Require Import Reals.
From Coquelicot Require Import Coquelicot.
Local Open Scope R_scope.

(* f 0 + f 1 + ... + f (n - 1) *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S m => sum m f + f m
  end.

(* 1 if two indices are equal, else 0 *)
Definition delta (a b : nat) : R := if Nat.eqb a b then 1 else 0.

(* 1 if they differ, else 0 *)
Definition differ (a b : nat) : R := if Nat.eqb a b then 0 else 1.

(* an array with one entry replaced by x *)
Definition set1 (z : nat -> R) (i : nat) (x : R) : nat -> R :=
  fun i' => if Nat.eqb i' i then x else z i'.

Definition set2 (z : nat -> nat -> R) (i j : nat) (x : R) : nat -> nat -> R :=
  fun i' j' => if andb (Nat.eqb i' i) (Nat.eqb j' j) then x else z i' j'.

Definition set3 (z : nat -> nat -> nat -> R) (i j k : nat) (x : R) : nat -> nat -> nat -> R :=
  fun i' j' k' => if andb (andb (Nat.eqb i' i) (Nat.eqb j' j)) (Nat.eqb k' k) then x else z i' j' k'.

(* the entries of a list, and 0 beyond its end *)
Fixpoint entries {T : Type} (beyond : T) (xs : list T) (i : nat) : T :=
  match xs, i with
  | nil, _ => beyond
  | cons x _, O => x
  | cons _ rest, S j => entries beyond rest j
  end.

Definition places (xs : list nat) : nat -> nat := entries O xs.
Definition list1 (xs : list R) : nat -> R := entries 0 xs.
Definition list2 (xs : list (list R)) : nat -> nat -> R := fun i => list1 (entries nil xs i).
Definition list3 (xs : list (list (list R))) : nat -> nat -> nat -> R := fun i => list2 (entries nil xs i).
