(* Alignment: the mean of a power of the distance between two views (document F). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! F12: sign *)
Theorem F12_sign :
  forall (d : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (i : nat),
  (0 < alpha_e) ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  (forall i : nat, 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  0 <= psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2).
(*! *)
Proof. by_signs. Qed.

(*! F13: smooth *)
Theorem F13_smooth :
  forall (d : nat) (Z_1 Z_2 : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (f < d)%nat ->
  let norm_Deltanorm__2 (Z_1 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  is_derive (fun x : R => norm_Deltanorm__2 (set2 Z_1 k f x) k k) (Z_1 k f) (2 * Z_1 k f - 2 * Z_2 k f).
(*! *)
Proof. by_sums. Qed.

(*! F13: ahead *)
Theorem F13_ahead :
  forall (y alpha_e : R),
  (0 < alpha_e) ->
  exp y * exp (- (y * alpha_e)) = exp (y * (1 - alpha_e)).
(*! *)
Proof. intros. rewrite <- exp_plus. f_equal. ring. Qed.

(*! F13: behind *)
Theorem F13_behind :
  forall (y alpha_e : R),
  (0 < alpha_e) ->
  - (exp y * exp (- (y * alpha_e))) = - (exp (y * (1 - alpha_e))).
(*! *)
Proof. intros. rewrite <- exp_plus. f_equal. f_equal. ring. Qed.

(*! F13: z1 *)
Theorem F13_z1 :
  forall (B d nu : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (f k : nat),
  (0 < alpha_e) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  (0 < B)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let norm_Deltanorm__2 (Z_1 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  let ell (Z_1 : nat -> nat -> R) (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 Z_1 i
    i - psi_held i) / 2) in
  let loss (Z_1 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_1 i) / INR nu in
  (forall k : nat, (k < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_1 k k - psi_held k) ->
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_1 i i - psi_held i) ->
  is_derive (fun x : R => loss (set2 Z_1 k f x)) (Z_1 k f) (alpha_e * (Z_1 k f - Z_2 k f) * psi_held k * exp
    ((alpha_e / 2 - 1) * ln (1 + norm_Deltanorm__2 Z_1 k k - psi_held k)) / INR nu).
(*! *)
Proof. by_sums. Qed.

(*! F13: z2 *)
Theorem F13_z2 :
  forall (B d nu : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (psi_held : nat -> R) (f k : nat),
  (0 < alpha_e) ->
  (0 < nu)%nat ->
  (forall i : nat, 0 <= psi_held i) ->
  (0 < d)%nat ->
  (0 < B)%nat ->
  (f < d)%nat ->
  (k < B)%nat ->
  let norm_Deltanorm__2 (Z_2 : nat -> nat -> R) (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^
    2) in
  let ell (Z_2 : nat -> nat -> R) (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 Z_2 i
    i - psi_held i) / 2) in
  let loss (Z_2 : nat -> nat -> R) : R := sum B (fun i : nat => ell Z_2 i) / INR nu in
  (forall k : nat, (k < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_2 k k - psi_held k) ->
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 Z_2 i i - psi_held i) ->
  is_derive (fun x : R => loss (set2 Z_2 k f x)) (Z_2 k f) (alpha_e * (Z_2 k f - Z_1 k f) * psi_held k * exp
    ((alpha_e / 2 - 1) * ln (1 + norm_Deltanorm__2 Z_2 k k - psi_held k)) / INR nu).
(*! *)
Proof. by_sums. Qed.

Lemma root_of_square : forall x, 0 < 1 + x - 1 -> 1 * exp (2 * ln (1 + x - 1) / 2) = x.
Proof.
  intros x X. replace (2 * ln (1 + x - 1) / 2) with (ln (1 + x - 1)) by field. rewrite exp_ln by exact X. ring.
Qed.

(*! F12: log *)
Theorem F12_log :
  forall (d : nat) (alpha_e : R) (Z_1 Z_2 : nat -> nat -> R) (i : nat),
  (0 < alpha_e) ->
  (0 < d)%nat ->
  let psi_held (i : nat) : R := 1 in
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  let ell (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2) in
  (forall i : nat, 0 < ell i) ->
  (forall i : nat, 0 < norm_Deltanorm__2 i i) ->
  (forall i : nat, 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  ln (ell i) = alpha_e * ln (norm_Deltanorm__2 i i) / 2.
(*! *)
Proof.
  intros. unfold ell, psi_held. rewrite Rmult_1_l, ln_exp. do 3 f_equal. ring.
Qed.

(*! F12: square *)
Theorem F12_square :
  forall (B d nu : nat) (Z_1 Z_2 : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  let alpha_e : R := 2 in
  let psi_held (i : nat) : R := 1 in
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  let ell (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2) in
  let loss : R := sum B (fun i : nat => ell i) / INR nu in
  (forall i : nat, (i < B)%nat -> 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  loss = sum B (fun i : nat => norm_Deltanorm__2 i i) / INR nu.
(*! *)
Proof. intros. unfold loss. f_equal. apply sum_ext. intros i I_. apply root_of_square, H2, I_. Qed.

(*! F12: byol *)
Theorem F12_byol :
  forall (d : nat) (qtheta z' : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  let alpha_e : R := 2 in
  let psi_held (i : nat) : R := 1 in
  let norm_qtheta (i : nat) : R := sqrt (sum d (fun g : nat => qtheta i g ^ 2)) in
  let q_macrontheta (i f : nat) : R := qtheta i f / norm_qtheta i in
  let Z_1 (i f : nat) : R := q_macrontheta i f in
  let norm_z' (i : nat) : R := sqrt (sum d (fun g : nat => z' i g ^ 2)) in
  let z_macron' (i f : nat) : R := z' i f / norm_z' i in
  let Z_2 (i f : nat) : R := z_macron' i f in
  let norm_Deltanorm__2 (i j : nat) : R := sum d (fun f : nat => (Z_1 i f - Z_2 j f) ^ 2) in
  let ell (i : nat) : R := psi_held i * exp (alpha_e * ln (1 + norm_Deltanorm__2 i i - psi_held i) / 2) in
  (forall i : nat, norm_qtheta i <> 0) ->
  (forall i : nat, norm_z' i <> 0) ->
  (forall i : nat, 0 < 1 + norm_Deltanorm__2 i i - psi_held i) ->
  ell i = sum d (fun f : nat => (q_macrontheta i f - z_macron' i f) ^ 2).
(*! *)
Proof. intros. apply root_of_square, H2. Qed.
