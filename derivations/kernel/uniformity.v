(* Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F19: mutual *)
Theorem F19_mutual :
  forall (d : nat) (z : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (z i f - z j f) ^ 2) in
  norm_Deltanorm__2 i j = norm_Deltanorm__2 j i.
(*! *)
Proof. by_sums. Qed.

(*! F19: pairs *)
Theorem F19_pairs :
  forall (N : nat),
  (0 < N)%nat ->
  sum N (fun i : nat => sum N (fun j : nat => differ i j)) = INR N * (INR N - 1).
(*! *)
Proof. by_sums. Qed.

(*! F19: positive *)
Theorem F19_positive :
  forall (t_0 : R) (norm_Deltanorm__2 : nat -> nat -> R) (i j : nat),
  (0 < t_0) ->
  0 < exp (- (t_0 * norm_Deltanorm__2 i j)).
(*! *)
Proof. by_signs. Qed.

(*! F20: shares *)
Theorem F20_shares :
  forall (N d : nat) (t_0 : R) (z : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (0 < t_0) ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (z i f - z j f) ^ 2) in
  let kappa_circumflex (i j : nat) : R := differ i j * exp (- (t_0 * norm_Deltanorm__2 i j)) / sum N (fun m :
    nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2 m n)))) in
  (sum N (fun m : nat => sum N (fun n : nat => differ m n * exp (- (t_0 * norm_Deltanorm__2 m n)))) <> 0) ->
  sum N (fun i : nat => sum N (fun j : nat => kappa_circumflex i j)) = 1.
(*! *)
Proof. by_sums. Qed.
