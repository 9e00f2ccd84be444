(* The triplet loss: a hinge on the difference of two squared distances (named in document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.1: together *)
Theorem D3_1_together :
  forall (N d nu : nat) (mu : R) (x_a x_p x_n : nat -> nat -> R) (alpha : nat -> R) (f k : nat),
  (0 < d)%nat ->
  (0 < N)%nat ->
  (0 < nu)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let ell (x_a : nat -> nat -> R) (x_p : nat -> nat -> R) (x_n : nat -> nat -> R) (i : nat) : R := (mu + sum d
    (fun g : nat => (x_a i g - x_p i g) ^ 2 - (x_a i g - x_n i g) ^ 2)) * alpha i in
  let loss (x_a : nat -> nat -> R) (x_p : nat -> nat -> R) (x_n : nat -> nat -> R) : R := sum N (fun i : nat
    => ell x_a x_p x_n i) / INR nu in
  (ex_derive (fun x : R => loss (set2 x_a k f x) x_p x_n) (x_a k f)) /\ (ex_derive (fun x : R => loss x_a
    (set2 x_p k f x) x_n) (x_p k f)) /\ (ex_derive (fun x : R => loss x_a x_p (set2 x_n k f x)) (x_n k f)) /\
    Derive (fun x : R => loss (set2 x_a k f x) x_p x_n) (x_a k f) + Derive (fun x : R => loss x_a (set2 x_p k
    f x) x_n) (x_p k f) + Derive (fun x : R => loss x_a x_p (set2 x_n k f x)) (x_n k f) = 0.
(*! *)
Proof. by_sums. Qed.

(*! M12: anchor *)
Theorem M12_anchor :
  forall (N d nu : nat) (mu : R) (x_a x_p x_n : nat -> nat -> R) (alpha : nat -> R) (f k : nat),
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let ell (x_a : nat -> nat -> R) (i : nat) : R := (mu + sum d (fun g : nat => (x_a i g - x_p i g) ^ 2 - (x_a
    i g - x_n i g) ^ 2)) * alpha i in
  let loss (x_a : nat -> nat -> R) : R := sum N (fun i : nat => ell x_a i) / INR nu in
  is_derive (fun x : R => loss (set2 x_a k f x)) (x_a k f) (2 * (x_n k f - x_p k f) * alpha k / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! M12: negative *)
Theorem M12_negative :
  forall (N d nu : nat) (mu : R) (x_a x_p x_n : nat -> nat -> R) (alpha : nat -> R) (f k : nat),
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let ell (x_n : nat -> nat -> R) (i : nat) : R := (mu + sum d (fun g : nat => (x_a i g - x_p i g) ^ 2 - (x_a
    i g - x_n i g) ^ 2)) * alpha i in
  let loss (x_n : nat -> nat -> R) : R := sum N (fun i : nat => ell x_n i) / INR nu in
  is_derive (fun x : R => loss (set2 x_n k f x)) (x_n k f) (2 * (x_a k f - x_n k f) * alpha k / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! M12: positive *)
Theorem M12_positive :
  forall (N d nu : nat) (mu : R) (x_a x_p x_n : nat -> nat -> R) (alpha : nat -> R) (f k : nat),
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < N)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let ell (x_p : nat -> nat -> R) (i : nat) : R := (mu + sum d (fun g : nat => (x_a i g - x_p i g) ^ 2 - (x_a
    i g - x_n i g) ^ 2)) * alpha i in
  let loss (x_p : nat -> nat -> R) : R := sum N (fun i : nat => ell x_p i) / INR nu in
  is_derive (fun x : R => loss (set2 x_p k f x)) (x_p k f) (2 * (x_p k f - x_a k f) * alpha k / INR nu).
(*! *)
Proof. by_sums. Qed.
