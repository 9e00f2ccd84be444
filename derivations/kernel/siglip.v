(* SigLIP: of each image and each text, whether they are a pair, by a sigmoid of its own (document F). *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From infonce_ref Require Import vocabulary sums.
Local Open Scope R_scope.

(*! F10: error *)
Theorem F10_error :
  forall (d : nat) (b tau : R) (I T : nat -> nat -> R) (i j : nat),
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let Sigma_circumflex (i j : nat) : R := exp (b + L i j) / (1 + exp (b + L i j)) in
  let G (i j : nat) : R := differ i j * Sigma_circumflex i j - delta i j / (1 + exp (b + L i j)) in
  G i j = Sigma_circumflex i j - delta i j.
(*! *)
Proof. by_sums. Qed.

(*! F10: image *)
Theorem F10_image :
  forall (B d nu : nat) (b tau : R) (I T : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let L (I : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let ell (I : nat -> nat -> R) (i : nat) : R := sum B (fun j : nat => differ j i * ln (1 + exp (b + L I i
    j))) + ln (1 + exp (- (b) - L I i i)) in
  let loss (I : nat -> nat -> R) : R := sum B (fun i : nat => ell I i) / INR nu in
  let Sigma_circumflex (I : nat -> nat -> R) (i j : nat) : R := exp (b + L I i j) / (1 + exp (b + L I i j)) in
  let G (I : nat -> nat -> R) (i j : nat) : R := differ i j * Sigma_circumflex I i j - delta i j / (1 + exp (b
    + L I i j)) in
  is_derive (fun x : R => loss (set2 I k f x)) (I k f) (sum B (fun j : nat => G I k j * T j f) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! F10: text *)
Theorem F10_text :
  forall (B d nu : nat) (b tau : R) (I T : nat -> nat -> R) (f k : nat),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < tau) ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let L (T : nat -> nat -> R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let ell (T : nat -> nat -> R) (i : nat) : R := sum B (fun j : nat => differ j i * ln (1 + exp (b + L T i
    j))) + ln (1 + exp (- (b) - L T i i)) in
  let loss (T : nat -> nat -> R) : R := sum B (fun i : nat => ell T i) / INR nu in
  let Sigma_circumflex (T : nat -> nat -> R) (i j : nat) : R := exp (b + L T i j) / (1 + exp (b + L T i j)) in
  let G (T : nat -> nat -> R) (i j : nat) : R := differ i j * Sigma_circumflex T i j - delta i j / (1 + exp (b
    + L T i j)) in
  is_derive (fun x : R => loss (set2 T k f x)) (T k f) (sum B (fun i : nat => G T i k * I i f) / tau / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! F11: datum *)
Theorem F11_datum :
  forall (M : nat) (b : R) (u_plus : nat -> R) (i : nat),
  (0 < M)%nat ->
  let lambda (i : nat) : R := - (b) - ln (INR M) in
  let h (i : nat) : R := exp (u_plus i) / (INR M * exp (lambda i) + exp (u_plus i)) in
  (forall i : nat, h i <> 0) ->
  1 / h i = 1 + exp (- (b) - u_plus i).
(*! *)
Proof. by_sums. Qed.

(*! F9: pair *)
Theorem F9_pair :
  forall (b : R) (L : nat -> nat -> R) (i j : nat),
  let y_s (i j : nat) : R := 1 in
  ln (1 + exp (- ((b + L i j) * y_s i j))) = ln (1 + exp (- (b) - L i j)).
(*! *)
Proof. by_sums. Qed.

(*! F9: positive *)
Theorem F9_positive :
  forall (b : R) (L : nat -> nat -> R) (i j : nat),
  0 < exp (b + L i j).
(*! *)
Proof. by_signs. Qed.

(*! F9: whole *)
Theorem F9_whole :
  forall (B nu : nat) (b : R) (L : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  let ell (i : nat) : R := sum B (fun j : nat => differ j i * ln (1 + exp (b + L i j))) + ln (1 + exp (- (b) -
    L i i)) in
  let loss : R := sum B (fun i : nat => ell i) / INR nu in
  loss = sum B (fun i : nat => sum B (fun j : nat => differ i j * ln (1 + exp (b + L i j)) + delta i j * ln (1
    + exp (- (b) - L i j)))) / INR nu.
(*! *)
Proof. by_sums. Qed.

(*! F9: other *)
Theorem F9_other :
  forall (b : R) (L : nat -> nat -> R) (i j : nat),
  let y_s (i j : nat) : R := - 1 in
  ln (1 + exp (- ((b + L i j) * y_s i j))) = ln (1 + exp (b + L i j)).
(*! *)
Proof. intros; unfold_names. do 3 f_equal. ring. Qed.
