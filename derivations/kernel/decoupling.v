(* The factor that couples positive and negatives in the gradient of InfoNCE, and that DCL removes. *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! R7: unsure *)
Theorem R7_unsure :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  1 - P i (p i) = sum A (fun n : nat => differ n (p i) * P i n).
(*! *)
Proof. by_sums. Qed.

(*! R7: alone *)
Theorem R7_alone :
  forall (A N : nat) (L : nat -> nat -> R) (p : nat -> nat) (a i : nat),
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  (a < A)%nat ->
  let ell_d (L : nat -> nat -> R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) -
    L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  is_derive (fun x : R => ell_d (set2 L i a x) i) (L i a) (differ a (p i) * exp (L i a) / sum A (fun m : nat
    => differ m (p i) * exp (L i m)) - delta a (p i)).
(*! *)
Proof. by_sums. Qed.

(*! R7: positive *)
Theorem R7_positive :
  forall (ell_d : nat -> R) (i : nat),
  0 < exp (ell_d i) / (1 + exp (ell_d i)).
(*! *)
Proof. by_signs. Qed.

(*! R7: softplus *)
Theorem R7_softplus :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  (0 < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell (i : nat) : R := - (ln (P i (p i))) in
  let ell_d (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) - L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P i (p i)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  ell i = ln (1 + exp (ell_d i)).
(*! *)
Proof. intros; unfold_names. apply softplus; [sign | normalise; finish]. Qed.

(*! R7: candidate *)
Theorem R7_candidate :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (a f i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (a < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (y : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (y : nat -> nat -> R) (i a : nat) : R := exp (L y i a) / sum A (fun m : nat => exp (L y i m)) in
  let ell (y : nat -> nat -> R) (i : nat) : R := - (ln (P y i (p i))) in
  let ell_d (y : nat -> nat -> R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L y i m)))
    - L y i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P y i (p i)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L y i m))) ->
  (ex_derive (fun x : R => ell_d (set2 y a f x) i) (y a f)) /\ is_derive (fun x : R => ell (set2 y a f x) i)
    (y a f) (sum A (fun n : nat => differ n (p i) * P y i n) * Derive (fun x : R => ell_d (set2 y a f x) i) (y
    a f)).
(*! *)
Proof. by_sums. Qed.

(*! R7: factor *)
Theorem R7_factor :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell_d (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) - L i (p i) in
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  sum A (fun n : nat => differ n (p i) * P i n) = exp (ell_d i) / (1 + exp (ell_d i)).
(*! *)
Proof. by_sums. Qed.

(*! R7: logit *)
Theorem R7_logit :
  forall (A N : nat) (L : nat -> nat -> R) (p : nat -> nat) (a i k : nat),
  (0 < A)%nat ->
  (a < A)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let P (L : nat -> nat -> R) (i a : nat) : R := exp (L i a) / sum A (fun m : nat => exp (L i m)) in
  let ell (L : nat -> nat -> R) (i : nat) : R := - (ln (P L i (p i))) in
  let ell_d (L : nat -> nat -> R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L i m))) -
    L i (p i) in
  (forall i : nat, 0 < P L i (p i)) ->
  (forall i : nat, 0 < sum A (fun m : nat => differ m (p i) * exp (L i m))) ->
  (ex_derive (fun x : R => ell_d (set2 L k a x) i) (L k a)) /\ is_derive (fun x : R => ell (set2 L k a x) i)
    (L k a) (sum A (fun n : nat => differ n (p i) * P L i n) * Derive (fun x : R => ell_d (set2 L k a x) i) (L
    k a)).
(*! *)
Proof. by_sums. Qed.

(*! R7: row *)
Theorem R7_row :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (f i k : nat),
  (0 < A)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  (f < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (z : nat -> nat -> R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (z : nat -> nat -> R) (i a : nat) : R := exp (L z i a) / sum A (fun m : nat => exp (L z i m)) in
  let ell (z : nat -> nat -> R) (i : nat) : R := - (ln (P z i (p i))) in
  let ell_d (z : nat -> nat -> R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L z i m)))
    - L z i (p i) in
  (forall i : nat, 0 < P z i (p i)) ->
  (forall i : nat, 0 < sum A (fun m : nat => differ m (p i) * exp (L z i m))) ->
  (ex_derive (fun x : R => ell_d (set2 z k f x) i) (z k f)) /\ is_derive (fun x : R => ell (set2 z k f x) i)
    (z k f) (sum A (fun n : nat => differ n (p i) * P z i n) * Derive (fun x : R => ell_d (set2 z k f x) i) (z
    k f)).
(*! *)
Proof. by_sums. Qed.

(*! R7: temperature *)
Theorem R7_temperature :
  forall (A N d : nat) (tau : R) (y z : nat -> nat -> R) (p : nat -> nat) (i : nat),
  (0 < tau) ->
  (0 < A)%nat ->
  (0 < d)%nat ->
  (i < N)%nat ->
  (forall i : nat, (i < N)%nat -> (p i < A)%nat) ->
  let L (tau : R) (i a : nat) : R := sum d (fun f : nat => y a f * z i f) / tau in
  let P (tau : R) (i a : nat) : R := exp (L tau i a) / sum A (fun m : nat => exp (L tau i m)) in
  let ell (tau : R) (i : nat) : R := - (ln (P tau i (p i))) in
  let ell_d (tau : R) (i : nat) : R := ln (sum A (fun m : nat => differ m (p i) * exp (L tau i m))) - L tau i
    (p i) in
  (forall i : nat, (i < N)%nat -> 0 < P tau i (p i)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum A (fun m : nat => differ m (p i) * exp (L tau i m))) ->
  (ex_derive (fun x : R => ell_d x i) tau) /\ is_derive (fun x : R => ell x i) tau (sum A (fun n : nat =>
    differ n (p i) * P tau i n) * Derive (fun x : R => ell_d x i) tau).
(*! *)
Proof. by_sums. Qed.
