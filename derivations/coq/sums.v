(* Finite sums: lemmas and tactics for the proofs. No statement depends on this file, so it need not be trusted. *)

From Coq Require Import FunctionalExtensionality.
From Coq Require Export Reals Lra Lia.
From Coquelicot Require Export Coquelicot.
From infonce_ref Require Export vocabulary.
Local Open Scope R_scope.

(* --- sums ------------------------------------------------------------------------------------------------ *)

(* Our sum equals Coquelicot's. *)
Lemma sum_is_sum_n : forall n f, sum (S n) f = sum_n f n.
Proof.
  intros n f. induction n as [|n IH].
  - rewrite sum_O. simpl. ring.
  - rewrite sum_Sn. change (sum (S (S n)) f) with (sum (S n) f + f (S n)). rewrite IH. reflexivity.
Qed.

Lemma sum_ext : forall n f g, (forall k, (k < n)%nat -> f k = g k) -> sum n f = sum n g.
Proof.
  induction n as [|n IH]; intros f g E; simpl; [reflexivity|].
  rewrite (IH f g), (E n); auto.
Qed.

Lemma sum_plus : forall n f g, sum n (fun k => f k + g k) = sum n f + sum n g.
Proof. induction n as [|n IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_scale : forall n c f, sum n (fun k => c * f k) = c * sum n f.
Proof. induction n as [|n IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_scale_r : forall n c f, sum n (fun k => f k * c) = sum n f * c.
Proof. induction n as [|n IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_opp : forall n f, sum n (fun k => - f k) = - sum n f.
Proof. induction n as [|n IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_minus : forall n f g, sum n (fun k => f k - g k) = sum n f - sum n g.
Proof. induction n as [|n IH]; intros; simpl; [ring|]. rewrite IH. ring. Qed.

Lemma sum_zero : forall n f, (forall k, (k < n)%nat -> f k = 0) -> sum n f = 0.
Proof.
  induction n as [|n IH]; intros f E; simpl; [reflexivity|].
  rewrite IH, E; auto. ring.
Qed.

Lemma sum_one : forall n, sum n (fun _ => 1) = INR n.
Proof. induction n as [|n IH]; [reflexivity|]. rewrite S_INR, <- IH. reflexivity. Qed.

Lemma sum_swap : forall n m (f : nat -> nat -> R),
  sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; intros m f; simpl.
  - symmetry. apply sum_zero. reflexivity.
  - rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma sum_le : forall n f g, (forall k, (k < n)%nat -> f k <= g k) -> sum n f <= sum n g.
Proof.
  induction n as [|n IH]; intros f g E; simpl; [lra|].
  apply Rplus_le_compat; auto.
Qed.

Lemma sum_nonneg : forall n f, (forall k, (k < n)%nat -> 0 <= f k) -> 0 <= sum n f.
Proof.
  intros n f E. rewrite <- (sum_zero n (fun _ => 0)) by reflexivity. apply sum_le, E.
Qed.

Lemma sum_pos : forall n f, (0 < n)%nat -> (forall k, (k < n)%nat -> 0 < f k) -> 0 < sum n f.
Proof.
  intros [|n] f H E; [lia|]. simpl. apply Rplus_le_lt_0_compat; auto.
  apply sum_nonneg. intros. apply Rlt_le, E. lia.
Qed.

(* positive if one term is positive *)
Lemma sum_pos_at : forall n f j, (j < n)%nat -> 0 < f j -> (forall k, (k < n)%nat -> 0 <= f k) -> 0 < sum n f.
Proof.
  induction n as [|n IH]; intros f j H P E; [lia|]. simpl.
  destruct (Nat.eq_dec j n) as [->|D].
  - apply Rplus_le_lt_0_compat; auto. apply sum_nonneg. auto.
  - apply Rplus_lt_le_0_compat; auto. apply (IH f j); auto. lia.
Qed.

(* --- where indices are equal, and where they differ ------------------------------------------------------ *)

Lemma delta_refl : forall a, delta a a = 1.
Proof. intros. unfold delta. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma delta_differ : forall a b, a <> b -> delta a b = 0.
Proof. intros a b H. unfold delta. apply Nat.eqb_neq in H. rewrite H. reflexivity. Qed.

Lemma delta_sym : forall a b, delta a b = delta b a.
Proof. intros. unfold delta. rewrite Nat.eqb_sym. reflexivity. Qed.

Lemma differ_delta : forall a b, differ a b = 1 - delta a b.
Proof. intros. unfold differ, delta. destruct (Nat.eqb a b); ring. Qed.

Lemma delta_replace : forall a b (f : nat -> R), delta a b * f a = delta a b * f b.
Proof.
  intros. destruct (Nat.eq_dec a b) as [->|D]; [reflexivity|]. rewrite delta_differ by assumption. ring.
Qed.

Lemma differ_nonneg : forall a b, 0 <= differ a b.
Proof. intros. unfold differ. destruct (Nat.eqb a b); lra. Qed.

Lemma delta_nonneg : forall a b, 0 <= delta a b.
Proof. intros. unfold delta. destruct (Nat.eqb a b); lra. Qed.

Lemma differ_pos : forall a b, a <> b -> differ a b = 1.
Proof. intros. rewrite differ_delta, delta_differ by assumption. ring. Qed.

Lemma sum_delta : forall n j f, (j < n)%nat -> sum n (fun k => delta k j * f k) = f j.
Proof.
  induction n as [|n IH]; intros j f H; [lia|]. simpl. destruct (Nat.eq_dec j n) as [->|D].
  - rewrite delta_refl, sum_zero; [ring|]. intros k K. rewrite delta_differ by lia. ring.
  - rewrite IH by lia. rewrite (delta_differ n j) by lia. ring.
Qed.

Lemma set1_same : forall z i, set1 z i (z i) = z.
Proof.
  intros. apply functional_extensionality. intros a. unfold set1.
  destruct (Nat.eqb_spec a i) as [->|]; reflexivity.
Qed.

Lemma set2_same : forall z i j, set2 z i j (z i j) = z.
Proof.
  intros. do 2 (apply functional_extensionality; intros). unfold set2.
  destruct (Nat.eqb_spec x i) as [->|], (Nat.eqb_spec x0 j) as [->|]; reflexivity.
Qed.

Lemma set3_same : forall z i j k, set3 z i j k (z i j k) = z.
Proof.
  intros. do 3 (apply functional_extensionality; intros). unfold set3.
  destruct (Nat.eqb_spec x i) as [->|], (Nat.eqb_spec x0 j) as [->|], (Nat.eqb_spec x1 k) as [->|]; reflexivity.
Qed.

(* --- derivatives ------------------------------------------------------------------------------------------ *)

Lemma d_eq : forall (f : R -> R) (x d e : R), is_derive f x d -> d = e -> is_derive f x e.
Proof. intros f x d e H <-. exact H. Qed.

Lemma d_const : forall (c x : R), is_derive (fun _ => c) x 0.
Proof. intros. apply @is_derive_const. Qed.

Lemma d_id : forall x : R, is_derive (fun y => y) x 1.
Proof. intros. apply @is_derive_id. Qed.

Lemma d_plus : forall (f g : R -> R) (x a b : R),
  is_derive f x a -> is_derive g x b -> is_derive (fun y => f y + g y) x (a + b).
Proof. intros. apply @is_derive_plus; assumption. Qed.

Lemma d_minus : forall (f g : R -> R) (x a b : R),
  is_derive f x a -> is_derive g x b -> is_derive (fun y => f y - g y) x (a - b).
Proof. intros. apply @is_derive_minus; assumption. Qed.

Lemma d_opp : forall (f : R -> R) (x a : R), is_derive f x a -> is_derive (fun y => - f y) x (- a).
Proof. intros. apply @is_derive_opp. assumption. Qed.

Lemma d_mult : forall (f g : R -> R) (x a b : R),
  is_derive f x a -> is_derive g x b -> is_derive (fun y => f y * g y) x (a * g x + f x * b).
Proof. intros. apply @is_derive_mult; try assumption. intros. apply Rmult_comm. Qed.

Lemma d_scale : forall (f : R -> R) (c x a : R), is_derive f x a -> is_derive (fun y => c * f y) x (c * a).
Proof. intros. apply @is_derive_scal. assumption. Qed.

Lemma d_scale_r : forall (f : R -> R) (c x a : R), is_derive f x a -> is_derive (fun y => f y * c) x (a * c).
Proof.
  intros. apply (is_derive_ext (fun y => c * f y)); [intros; apply Rmult_comm|].
  rewrite Rmult_comm. apply d_scale. assumption.
Qed.

Lemma d_over : forall (f : R -> R) (c x a : R), is_derive f x a -> is_derive (fun y => f y / c) x (a / c).
Proof. intros. unfold Rdiv. apply d_scale_r. assumption. Qed.

Lemma d_inv : forall (f : R -> R) (x a : R), is_derive f x a -> f x <> 0 -> is_derive (fun y => / f y) x (- a * / f x * / f x).
Proof.
  intros f x a D H. apply d_eq with (- a / f x ^ 2); [apply is_derive_inv; assumption|]. field. assumption.
Qed.

Lemma d_div : forall (f g : R -> R) (x a b : R), is_derive f x a -> is_derive g x b -> g x <> 0 ->
  is_derive (fun y => f y / g y) x (a * / g x - f x * b * / g x * / g x).
Proof.
  intros f g x a b F G H. apply d_eq with (a * / g x + f x * (- b * / g x * / g x)); [|ring].
  unfold Rdiv. apply (d_mult f (fun y => / g y)); [assumption|]. apply d_inv; assumption.
Qed.

Lemma d_exp : forall (f : R -> R) (x a : R), is_derive f x a -> is_derive (fun y => exp (f y)) x (exp (f x) * a).
Proof.
  intros f x a H. apply d_eq with (scal a (exp (f x))); [|unfold scal; simpl; unfold mult; simpl; ring].
  apply (is_derive_comp exp f); [apply is_derive_exp|assumption].
Qed.

Lemma d_ln : forall (f : R -> R) (x a : R), is_derive f x a -> 0 < f x -> is_derive (fun y => ln (f y)) x (a * / f x).
Proof.
  intros f x a H P. apply d_eq with (scal a (/ f x)); [|unfold scal; simpl; unfold mult; simpl; ring].
  apply (is_derive_comp ln f); [apply is_derive_ln; assumption|assumption].
Qed.

Lemma d_sqrt : forall (f : R -> R) (x a : R), is_derive f x a -> 0 < f x ->
  is_derive (fun y => sqrt (f y)) x (a * / 2 * / sqrt (f x)).
Proof.
  intros f x a H P. apply d_eq with (a / (2 * sqrt (f x))).
  - apply is_derive_sqrt; assumption.
  - field. apply Rgt_not_eq, sqrt_lt_R0, P.
Qed.

Lemma d_pow : forall (f : R -> R) n (x a : R), is_derive f x a -> is_derive (fun y => f y ^ n) x (INR n * f x ^ pred n * a).
Proof.
  intros f n x a H. apply d_eq with (INR n * a * f x ^ pred n); [|ring]. apply is_derive_pow. assumption.
Qed.

Lemma d_square : forall (f : R -> R) (x a : R), is_derive f x a -> is_derive (fun y => f y ^ 2) x (2 * f x * a).
Proof. intros f x a H. apply d_eq with (INR 2 * f x ^ 1 * a); [apply d_pow, H|]. simpl. ring. Qed.

Lemma d_sum : forall n (f : nat -> R -> R) (x : R) (d : nat -> R),
  (forall k, (k < n)%nat -> is_derive (f k) x (d k)) -> is_derive (fun y => sum n (fun k => f k y)) x (sum n d).
Proof.
  induction n as [|n IH]; intros f x d H; simpl; [apply d_const|].
  apply (d_plus (fun y => sum n (fun k => f k y)) (f n)); auto.
Qed.

Ltac d_entry :=
  lazymatch goal with
  | |- is_derive (fun y => y) _ _ => apply d_id
  | |- _ => apply d_const
  end.

Lemma d_set1 : forall z i a (x : R), is_derive (fun y => set1 z i y a) x (delta a i).
Proof.
  intros. unfold set1, delta. destruct (Nat.eqb a i); [apply d_id|apply d_const].
Qed.

Lemma d_set2 : forall z i j a b (x : R), is_derive (fun y => set2 z i j y a b) x (delta a i * delta b j).
Proof.
  intros. unfold set2, delta. destruct (Nat.eqb a i), (Nat.eqb b j); cbn [andb];
    (eapply d_eq; [d_entry|ring]).
Qed.

Lemma d_set3 : forall z i j k a b c (x : R),
  is_derive (fun y => set3 z i j k y a b c) x (delta a i * delta b j * delta c k).
Proof.
  intros. unfold set3, delta. destruct (Nat.eqb a i), (Nat.eqb b j), (Nat.eqb c k); cbn [andb];
    (eapply d_eq; [d_entry|ring]).
Qed.

(* The logarithm of exp(x)/y, as in cross-entropy. *)
Lemma d_ln_exp_over : forall (f g : R -> R) (x a b : R), is_derive f x a -> is_derive g x b -> 0 < g x ->
  is_derive (fun y => ln (exp (f y) / g y)) x (a - b * / g x).
Proof.
  intros f g x a b F G P.
  assert (D : is_derive (fun y => f y - ln (g y)) x (a - b * / g x)).
  { apply (d_minus f (fun y => ln (g y))); [assumption|]. apply d_ln; assumption. }
  apply (is_derive_ext_loc _ _ _ _) with (2 := D).
  assert (C : continuous g x) by (apply @ex_derive_continuous; exists b; assumption).
  assert (L : locally x (fun y => 0 < g y)) by (apply (C (fun u => 0 < u)), open_gt, P).
  revert L. apply filter_imp. intros y Y. unfold Rdiv.
  rewrite ln_mult, ln_Rinv, ln_exp; auto; [apply exp_pos|apply Rinv_0_lt_compat; assumption].
Qed.

Lemma d_ln_masked : forall c (f g : R -> R) (x a b : R), is_derive f x a -> is_derive g x b -> 0 < c -> 0 < g x ->
  is_derive (fun y => ln (c * exp (f y) / g y)) x (a - b * / g x).
Proof.
  intros c f g x a b F G C P. apply (is_derive_ext (fun y => ln (exp (f y + ln c) / g y))).
  - intros y. rewrite exp_plus, exp_ln, Rmult_comm; auto.
  - apply d_eq with (a + 0 - b * / g x); [|ring].
    apply (d_ln_exp_over (fun y => f y + ln c) g); auto. apply (d_plus f (fun _ => ln c)); auto using d_const.
Qed.

(* A derivative within a derivative. *)
Lemma d_Derive : forall (f g : R -> R) (x d : R),
  (forall y, is_derive f y (g y)) -> is_derive g x d -> is_derive (fun y => Derive f y) x d.
Proof.
  intros f g x d F G. apply (is_derive_ext g); [|exact G].
  intros y. symmetry. apply is_derive_unique, F.
Qed.

(* Differentiates an expression rule by rule; leaves as goals that its denominators are not 0 and its logarithms'
   arguments positive. *)
Ltac diff :=
  lazymatch goal with
  | |- is_derive (fun _ => ?c) _ _ => apply d_const
  | |- is_derive (fun y => y) _ _ => apply d_id
  | |- is_derive (fun y => set1 ?z ?i y ?a) _ _ => apply d_set1
  | |- is_derive (fun y => set2 ?z ?i ?j y ?a ?b) _ _ => apply d_set2
  | |- is_derive (fun y => set3 ?z ?i ?j ?k y ?a ?b ?c) _ _ => apply d_set3
  | |- is_derive (fun y => @?f y + @?g y) _ _ => apply (d_plus f g); diff
  | |- is_derive (fun y => @?f y - @?g y) _ _ => apply (d_minus f g); diff
  | |- is_derive (fun y => - @?f y) _ _ => apply (d_opp f); diff
  | |- is_derive (fun y => @?f y * @?g y) _ _ =>
      lazymatch f with
      | (fun _ => ?c) => apply (d_scale g c); diff
      | _ => lazymatch g with (fun _ => ?c) => apply (d_scale_r f c); diff | _ => apply (d_mult f g); diff end
      end
  | |- is_derive (fun y => ln (exp (@?f y) / @?g y)) _ _ => apply (d_ln_exp_over f g); [diff|diff|cbv beta]
  | |- is_derive (fun y => ln (?c * exp (@?f y) / @?g y)) _ _ =>
      apply (d_ln_masked c f g); [diff|diff|cbv beta|cbv beta]
  | |- is_derive (fun y => Derive ?f y) _ _ =>
      eapply (d_Derive f); [let y := fresh "y" in intros y; diff|diff]
  | |- is_derive (fun y => @?f y / @?g y) _ _ =>
      lazymatch g with
      | (fun _ => ?c) => apply (d_over f c); diff
      | _ => apply (d_div f g); [diff|diff|cbv beta]
      end
  | |- is_derive (fun y => / @?f y) _ _ => apply (d_inv f); [diff|cbv beta]
  | |- is_derive (fun y => exp (@?f y)) _ _ => apply (d_exp f); diff
  | |- is_derive (fun y => ln (@?f y)) _ _ => apply (d_ln f); [diff|cbv beta]
  | |- is_derive (fun y => sqrt (@?f y)) _ _ => apply (d_sqrt f); [diff|cbv beta]
  | |- is_derive (fun y => @?f y ^ 2) _ _ => apply (d_square f); diff
  | |- is_derive (fun y => @?f y ^ ?n) _ _ => apply (d_pow f n); diff
  | |- is_derive (fun y => sum ?n (fun k => @?f y k)) _ _ =>
      apply (d_sum n (fun k y => f y k)); let k := fresh "k" in let K := fresh "K" in intros k K; cbv beta; diff
  end.

(* --- normal form ------------------------------------------------------------------------------------------ *)

(* Rewrites every expression as a sum of products h1 * (h2 * (... * 1)); moves constant factors out of sums, and
   removes sums over an index that a delta fixes. *)

Lemma nf_plus : forall a b a' b', a = a' -> b = b' -> a + b = a' + b'.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_mult : forall a b a' b' r, a = a' -> b = b' -> a' * b' = r -> a * b = r.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_minus : forall a b r, a + (-1) * b = r -> a - b = r.
Proof. intros; subst; ring. Qed.

Lemma nf_INR_none : INR 0 = 0.
Proof. reflexivity. Qed.

Lemma nf_as : forall a b r : R, a = b -> b = r -> a = r.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_opp : forall a r, (-1) * a = r -> - a = r.
Proof. intros; subst; ring. Qed.

Lemma nf_over : forall a b r, a * / b = r -> a / b = r.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_inv_mult : forall a b r, / a * / b = r -> / (a * b) = r.
Proof. intros; subst; apply Rinv_mult. Qed.

Lemma nf_pow : forall a n r, a * a ^ n = r -> a ^ S n = r.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_pow_none : forall a : R, a ^ 0 = 1.
Proof. reflexivity. Qed.

Lemma nf_differ : forall a b r, 1 + (-1) * delta a b = r -> differ a b = r.
Proof. intros; subst. rewrite differ_delta. ring. Qed.

Lemma nf_atom : forall a, a = a * 1.
Proof. intros; ring. Qed.

Lemma nf_Derive : forall (f : R -> R) (x d r : R), is_derive f x d -> d = r -> Derive f x = r.
Proof. intros f x d r H <-. apply is_derive_unique, H. Qed.

Lemma nf_sum : forall n F G r, (forall k, (k < n)%nat -> F k = G k) -> sum n G = r -> sum n F = r.
Proof. intros n F G r E <-. apply sum_ext, E. Qed.

Lemma nf_left : forall a b c r s, a * c = r -> b * c = s -> (a + b) * c = r + s.
Proof. intros; subst; ring. Qed.

Lemma nf_right : forall a b c r s, a * b = r -> a * c = s -> a * (b + c) = r + s.
Proof. intros; subst; ring. Qed.

Lemma nf_append : forall a b c r, b * c = r -> (a * b) * c = a * r.
Proof. intros; subst; ring. Qed.

Lemma nf_append_one : forall c, 1 * c = c.
Proof. intros; ring. Qed.

Lemma nf_split : forall n f g r s, sum n f = r -> sum n g = s -> sum n (fun k => f k + g k) = r + s.
Proof. intros; subst. apply sum_plus. Qed.

Lemma nf_start : forall n (T : nat -> R) r, sum n (fun k => 1 * T k) = r -> sum n T = r.
Proof. intros n T r <-. apply sum_ext. intros; ring. Qed.

Lemma nf_constant : forall n c A T r s,
  sum n (fun k => A k * T k) = r -> c * r = s -> sum n (fun k => A k * (c * T k)) = s.
Proof. intros n c A T r s <- <-. rewrite <- sum_scale. apply sum_ext. intros; ring. Qed.

Lemma nf_depends : forall n (h A T : nat -> R) r,
  sum n (fun k => (h k * A k) * T k) = r -> sum n (fun k => A k * (h k * T k)) = r.
Proof. intros n h A T r <-. apply sum_ext. intros; ring. Qed.

Lemma nf_delta : forall n j A T r, (j < n)%nat -> A j * T j = r -> sum n (fun k => A k * (delta k j * T k)) = r.
Proof.
  intros n j A T r J <-. rewrite <- (sum_delta n j (fun k => A k * T k) J). apply sum_ext. intros; ring.
Qed.

Lemma nf_delta_sym : forall n j A T r,
  (j < n)%nat -> A j * T j = r -> sum n (fun k => A k * (delta j k * T k)) = r.
Proof.
  intros n j A T r J <-. rewrite <- (sum_delta n j (fun k => A k * T k) J). apply sum_ext. intros.
  rewrite (delta_sym j). ring.
Qed.

Lemma nf_count : forall n, sum n (fun k => 1 * 1) = INR n * 1.
Proof. intros. rewrite (sum_ext n _ (fun _ => 1)) by (intros; ring). rewrite sum_one. ring. Qed.

Lemma nf_none : forall n, sum n (fun _ => 0) = 0.
Proof. intros. apply sum_zero. reflexivity. Qed.

Lemma nf_done : forall n A, sum n (fun k => A k * 1) = sum n A * 1.
Proof. intros. rewrite (sum_ext n _ A) by (intros; ring). ring. Qed.

(* setting an entry to its own value changes nothing *)
Ltac same_entries := rewrite ?set1_same, ?set2_same, ?set3_same.

(* an index is in its range *)
Ltac range := solve [assumption | eauto 3 | lia].

Lemma nf_ln_mult : forall a b r, 0 < a -> 0 < b -> ln a + ln b = r -> ln (a * b) = r.
Proof. intros a b r A B <-. apply ln_mult; assumption. Qed.

Lemma nf_ln_over : forall a b r, 0 < a -> 0 < b -> ln a - ln b = r -> ln (a / b) = r.
Proof.
  intros a b r A B <-. unfold Rdiv. rewrite ln_mult, ln_Rinv; auto using Rinv_0_lt_compat.
Qed.

Lemma nf_ln_inv : forall a r, 0 < a -> - ln a = r -> ln (/ a) = r.
Proof. intros a r A <-. apply ln_Rinv, A. Qed.

Lemma nf_ln_exp : forall a r, a = r -> ln (exp a) = r.
Proof. intros a r <-. apply ln_exp. Qed.

Lemma nf_ln_one : ln 1 = 0 * 1.
Proof. rewrite ln_1. ring. Qed.

Lemma nf_exp : forall a b r, a = b -> exp b = r -> exp a = r.
Proof. intros; subst; reflexivity. Qed.

Lemma nf_exp_plus : forall a b r s t, exp a = r -> exp b = s -> r * s = t -> exp (a + b) = t.
Proof. intros; subst. apply exp_plus. Qed.

Lemma nf_exp_minus : forall a, exp (-1 * a) = / exp a * 1.
Proof. intros. replace (-1 * a) with (- a) by ring. rewrite exp_Ropp. ring. Qed.

Lemma nf_exp_ln : forall a r, 0 < a -> a = r -> exp (ln a * 1) = r.
Proof. intros a r A <-. rewrite Rmult_1_r. apply exp_ln, A. Qed.

Lemma nf_exp_ln_minus : forall a r, 0 < a -> / a = r -> exp (-1 * (ln a * 1)) = r.
Proof. intros a r A <-. rewrite nf_exp_minus, !Rmult_1_r, exp_ln by exact A. reflexivity. Qed.

Lemma nf_exp_one : exp 0 = 1.
Proof. apply exp_0. Qed.

(* Proves that an expression is positive or not zero. *)
Lemma not_zero : forall x, 0 < x -> x <> 0.
Proof. intros x H E. rewrite E in H. apply (Rlt_irrefl 0 H). Qed.

Lemma over_below : forall a b, 0 < a -> 0 < a / b -> 0 < b.
Proof.
  intros a b A H. apply Rnot_le_lt. intros [L|E].
  - apply (Rlt_irrefl 0), (Rlt_trans _ _ _ H). unfold Rdiv. rewrite <- (Rmult_0_r a).
    apply Rmult_lt_compat_l, Rinv_lt_0_compat; assumption.
  - rewrite E in H. unfold Rdiv in H. rewrite Rinv_0, Rmult_0_r in H. apply (Rlt_irrefl 0 H).
Qed.

Lemma nonneg_not_zero : forall x, 0 <= x -> x <> 0 -> 0 < x.
Proof. intros; lra. Qed.

Lemma INR_pos : forall n, (0 < n)%nat -> 0 < INR n.
Proof. intros. apply lt_0_INR. assumption. Qed.

Ltac sign := match goal with
  | |- _ => assumption
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < INR _ => apply INR_pos; range
  | |- 0 < sum _ _ => apply sum_pos; [range|intros; cbv beta; sign]
  | D : forall i : nat, ?p i <> i |- 0 < sum _ (fun k => differ k ?i * _) =>
      apply (sum_pos_at _ _ (p i)); [range|cbv beta; sign|intros; cbv beta; sign]
  | D : forall i : nat, ?p i <> i |- 0 < differ (?p ?i) ?i => rewrite (differ_pos _ _ (D i)); apply Rlt_0_1
  | H : forall i : nat, (i < _)%nat -> sum _ _ <> 0 |- 0 < sum _ _ =>
      refine (nonneg_not_zero _ _ (H _ _)); [sign|range]
  | |- 0 < _ * _ => apply Rmult_lt_0_compat; sign
  | |- 0 < _ / _ => apply Rdiv_lt_0_compat; sign
  | |- 0 < / _ => apply Rinv_0_lt_compat; sign
  | |- 0 < sqrt _ => apply sqrt_lt_R0; sign
  | |- 0 < _ ^ _ => apply pow_lt; sign
  | |- 0 < _ + _ => first [apply Rplus_lt_le_0_compat; sign | apply Rplus_le_lt_0_compat; sign]
  | |- 0 < IZR _ => apply IZR_lt; reflexivity
  | |- 0 <= delta _ _ => apply delta_nonneg
  | |- 0 <= differ _ _ => apply differ_nonneg
  | |- 0 <= _ ^ 2 => apply pow2_ge_0
  | |- 0 <= ?x * (?x * 1) => apply (pow2_ge_0 x)
  | |- 0 <= ?x * ?x => apply Rle_0_sqr
  | |- 0 <= sum _ _ => apply sum_nonneg; intros; cbv beta; sign
  | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; sign
  | |- 0 <= _ * _ => apply Rmult_le_pos; sign
  | |- 0 <= _ / _ => apply Rmult_le_pos; [sign | apply Rlt_le, Rinv_0_lt_compat; sign]
  | |- 0 <= sqrt _ => apply sqrt_pos
  | |- 0 <= _ => apply Rlt_le; sign
  | H : forall i : nat, (i < _)%nat -> 0 < _ |- 0 < _ => apply H; range
  | H : forall i : nat, 0 < _ |- 0 < _ => apply H
  | H : forall i j : nat, 0 < _ |- 0 < _ => apply H
  | H : forall i : nat, (i < _)%nat -> 0 <= _ |- 0 <= _ => apply H; range
  | H : forall i j : nat, 0 <= _ |- 0 <= _ => apply H
  | H : forall i : nat, 0 <= _ |- 0 <= _ => apply H
  | H : forall i : nat, (i < _)%nat -> _ <> 0 |- _ <> 0 => apply H; range
  | H : forall i : nat, _ <> 0 |- _ <> 0 => apply H
  | |- _ * _ <> 0 => apply Rmult_integral_contrapositive_currified; sign
  | |- _ <> 0 => apply not_zero; sign
  end.

Lemma take_next : forall a b t q : R, t = a * q -> b * t = a * (b * q).
Proof. intros; subst; ring. Qed.

Lemma carry_left : forall a b (f : nat -> R), delta a b * f b = delta a b * f a.
Proof. intros. symmetry. apply delta_replace. Qed.

Lemma carry_right : forall a b (f : nat -> R), delta a b * f a = delta a b * f b.
Proof. exact delta_replace. Qed.

(* In a product with 1[k = p i], replaces p i by k. *)
Ltac take_delta := lazymatch goal with
  | |- delta _ (_ _) * _ = _ => reflexivity
  | |- delta (_ _) _ * _ = _ => reflexivity
  | |- _ * _ = _ => eapply take_next; take_delta
  end.

Ltac carry := lazymatch goal with
  | |- delta ?a (?p ?b) * ?q = _ =>
      lazymatch q with context [p b] =>
        let F := eval pattern (p b) in q in lazymatch F with ?f _ => apply (carry_left a (p b) f) end end
  | |- delta (?p ?b) ?a * ?q = _ =>
      lazymatch q with context [p b] =>
        let F := eval pattern (p b) in q in lazymatch F with ?f _ => apply (carry_right (p b) a f) end end
  end.

Ltac nf_product :=
  lazymatch goal with
  | |- 0 * _ = _ => apply Rmult_0_l
  | |- _ * 0 = _ => apply Rmult_0_r
  | |- (_ + _) * _ = _ => eapply nf_left; [nf_product|nf_product]
  | |- _ * (_ + _) = _ => eapply nf_right; [nf_product|nf_product]
  | |- (_ * _) * _ = _ => eapply nf_append; nf_product
  | |- 1 * _ = _ => apply nf_append_one
  end.

Ltac nf_carry := eapply nf_sum;
  [let k := fresh "k" in let K := fresh "K" in intros k K; cbv beta; eapply eq_trans; [take_delta|carry]|].

Ltac nf_scaled := lazymatch goal with
  | |- _ * 0 = _ => apply Rmult_0_r
  | |- _ => reflexivity
  end.

Ltac nf :=
  lazymatch goal with
  | |- _ + _ = _ => eapply nf_plus; [nf|nf]
  | |- _ - _ = _ => eapply nf_minus; nf
  | |- - 1 = _ => apply nf_atom
  | |- - _ = _ => eapply nf_opp; nf
  | |- _ / _ = _ => eapply nf_over; nf
  | |- / (_ * _) = _ => eapply nf_inv_mult; nf
  | |- _ * _ = _ => eapply nf_mult; [nf|nf|nf_product]
  | |- _ ^ S _ = _ => eapply nf_pow; nf
  | |- _ ^ 0 = _ => apply nf_pow_none
  | |- 1 = _ => reflexivity
  | |- 0 = _ => reflexivity
  | |- INR (_ + _) = _ => eapply nf_as; [apply plus_INR|nf]
  | |- INR (_ * _) = _ => eapply nf_as; [apply mult_INR|nf]
  | |- INR (S _) = _ => eapply nf_as; [apply S_INR|nf]
  | |- INR 0 = _ => apply nf_INR_none
  | |- sum _ _ = _ =>
      eapply nf_sum;
      [let k := fresh "k" in let K := fresh "K" in intros k K; cbv beta; nf | cbv beta; nf_sums]
  | |- Derive _ _ = _ =>
      eapply nf_Derive;
      [diff; same_entries; sign | cbv beta; same_entries; nf]
  | |- delta ?a ?a = _ => rewrite (delta_refl a); reflexivity
  | D : forall i : nat, ?p i <> i |- delta (?p ?i) ?i = _ => apply (delta_differ _ _ (D i))
  | D : forall i : nat, ?p i <> i |- delta ?i (?p ?i) = _ => apply (delta_differ _ _ (not_eq_sym (D i)))
  | |- differ _ _ = _ => eapply nf_differ; nf
  | |- ln 1 = _ => apply nf_ln_one
  | |- ln (exp _) = _ => eapply nf_ln_exp; nf
  | |- ln (_ * _) = _ => first [eapply nf_ln_mult; [sign|sign|nf] | apply nf_atom]
  | |- ln (_ / _) = _ => first [eapply nf_ln_over; [sign|sign|nf] | apply nf_atom]
  | |- ln (/ _) = _ => first [eapply nf_ln_inv; [sign|nf] | apply nf_atom]
  | |- exp 0 = _ => apply nf_exp_one
  | |- exp _ = _ => eapply nf_exp; [nf|nf_exps]
  | |- _ => apply nf_atom
  end
with nf_exps :=
  lazymatch goal with
  | |- exp 0 = _ => apply nf_exp_one
  | |- exp (_ + _) = _ => eapply nf_exp_plus; [nf_exps|nf_exps|nf_product]
  | |- exp (ln _ * 1) = _ => first [eapply nf_exp_ln; [sign|nf] | apply nf_atom]
  | |- exp (-1 * (ln _ * 1)) = _ => first [eapply nf_exp_ln_minus; [sign|nf] | apply nf_atom]
  | |- exp (-1 * _) = _ => apply nf_exp_minus
  | |- _ => apply nf_atom
  end
with nf_sums :=
  lazymatch goal with
  | |- sum ?n (fun k => @?f k + @?g k) = _ => eapply (nf_split n f g); [cbv beta; nf_sums|cbv beta; nf_sums]
  | |- sum _ (fun _ => 0) = _ => apply nf_none
  | |- sum _ ?T = _ =>
      lazymatch T with
      | context [delta] => first [nf_carry; cbv beta; nf_sums | eapply nf_start; nf_factors]
      | _ => eapply nf_start; nf_factors
      end
  end
with nf_factors :=
  cbv beta;
  lazymatch goal with
  | |- sum ?n (fun k => 1 * 1) = _ => apply nf_count
  | |- sum ?n (fun k => @?A k * 1) = _ => apply (nf_done n A)
  | |- sum ?n (fun k => @?A k * (@?h k * @?T k)) = _ =>
      lazymatch h with
      | (fun _ => ?c) => eapply (nf_constant n c A T); [nf_factors|nf_scaled]
      | (fun k => delta k (@?j k)) =>
          lazymatch j with
          | (fun _ => ?c) => eapply (nf_delta n c A T); [range|cbv beta; nf]
          | _ => eapply (nf_depends n h A T); nf_factors
          end
      | (fun k => delta (@?j k) k) =>
          lazymatch j with
          | (fun _ => ?c) => eapply (nf_delta_sym n c A T); [range|cbv beta; nf]
          | _ => eapply (nf_depends n h A T); nf_factors
          end
      | _ => eapply (nf_depends n h A T); nf_factors
      end
  end.

(* Brings both sides into normal form. *)
Lemma nf_both : forall a b a' b' : R, a = a' -> b = b' -> a' = b' -> a = b.
Proof. intros a b a' b' -> -> E. exact E. Qed.

Ltac normalise := eapply nf_both; [nf|nf|].

(* Replaces a name by its definition. *)
Ltac unfold_names := repeat match goal with x := _ |- _ => subst x end; cbv beta in *.

(* Proves a derivative: differentiates rule by rule, then proves an equality of finite sums. *)
Ltac derivative := eapply d_eq; [diff; same_entries; try sign | cbv beta; same_entries].

(* Distinguishes the cases of equal and different indices. *)
Ltac cases := repeat match goal with
  | |- context [delta ?a ?b] =>
      tryif constr_eq a b then rewrite (delta_refl a)
      else (let e := fresh "e" in destruct (Nat.eq_dec a b) as [e|e];
        [first
          [ exfalso; match goal with
            | D : forall i : nat, _ <> i |- _ => first [exact (D _ e) | exact (D _ (eq_sym e))]
            | D : _ <> _ |- _ => first [exact (D e) | exact (D (eq_sym e))]
            end
          | subst a | subst b | rewrite e ]; rewrite ?delta_refl
        | rewrite ?(delta_differ a b e), ?(delta_differ b a (fun u => e (eq_sym u)))])
  end.

(* Proves inequalities that follow from the signs of subexpressions. *)
Ltac by_signs := intros; unfold_names; sign.

Lemma ln_below : forall x, 0 < x -> ln x <= x - 1.
Proof.
  intros x P. destruct (Req_dec x 1) as [->|D]; [rewrite ln_1; lra|].
  apply Rlt_le. apply exp_lt_inv. rewrite exp_ln by assumption.
  replace x with (1 + (x - 1)) at 1 by ring. apply exp_ineq1. lra.
Qed.

(* P − 1[positive], where 1 − P of the positive is written as the sum of the others. *)
Lemma error : forall n (P : nat -> R) j q, (q < n)%nat -> sum n P = 1 ->
  differ j q * P j - delta j q * sum n (fun m => differ m q * P m) = P j - delta j q.
Proof.
  intros n P j q Q S. rewrite (sum_ext n _ (fun m => P m - delta m q * P m)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, S, sum_delta by exact Q. rewrite differ_delta, Rmult_minus_distr_r, delta_replace. ring.
Qed.

Lemma shares : forall n (e : nat -> R), sum n e <> 0 -> sum n (fun k => e k / sum n e) = 1.
Proof. intros n e S. unfold Rdiv. rewrite sum_scale_r. apply Rinv_r, S. Qed.

(* A row's loss as a function of its denominator minus its numerator. *)
Lemma odds : forall a s r, 0 < a -> 0 < s -> s = a * r -> - ln (a / s) = ln r.
Proof.
  intros a s r A S E. rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; assumption). f_equal. rewrite E. field.
  split; [|lra]. intros Z. rewrite Z in E. lra.
Qed.

Lemma odds_of : forall l s r, 0 < s -> s = exp l * r -> ln s - l = ln r.
Proof.
  intros l s r S E. rewrite E. rewrite ln_mult, ln_exp; [ring|apply exp_pos|].
  apply Rmult_lt_reg_l with (exp l); [apply exp_pos|lra].
Qed.

(* The loss of a row is softplus(log of the others' sum - the positive's logit). *)
Lemma softplus : forall o l s, 0 < o -> s = o + exp l -> - ln (exp l / s) = ln (1 + exp (ln o - l)).
Proof.
  intros o l s O ->. assert (P := exp_pos l). rewrite <- ln_Rinv by (apply Rdiv_lt_0_compat; lra).
  f_equal. unfold Rminus. rewrite exp_plus, exp_ln, exp_Ropp by exact O. field. lra.
Qed.

(* --- information ------------------------------------------------------------------------------------------ *)

(* The mean of log a is at most the mean of a − 1. *)
Lemma mean_ln : forall n (J a : nat -> R),
  (forall k, (k < n)%nat -> 0 <= J k) -> (forall k, (k < n)%nat -> 0 < a k) ->
  sum n (fun k => J k * ln (a k)) <= sum n (fun k => J k * a k) - sum n J.
Proof.
  intros n J a P A. rewrite <- sum_minus. apply sum_le. intros k K.
  replace (J k * a k - J k) with (J k * (a k - 1)) by ring.
  apply Rmult_le_compat_l; [auto|]. apply ln_below; auto.
Qed.

(* The logarithm of a mean is at least the mean of the logarithms. *)
Lemma mean_of_ln : forall n (w P : nat -> R), (forall k, (k < n)%nat -> 0 <= w k) ->
  (forall k, (k < n)%nat -> 0 < P k) -> 0 < sum n w -> 0 < sum n (fun k => w k * P k) ->
  sum n (fun k => w k * ln (P k)) / sum n w <= ln (sum n (fun k => w k * P k) / sum n w).
Proof.
  intros n w P W Q S M. pose (m := sum n (fun k => w k * P k) / sum n w).
  assert (m0 : 0 < m) by (apply Rdiv_lt_0_compat; assumption).
  assert (B := mean_ln n w (fun k => P k / m) W ltac:(intros; apply Rdiv_lt_0_compat; auto)). cbv beta in B.
  rewrite (sum_ext n (fun k => w k * ln (P k / m)) (fun k => w k * ln (P k) - w k * ln m)) in B
    by (intros; unfold Rdiv; rewrite ln_mult, ln_Rinv by auto using Rinv_0_lt_compat; ring).
  rewrite sum_minus, sum_scale_r, (sum_ext n (fun k => w k * (P k / m)) (fun k => w k * P k * / m)), sum_scale_r in B
    by (intros; unfold Rdiv; ring).
  apply Rmult_le_reg_r with (sum n w); [assumption|]. fold m. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  replace (sum n (fun k => w k * P k) * / m) with (sum n w) in B by (unfold m; field; lra). lra.
Qed.

(* In each list the probabilities of the candidates sum to at most 1. *)
Lemma shares_of_lists : forall D W (R_ phi sigma : nat -> R) (Lambda : nat -> nat),
  (forall k, (k < D)%nat -> (Lambda k < W)%nat) ->
  (forall m, 0 <= R_ m) -> (forall k, 0 < phi k) -> (forall m, 0 <= sigma m) ->
  (forall m, (m < W)%nat -> sigma m + sum D (fun n => phi n * delta m (Lambda n)) <> 0) ->
  sum D (fun k => R_ (Lambda k) * (phi k / (sigma (Lambda k) + sum D (fun n => phi n * delta (Lambda k) (Lambda n)))))
    <= sum W R_.
Proof.
  intros D W R_ phi sigma Lambda A P F S Z.
  pose (Psi := fun m => sigma m + sum D (fun n => phi n * delta m (Lambda n))).
  rewrite (sum_ext D _ (fun k => sum W (fun m => delta m (Lambda k) * (R_ m * (phi k / Psi m)))))
    by (intros; rewrite sum_delta; auto).
  rewrite sum_swap. apply sum_le. intros m M.
  assert (G : 0 <= sum D (fun n => phi n * delta m (Lambda n))) by sign.
  assert (H : 0 < Psi m) by (assert (T := S m); assert (U := Z m M); unfold Psi; lra).
  rewrite (sum_ext D _ (fun k => phi k * delta m (Lambda k) * (R_ m / Psi m))) by (intros; field; lra).
  rewrite sum_scale_r. apply (Rle_trans _ (Psi m * (R_ m / Psi m))); [|right; field; lra].
  apply Rmult_le_compat_r; [|unfold Psi; assert (T := S m); lra].
  apply Rmult_le_pos; [apply P|apply Rlt_le, Rinv_0_lt_compat, H].
Qed.

(* The sum over the list of draw n: draw n itself and the other draws with the same list. *)
Lemma own_list : forall D (phi : nat -> R) (Lambda : nat -> nat) n, (n < D)%nat ->
  phi n + sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n))
    = sum D (fun k => phi k * delta (Lambda n) (Lambda k)).
Proof.
  intros D phi Lambda n I.
  rewrite (sum_ext D _ (fun k => phi k * delta (Lambda n) (Lambda k) - delta k n * (phi k * delta (Lambda n) (Lambda k))))
    by (intros; rewrite differ_delta, (delta_sym (Lambda k)); ring).
  rewrite sum_minus, sum_delta, delta_refl by exact I. ring.
Qed.

(* InfoNCE bounds the information. Draw n has the list Lambda n, the marginal law R_ (Lambda n) / N and the joint law J n. *)
Lemma information_bound : forall D W (N : R) (J R_ phi sigma r : nat -> R) (Lambda : nat -> nat),
  (forall k, (k < D)%nat -> (Lambda k < W)%nat) -> 0 < N ->
  (forall m, 0 <= R_ m) -> (forall k, 0 < phi k) -> (forall m, 0 <= sigma m) -> (forall k, 0 < r k) ->
  (forall m, (m < W)%nat -> sigma m + sum D (fun n => phi n * delta m (Lambda n)) <> 0) ->
  (forall n, (n < D)%nat -> J n = R_ (Lambda n) * r n / N) -> sum D J = 1 -> sum W R_ = 1 ->
  ln N + sum D (fun n => J n * ln (phi n / (sigma (Lambda n) + phi n + sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n)))))
    <= sum D (fun n => J n * ln (r n)).
Proof.
  intros D W N J R_ phi sigma r Lambda A N0 P F S Q Z E J1 R1.
  pose (Psi := fun m => sigma m + sum D (fun n => phi n * delta m (Lambda n))).
  assert (H : forall n, (n < D)%nat -> 0 < Psi (Lambda n)).
  { intros n I. assert (T := S (Lambda n)). unfold Psi. apply Rplus_le_lt_0_compat; [exact T|].
    apply (sum_pos_at _ _ n I); [rewrite delta_refl; assert (X := F n); lra|intros; sign]. }
  assert (L : forall n, (n < D)%nat -> sigma (Lambda n) + phi n + sum D (fun k => differ k n * phi k * delta (Lambda k) (Lambda n)) = Psi (Lambda n)).
  { intros n I. rewrite Rplus_assoc, own_list by exact I. reflexivity. }
  assert (B := mean_ln D J (fun n => N * (phi n / Psi (Lambda n)) / r n)
    ltac:(intros k K; rewrite E by exact K; assert (X := P (Lambda k)); assert (Y := Q k); sign)
    ltac:(intros k K; cbv beta; assert (Y := Q k); assert (X := H k K); assert (T := F k); sign)).
  rewrite J1 in B. cbv beta in B.
  rewrite (sum_ext D (fun n => J n * (N * (phi n / Psi (Lambda n)) / r n)) (fun n => R_ (Lambda n) * (phi n / Psi (Lambda n)))) in B
    by (intros k K; rewrite E by exact K; assert (Y := Q k); assert (X := H k K); field; lra).
  assert (C := shares_of_lists D W R_ phi sigma Lambda A P F S Z). fold Psi in C. rewrite R1 in C.
  replace (ln N) with (ln N * sum D J) by (rewrite J1; ring). rewrite <- sum_scale.
  rewrite (sum_ext D (fun k => J k * ln (N * (phi k / Psi (Lambda k)) / r k))
    (fun k => ln N * J k + (J k * ln (phi k / Psi (Lambda k))) - J k * ln (r k))) in B.
  - rewrite sum_minus, sum_plus in B. rewrite (sum_ext D (fun n => J n * ln (phi n / (_ + _ + _))) (fun k => J k * ln (phi k / Psi (Lambda k)))) by (intros; rewrite L; auto).
    change (fun k => sigma (Lambda k) + sum D (fun n => phi n * delta (Lambda k) (Lambda n))) with (fun k => Psi (Lambda k)) in C.
    assert (C' : sum D (fun n => R_ (Lambda n) * (phi n / Psi (Lambda n))) <= 1) by exact C.
    lra.
  - intros k K. assert (Y := Q k). assert (X := H k K). assert (T := F k).
    unfold Rdiv at 1. rewrite ln_mult, ln_mult, ln_Rinv by sign. ring.
Qed.

(* The mean over second views of an expression that does not depend on them. *)
Lemma mean_of_views : forall n m (J F : nat -> R) (R' : nat -> nat -> R),
  (forall k, (k < n)%nat -> sum m (R' k) = 1) ->
  sum n (fun k => J k * F k) = sum n (fun k => sum m (fun a => J k * R' k a * F k)).
Proof.
  intros n m J F R' E. apply sum_ext. intros k K. rewrite (sum_scale_r m (F k) (fun a => J k * R' k a)), sum_scale.
  change (sum m (fun a => R' k a)) with (sum m (R' k)). rewrite E by exact K. ring.
Qed.

Lemma ln_half : forall a b, 0 < a -> 0 < b -> ln 2 + (ln a + ln b) / 2 <= ln (a + b).
Proof.
  intros a b A B. assert (H : ln (4 * (a * b)) <= ln ((a + b) * (a + b))).
  { apply ln_le; [assert (X := Rmult_lt_0_compat a b A B); lra|]. assert (X := Rle_0_sqr (a - b)). unfold Rsqr in X. lra. }
  replace 4 with (2 * 2) in H by ring. rewrite !ln_mult in H by (try apply Rmult_lt_0_compat; lra). lra.
Qed.

(* --- equal expressions ------------------------------------------------------------------------------------ *)

(* Rewrites nested sums as sum n (fun k => sum m (fun g => product)). *)

Lemma take_here : forall a b t : R, b = a -> b * t = a * t.
Proof. intros; subst; reflexivity. Qed.

(* Compares products up to the order of factors, and sums up to the order of indices. *)

Lemma twin_factor : forall a r Q q : R, Q = a * q -> r = q -> a * r = Q.
Proof. intros; subst; reflexivity. Qed.

Lemma twin_regroup : forall a b c r : R, a + (b + c) = r -> a + b + c = r.
Proof. intros a b c r <-. ring. Qed.

Lemma twin_term : forall a r Q q : R, Q = a + q -> r = q -> a + r = Q.
Proof. intros; subst; reflexivity. Qed.

Lemma term_left : forall a b t : R, b = a -> b + t = a + t.
Proof. intros; subst; reflexivity. Qed.

Lemma term_right : forall a b t : R, t = a -> b + t = a + b.
Proof. intros; subst; ring. Qed.

Lemma term_first : forall a b t q : R, b = a + q -> b + t = a + (q + t).
Proof. intros; subst; ring. Qed.

Lemma term_second : forall a b t q : R, t = a + q -> b + t = a + (b + q).
Proof. intros; subst; ring. Qed.

Lemma second_first : forall L m q (G : nat -> nat -> R),
  L = sum q (fun b => sum m (fun a => G a b)) -> L = sum m (fun a => sum q (fun b => G a b)).
Proof. intros L m q G ->. apply sum_swap. Qed.

Lemma third_first : forall L m q r (G : nat -> nat -> nat -> R),
  L = sum r (fun c => sum m (fun a => sum q (fun b => G a b c))) ->
  L = sum m (fun a => sum q (fun b => sum r (fun c => G a b c))).
Proof.
  intros L m q r G ->. rewrite sum_swap. apply sum_ext. intros a _. apply sum_swap.
Qed.

Ltac twin :=
  match goal with |- ?a = ?b => first [constr_eq a b; reflexivity | twin_head] end
with twin_head :=
  lazymatch goal with
  | |- exp _ = exp _ => apply f_equal; twins
  | |- ln _ = ln _ => apply f_equal; twins_at_last
  | |- sqrt _ = sqrt _ => apply f_equal; twins_at_last
  | |- / _ = / _ => apply f_equal; twins_at_last
  | |- delta _ _ = delta _ _ => apply delta_sym
  | |- sum _ _ = sum _ _ => twin_sum
  end
with twins :=
  lazymatch goal with
  | |- _ + _ = _ + _ => twin_plus
  | |- _ * _ = _ * _ => twin_product
  | |- _ => twin
  end
with twins_at_last := eapply nf_both; [nf|nf|twins]
with twin_product :=
  lazymatch goal with
  | |- _ * _ = _ => eapply twin_factor; [take|twin_product]
  | |- ?a = ?b => constr_eq a b; reflexivity
  end
with twin_plus :=
  lazymatch goal with
  | |- (_ + _) + _ = _ => eapply twin_regroup; twin_plus
  | |- _ + _ = _ => eapply twin_term; [take_term|twin_plus]
  | |- _ => twins
  end
with take_term :=
  lazymatch goal with
  | |- _ + _ = _ => first
      [eapply term_first; take_term | eapply term_second; take_term | eapply term_left; twins | eapply term_right; twins]
  end
with take :=
  lazymatch goal with
  | |- _ * _ = _ => first [eapply take_here; twin | eapply take_next; take]
  end
with twin_body := apply sum_ext; let k := fresh "k" in let K := fresh "K" in intros k K; cbv beta; twins
with twin_sum :=
  first
    [ lazymatch goal with |- sum ?n _ = sum ?m _ => constr_eq n m; twin_body end
    | lazymatch goal with
      | |- ?L = sum ?m (fun a => sum ?q (fun b => @?G a b)) => apply (second_first L m q G); cbv beta;
          lazymatch goal with |- sum ?n _ = sum ?m _ => constr_eq n m; twin_body end
      end
    | lazymatch goal with
      | |- ?L = sum ?m (fun a => sum ?q (fun b => sum ?r (fun c => @?G a b c))) =>
          apply (third_first L m q r G); cbv beta;
          lazymatch goal with |- sum ?n _ = sum ?m _ => constr_eq n m; twin_body end
      end ].

Lemma flat_nest : forall m B C (Q q : R),
  Q = sum m B * q -> (forall g, (g < m)%nat -> B g * q = C g) -> Q = sum m C.
Proof. intros m B C Q q -> E. rewrite <- sum_scale_r. apply sum_ext, E. Qed.

Lemma flat_sum : forall n F G, (forall k, (k < n)%nat -> F k = G k) -> sum n F = sum n G.
Proof. exact sum_ext. Qed.

Ltac take_sum := lazymatch goal with
  | |- sum _ _ * _ = _ => reflexivity
  | |- _ * _ = _ => eapply take_next; take_sum
  end.

Lemma flat_cancel : forall m B (Q q q' v p C : R),
  Q = sum m B * q -> q = / v * q' -> v = p -> p = sum m B * 1 -> v <> 0 -> q' = C -> Q = C.
Proof. intros m B Q q q' v p C -> -> -> -> N <-. field. lra. Qed.

Lemma flat_carry : forall Q r C : R, Q = r -> r = C -> Q = C.
Proof. intros; subst; reflexivity. Qed.

Ltac take_over := lazymatch goal with
  | |- / sum _ _ * _ = _ => first [reflexivity | eapply take_next; take_over]
  | |- _ * _ = _ => eapply take_next; take_over
  end.

Ltac flat_product := first
  [ eapply flat_carry; [eapply eq_trans; [take_delta|carry]|cbv beta; flat_product]
  | eapply flat_cancel; [take_sum|take_over|nf|twin_product|sign|flat_product]
  | eapply flat_nest; [take_sum|];
    let g := fresh "g" in let K := fresh "K" in intros g K; cbv beta; eapply eq_trans; [nf_product|flat_product]
  | reflexivity ].

Ltac flat := eapply flat_sum; let k := fresh "k" in let K := fresh "K" in intros k K; cbv beta; flat_product.

(* Names equal subexpressions of a goal: same x u, where u is the name of all that equal x. *)

Definition same (x u : R) : Prop := x = u.
Definition below (v p : R) : Prop := v = p.
Definition nonzero (x : R) : Prop := x <> 0.

Definition positive (x : R) : Prop := 0 < x.
Definition square (r p : R) : Prop := r * r = p.

Lemma below_as : forall v p q : R, v = p -> p = q -> / v = / q.
Proof. intros; subst; reflexivity. Qed.

Lemma not_zero_as : forall v p q : R, v = p -> v <> 0 -> p = q -> q <> 0.
Proof. intros; subst; assumption. Qed.

Lemma square_as : forall v p q : R, 0 <= v -> v = p -> p = q -> square (sqrt v) q.
Proof. intros; subst. apply sqrt_sqrt. assumption. Qed.

Lemma square_is : forall r u : R, square r (u * 1) -> u = r * r.
Proof. intros r u H. unfold square in H. rewrite H. ring. Qed.

Ltac note_as e f :=
  first
    [ match goal with H : same ?u ?u |- _ => let E := fresh "E" in
        assert (E : same f u) by (change (f = u); twin);
        tryif constr_eq e f then idtac else (let E' := fresh "E" in assert (E' : same e u) by (unfold same; etransitivity; [match goal with F : e = f |- _ => exact F end|exact E])) end
    | let E := fresh "E" in assert (E : same f f) by reflexivity;
      try (let P := fresh "P" in assert (P : positive f) by (unfold positive; sign));
      tryif constr_eq e f then idtac else (let E' := fresh "E" in assert (E' : same e f) by (match goal with F : e = f |- _ => exact F end)) ].

Ltac note_atom e := first
  [ match goal with H : same e _ |- _ => idtac end
  | lazymatch e with
    | sum _ _ =>
        let F := fresh "F" in eassert (F : e = _) by flat;
        match type of F with _ = ?f => note_as e f end; clear F
    | _ => note_as e e
    end ].

Ltac note e := lazymatch e with
  | ?a + ?b => note a; note b
  | ?a * ?b => note a; note b
  | / ?v => tryif is_number v then idtac else note_below v
  | sum _ _ => note_atom e
  | exp _ => note_atom e
  | ln _ => note_atom e
  | sqrt ?v => note_atom e; note_root v
  | delta _ _ => note_atom e
  | _ => idtac
  end
with note_root v := first
  [ match goal with H : square (sqrt v) _ |- _ => idtac end
  | let B := fresh "B" in eassert (B : below v _) by (unfold below; nf);
    match type of B with below _ ?p => note p end;
    let M := fresh "M" in eassert (M : square (sqrt v) _) by (eapply square_as; [sign|exact B|walk])
  | idtac ]
with is_number v := lazymatch v with
  | INR _ => fail
  | IZR _ => idtac
  | _ => fail
  end
with note_below v := first
  [ match goal with H : below v _ |- _ => idtac end
  | let N := fresh "N" in assert (N : v <> 0) by sign;
    let B := fresh "B" in eassert (B : below v _) by (unfold below; nf);
    match type of B with below _ ?p => note p end;
    let M := fresh "M" in eassert (M : nonzero _) by (unfold nonzero; eapply not_zero_as; [exact B|exact N|walk]);
    clear N
  | idtac ]
with walk := lazymatch goal with
  | |- _ + _ = _ => apply nf_plus; walk
  | |- _ * _ = _ => eapply f_equal2; walk
  | |- / ?v = _ =>
      first [match goal with H : below v ?p |- _ => eapply below_as; [exact H|walk] end | reflexivity]
  | |- ?e = _ => first [match goal with H : same e ?u |- _ => exact H end | reflexivity]
  end.

Ltac from_nonzero := solve
  [ assumption
  | sign
  | match goal with H : nonzero ?p |- ?q <> 0 => let C := fresh "C" in intro C; apply H;
      first
        [ rewrite C; ring
        | rewrite <- C; ring
        | match p with context [/ ?x] => transitivity (q * / x); [ring|rewrite C; ring] end ] end ].

Ltac settle :=
  match goal with |- ?a = ?b => note a; note b end;
  eapply nf_both; [walk|walk|];
  repeat match goal with H : square _ _ |- _ => revert H end;
  repeat match goal with H : nonzero _ |- _ => revert H end;
  repeat match goal with H : positive _ |- _ => revert H end;
  repeat match goal with H : same ?e ?u |- _ => clear H; tryif constr_eq e u then try generalize u else idtac end;
  intros; unfold positive in *;
  repeat match goal with H : square ?r (?u * 1) |- _ => apply square_is in H; subst u end;
  repeat match goal with H : square _ _ |- _ => unfold square in H; rewrite <- H; clear H end;
  unfold Rdiv; solve [ring | field; repeat split; from_nonzero].

(* Gives equal double sums the same order of summation. *)
Ltac reorder := match goal with
  | |- context [sum ?n (fun i => sum ?m (fun j => @?F i j))] =>
      rewrite (sum_swap n m F); cbv beta
  end.

(* Proves an equality of finite sums. *)
Ltac finish := first [settle | cases; settle].

Ltac sums := normalise; finish.

(* Proves gradients and equalities that need no further lemma. *)
Ltac by_rules :=
  lazymatch goal with
  | |- _ /\ _ => split; [intros; eexists; diff; same_entries; sign | by_rules]
  | |- is_derive _ _ _ => derivative; by_rules
  | |- _ => sums
  end.

(* Proves an equality term by term: by field, as the odds of a softmax, by exp of a sum, or as finite sums. *)
Ltac by_terms := cbv beta; first
  [ lazymatch goal with
    | |- sum ?n _ = sum ?n _ => apply sum_ext; intros; by_terms
    | |- _ / ?c = _ / ?c => apply (f_equal (fun t => t / c)); by_terms
    | |- - _ = - _ => apply f_equal; by_terms
    | |- ln _ = ln _ => apply f_equal; by_terms
    | |- exp _ = exp _ => apply f_equal; by_terms
    | |- _ + _ = _ + _ => apply f_equal2; by_terms
    | |- _ * _ = _ * _ => apply f_equal2; by_terms
    end
  | field; repeat split; first [lra | sign]
  | apply odds; [sign|sign|sums]
  | apply odds_of; [sign|sums]
  | apply softplus; [sign|sums]
  | unfold Rminus; rewrite ?exp_plus, ?exp_Ropp; field; sign
  | rewrite <- exp_plus; f_equal; ring
  | sums ].

Ltac by_sums := intros; unfold_names; first [by_rules | by_terms].

(* --- rows ------------------------------------------------------------------------------------------------- *)

(* Splits one term from a sum. *)
Lemma one_apart : forall n (f : nat -> R) i, (i < n)%nat -> sum n f = f i + sum n (fun k => differ k i * f k).
Proof.
  intros n f i I_. rewrite (sum_ext n (fun k => differ k i * f k) (fun k => f k - delta k i * f k)) by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_delta by exact I_. change (sum n (fun k => f k)) with (sum n f). ring.
Qed.

(* A unit row. *)
Lemma unit_row : forall d (w : nat -> R), sqrt (sum d (fun f => w f ^ 2)) <> 0 ->
  sum d (fun f => (w f / sqrt (sum d (fun f => w f ^ 2))) ^ 2) = 1.
Proof.
  intros d w W. set (n := sqrt (sum d (fun f => w f ^ 2))) in *.
  assert (E : n * n = sum d (fun f => w f ^ 2)) by (apply sqrt_sqrt; sign).
  rewrite (sum_ext d _ (fun f => w f ^ 2 * / (n * n))) by (intros; field; exact W).
  rewrite sum_scale_r, E. apply Rinv_r. rewrite <- E. apply Rmult_integral_contrapositive_currified; exact W.
Qed.

(* The derivative of a unit row by an entry of the row. *)
Lemma d_unit : forall d (w : nat -> nat -> R) i k f g, (f < d)%nat -> 0 < sum d (fun f => w i f ^ 2) ->
  is_derive (fun x => set2 w k f x i g / sqrt (sum d (fun f' => set2 w k f x i f' ^ 2))) (w k f)
    (delta i k * (delta f g - w i f / sqrt (sum d (fun f => w i f ^ 2)) * (w i g / sqrt (sum d (fun f => w i f ^ 2)))) / sqrt (sum d (fun f => w i f ^ 2))).
Proof.
  intros d w i k f g F P. assert (N := sqrt_lt_R0 _ P). assert (Q := sqrt_sqrt _ (Rlt_le _ _ P)).
  eapply d_eq.
  - apply (d_div (fun x => set2 w k f x i g) (fun x => sqrt (sum d (fun f' => set2 w k f x i f' ^ 2)))); [apply d_set2| |].
    + apply (d_sqrt (fun x => sum d (fun f' => set2 w k f x i f' ^ 2))); [|cbv beta; rewrite set2_same; exact P].
      apply (d_sum d (fun f' x => set2 w k f x i f' ^ 2)). intros f' _. apply (d_square (fun x => set2 w k f x i f')), d_set2.
    + cbv beta. rewrite set2_same. apply not_zero, N.
  - cbv beta. rewrite !set2_same. rewrite (sum_ext d (fun f' => 2 * w i f' * (delta i k * delta f' f)) (fun f' => delta f' f * (2 * w i f' * delta i k))) by (intros; ring).
    rewrite (sum_delta d f (fun f' => 2 * w i f' * delta i k)), (delta_sym g) by exact F. field. apply not_zero, N.
Qed.

(* The derivative of the cosine of rows i and j by an entry of row k. *)
Lemma d_cosine : forall N d (w : nat -> nat -> R) k f i j, (f < d)%nat -> (i < N)%nat -> (j < N)%nat ->
  (forall i, (i < N)%nat -> 0 < sum d (fun f => w i f ^ 2)) ->
  let norm i := sqrt (sum d (fun f => w i f ^ 2)) in let z i f := w i f / norm i in let s i j := sum d (fun f => z i f * z j f) in
  is_derive (fun x => sum d (fun g => set2 w k f x i g / sqrt (sum d (fun f' => set2 w k f x i f' ^ 2))
      * (set2 w k f x j g / sqrt (sum d (fun f' => set2 w k f x j f' ^ 2))))) (w k f)
    (delta i k * ((z j f - s k j * z k f) / norm k) + delta j k * ((z i f - s k i * z k f) / norm k)).
Proof.
  intros N d w k f i j F I_ J P norm z s.
  assert (H : forall i j, sum d (fun g => delta i k * (delta f g - z i f * z i g) / norm i * z j g) = delta i k * ((z j f - s k j * z k f) / norm k)).
  { intros a b. rewrite (sum_ext d _ (fun g => delta a k / norm a * (delta g f * z b g) - delta a k / norm a * z a f * (z a g * z b g)))
      by (intros; rewrite (delta_sym f); unfold Rdiv; ring).
    rewrite sum_minus, !sum_scale, sum_delta by exact F. fold (s a b). unfold Rdiv.
    transitivity (delta a k * (/ norm a * (z b f - s a b * z a f))); [ring|].
    rewrite (delta_replace a k (fun a => / norm a * (z b f - s a b * z a f))). ring. }
  eapply d_eq.
  - apply (d_sum d (fun g x => set2 w k f x i g / sqrt (sum d (fun f' => set2 w k f x i f' ^ 2)) * (set2 w k f x j g / sqrt (sum d (fun f' => set2 w k f x j f' ^ 2))))).
    intros g _. apply (d_mult (fun x => set2 w k f x i g / sqrt (sum d (fun f' => set2 w k f x i f' ^ 2)))); apply d_unit; auto.
  - cbv beta. rewrite !set2_same, sum_plus. rewrite <- (H i j), <- (H j i). f_equal. apply sum_ext. intros g _. unfold z, norm, Rdiv. ring.
Qed.

(* The sum over all pairs that contain row k. *)
Lemma by_pairs : forall N (G : nat -> nat -> R) (a : nat -> R) k, (k < N)%nat ->
  sum N (fun i => sum N (fun j => G i j * (delta i k * a j + delta j k * a i))) = sum N (fun j => a j * (G j k + G k j)).
Proof.
  intros N G a k K. rewrite (sum_ext N _ (fun i => delta i k * sum N (fun j => G i j * a j) + G i k * a i)).
  - rewrite sum_plus, sum_delta, <- sum_plus by exact K. apply sum_ext. intros. ring.
  - intros i _. rewrite (sum_ext N _ (fun j => delta i k * (G i j * a j) + delta j k * (G i j * a i))) by (intros; ring).
    rewrite sum_plus, sum_scale, (sum_delta N k (fun j => G i j * a i)) by exact K. reflexivity.
Qed.

(* The derivative of a log probability: the derivative of its own logit minus the mean over all logits. *)
Lemma d_row : forall n (c : nat -> R) (L : R -> nat -> R) (l : nat -> R) q x,
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) -> is_derive (fun y => L y q) x (l q) ->
  0 < sum n (fun k => c k * exp (L x k)) ->
  is_derive (fun y => ln (exp (L y q) / sum n (fun k => c k * exp (L y k)))) x
    (l q - sum n (fun k => c k * exp (L x k) / sum n (fun k => c k * exp (L x k)) * l k)).
Proof.
  intros n c L l q x D Q P. eapply d_eq.
  - apply (d_ln_exp_over (fun y => L y q) (fun y => sum n (fun k => c k * exp (L y k)))); [exact Q| |exact P].
    apply (d_sum n (fun k y => c k * exp (L y k))). intros k K. apply (d_scale (fun y => exp (L y k))), (d_exp (fun y => L y k)), D, K.
  - cbv beta. rewrite (sum_ext n (fun k => c k * exp (L x k) / _ * _) (fun k => c k * (exp (L x k) * l k) * / sum n (fun k => c k * exp (L x k))))
      by (intros; unfold Rdiv; ring).
    rewrite sum_scale_r. reflexivity.
Qed.

(* A row before candidates that a mask keeps, in the safe form. *)
Lemma d_kept_row : forall n (c : nat -> R) (L : R -> nat -> R) (l : nat -> R) q x, (q < n)%nat -> (forall m, 0 <= c m) ->
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) ->
  let P j := (c j + delta j q) * exp (L x j) / (sum n (fun m => c m * exp (L x m)) + exp (L x q)) in
  is_derive (fun y => - ln (exp (L y q) / (sum n (fun m => c m * exp (L y m)) + exp (L y q)))) x
    (sum n (fun j => (differ j q * P j - delta j q * sum n (fun m => differ m q * P m)) * l j)).
Proof.
  intros n c L l q x Q C D P.
  assert (B : forall y, sum n (fun m => (c m + delta m q) * exp (L y m)) = sum n (fun m => c m * exp (L y m)) + exp (L y q)).
  { intros y. rewrite (sum_ext n (fun m => (c m + delta m q) * _) (fun m => c m * exp (L y m) + delta m q * exp (L y m))) by (intros; ring).
    rewrite sum_plus, (sum_delta n q (fun m => exp (L y m))) by exact Q. reflexivity. }
  assert (S : 0 < sum n (fun m => c m * exp (L x m)) + exp (L x q)).
  { assert (E := exp_pos (L x q)). assert (0 <= sum n (fun m => c m * exp (L x m))); [|lra].
    apply sum_nonneg. intros m _. apply Rmult_le_pos; [apply C|apply Rlt_le, exp_pos]. }
  apply (is_derive_ext (fun y => - ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))); [intros y; rewrite B; reflexivity|].
  eapply d_eq.
  - apply (d_opp (fun y => ln (exp (L y q) / sum n (fun m => (c m + delta m q) * exp (L y m))))).
    apply (d_row n (fun m => c m + delta m q) L l q x); [exact D|apply D, Q|rewrite B; exact S].
  - assert (T : sum n P = 1).
    { unfold P. rewrite <- B. apply (shares n (fun m => (c m + delta m q) * exp (L x m))). rewrite B. lra. }
    rewrite (sum_ext n (fun j => (differ j q * P j - _) * l j) (fun j => P j * l j - delta j q * l j))
      by (intros; rewrite (error n P) by assumption; ring).
    rewrite sum_minus, sum_delta by exact Q. rewrite B. fold P. unfold P. ring.
Qed.

(* The derivative of a loss in which each row has one positive. *)
Lemma d_rows : forall N (c : nat -> nat -> R) (L : R -> nat -> nat -> R) (l : nat -> nat -> R) (p : nat -> nat) nu x,
  (forall i, (i < N)%nat -> (p i < N)%nat) -> (forall i j, (i < N)%nat -> (j < N)%nat -> is_derive (fun y => L y i j) x (l i j)) ->
  (forall i, (i < N)%nat -> 0 < sum N (fun k => c i k * exp (L x i k))) ->
  is_derive (fun y => sum N (fun i => - ln (exp (L y i (p i)) / sum N (fun k => c i k * exp (L y i k)))) / nu) x
    (sum N (fun i => sum N (fun j => (c i j * exp (L x i j) / sum N (fun k => c i k * exp (L x i k)) - delta j (p i)) * l i j)) / nu).
Proof.
  intros N c L l p nu x M D P. apply (d_over (fun y => sum N (fun i => - ln (exp (L y i (p i)) / sum N (fun k => c i k * exp (L y i k)))))).
  apply (d_sum N (fun i y => - ln (exp (L y i (p i)) / sum N (fun k => c i k * exp (L y i k))))). intros i I_. eapply d_eq.
  - apply (d_opp (fun y => ln (exp (L y i (p i)) / sum N (fun k => c i k * exp (L y i k))))).
    apply (d_row N (c i) (fun y => L y i) (l i)); auto.
  - rewrite (sum_ext N (fun j => (_ - _) * _) (fun j => c i j * exp (L x i j) / sum N (fun k => c i k * exp (L x i k)) * l i j - delta j (p i) * l i j)) by (intros; ring).
    rewrite sum_minus, sum_delta by auto. ring.
Qed.

Lemma d_softmax : forall n (L : R -> nat -> R) (l : nat -> R) q x, (0 < n)%nat ->
  (forall j, (j < n)%nat -> is_derive (fun y => L y j) x (l j)) -> is_derive (fun y => L y q) x (l q) ->
  is_derive (fun y => ln (exp (L y q) / sum n (fun k => exp (L y k)))) x
    (l q - sum n (fun k => exp (L x k) / sum n (fun k => exp (L x k)) * l k)).
Proof.
  intros n L l q x N D Q.
  assert (O : forall y, sum n (fun k => 1 * exp (L y k)) = sum n (fun k => exp (L y k))) by (intros; apply sum_ext; intros; ring).
  apply (is_derive_ext (fun y => ln (exp (L y q) / sum n (fun k => 1 * exp (L y k))))); [intros; rewrite O; reflexivity|].
  eapply d_eq; [apply (d_row n (fun _ => 1) L l q x D Q); rewrite O; sign|]. rewrite O. f_equal. apply sum_ext. intros. rewrite Rmult_1_l. reflexivity.
Qed.

(* The derivative by a row of a function of cosines, from the derivatives of the rows' losses by their logits. *)
Lemma d_of_cosines : forall N d (w : nat -> nat -> R) k f tau nu (ell : (nat -> nat -> R) -> nat -> R) (G : nat -> nat -> R), (k < N)%nat ->
  let norm i := sqrt (sum d (fun f => w i f ^ 2)) in let z i f := w i f / norm i in let s i j := sum d (fun f => z i f * z j f) in
  (forall i, (i < N)%nat -> is_derive (fun x => ell (set2 w k f x) i) (w k f)
    (sum N (fun j => G i j * ((delta i k * ((z j f - s k j * z k f) / norm k) + delta j k * ((z i f - s k i * z k f) / norm k)) / tau)))) ->
  is_derive (fun x => sum N (fun i => ell (set2 w k f x) i) / nu) (w k f)
    (sum N (fun j => (z j f - s k j * z k f) * (G j k + G k j)) / tau / nu / norm k).
Proof.
  intros N d w k f tau nu ell G K norm z s D. pose (a := fun j => (z j f - s k j * z k f) / norm k). eapply d_eq.
  - apply (d_over (fun x => sum N (fun i => ell (set2 w k f x) i))), (d_sum N (fun i x => ell (set2 w k f x) i)), D.
  - transitivity (sum N (fun i => sum N (fun j => G i j * (delta i k * a j + delta j k * a i))) * / tau / nu).
    + apply (f_equal (fun t => t / nu)). rewrite <- sum_scale_r. apply sum_ext. intros i _. rewrite <- sum_scale_r. apply sum_ext. intros j _.
      unfold a, Rdiv. ring.
    + rewrite by_pairs by exact K.
      rewrite (sum_ext N _ (fun j => (z j f - s k j * z k f) * (G j k + G k j) * / norm k)) by (intros; unfold a, Rdiv; ring).
      rewrite sum_scale_r. unfold Rdiv. ring.
Qed.

(* The derivative by the temperature, from the same derivatives. *)
Lemma d_by_temperature : forall N (tau nu : R) (ell : R -> nat -> R) (G L : nat -> nat -> R),
  (forall i, (i < N)%nat -> is_derive (fun x => ell x i) tau (sum N (fun j => G i j * (- L i j / tau)))) ->
  is_derive (fun x => sum N (fun i => ell x i) / nu) tau (- (sum N (fun i => sum N (fun j => G i j * L i j)) / tau / nu)).
Proof.
  intros N tau nu ell G L D. eapply d_eq.
  - apply (d_over (fun x => sum N (fun i => ell x i))), (d_sum N (fun i x => ell x i)), D.
  - transitivity (- / tau * sum N (fun i => sum N (fun j => G i j * L i j)) / nu); [|unfold Rdiv; ring].
    apply (f_equal (fun t => t / nu)). rewrite <- sum_scale. apply sum_ext. intros i _. rewrite <- sum_scale. apply sum_ext. intros j _.
    unfold Rdiv. ring.
Qed.

(* A covariance as a sum over all pairs. *)
Lemma covariance : forall n (r u v : nat -> R), sum n r = 1 ->
  sum n (fun j => sum n (fun m => (u j - u m) * (v j - v m) * r j * r m)) / 2
    = sum n (fun j => r j * (u j * v j)) - sum n (fun j => r j * u j) * sum n (fun j => r j * v j).
Proof.
  intros n r u v S. set (U := sum n (fun j => r j * u j)). set (V := sum n (fun j => r j * v j)). set (W := sum n (fun j => r j * (u j * v j))).
  rewrite (sum_ext n _ (fun j => r j * (u j * v j) - V * (r j * u j) - U * (r j * v j) + W * r j)).
  - rewrite sum_plus, !sum_minus, !sum_scale. fold U V W. change (sum n (fun k => r k)) with (sum n r). rewrite S. field.
  - intros j _. rewrite (sum_ext n _ (fun m => r j * (u j * v j) * r m - r j * u j * (r m * v m) - r j * v j * (r m * u m) + r j * (r m * (u m * v m)))) by (intros; ring).
    rewrite sum_plus, !sum_minus, !sum_scale. fold U V W. change (sum n (fun k => r k)) with (sum n r). rewrite S. ring.
Qed.

(* --- batches ---------------------------------------------------------------------------------------------- *)

(* Centred features: their derivative by an entry, and that of their products summed over the batch. *)
Lemma centred : forall B (z : nat -> R), (0 < B)%nat -> sum B (fun i => z i - sum B (fun j => z j) / INR B) = 0.
Proof.
  intros B z P. assert (b := INR_pos B P). rewrite sum_minus.
  rewrite (sum_ext B (fun _ => sum B (fun j => z j) / INR B) (fun _ => sum B (fun j => z j) / INR B * 1)), sum_scale, sum_one by (intros; ring).
  change (sum B (fun k => z k)) with (sum B z). field. lra.
Qed.

Lemma d_centred : forall B (z : nat -> nat -> R) k f i g, (k < B)%nat ->
  is_derive (fun x => set2 z k f x i g - sum B (fun j => set2 z k f x j g) / INR B) (z k f) ((delta i k - / INR B) * delta g f).
Proof.
  intros B z k f i g K. eapply d_eq.
  - apply (d_minus (fun x => set2 z k f x i g)); [apply d_set2|]. apply (d_over (fun x => sum B (fun j => set2 z k f x j g))).
    apply (d_sum B (fun j x => set2 z k f x j g)). intros j _. apply d_set2.
  - cbv beta. rewrite (sum_delta B k (fun _ => delta g f)) by exact K. unfold Rdiv. ring.
Qed.

Lemma d_products : forall B (z : nat -> nat -> R) k f g h, (k < B)%nat ->
  let y (z : nat -> nat -> R) i g := z i g - sum B (fun j => z j g) / INR B in
  is_derive (fun x => sum B (fun i => y (set2 z k f x) i g * y (set2 z k f x) i h)) (z k f) (delta g f * y z k h + delta h f * y z k g).
Proof.
  intros B z k f g h K y. assert (P : (0 < B)%nat) by lia. eapply d_eq.
  - apply (d_sum B (fun i x => y (set2 z k f x) i g * y (set2 z k f x) i h)). intros i _.
    apply (d_mult (fun x => y (set2 z k f x) i g) (fun x => y (set2 z k f x) i h)); apply d_centred; exact K.
  - cbv beta. rewrite set2_same.
    rewrite (sum_ext B _ (fun i => delta i k * (delta g f * y z i h + delta h f * y z i g) - / INR B * delta g f * y z i h - / INR B * delta h f * y z i g)) by (intros; ring).
    rewrite !sum_minus, !sum_scale, (sum_delta B k (fun i => delta g f * y z i h + delta h f * y z i g)) by exact K.
    assert (C : forall g, sum B (fun i => y z i g) = 0) by (intros a; apply (centred B (fun i => z i a)), P).
    rewrite (C g), (C h). ring.
Qed.

(* --- what the proofs of several files need ----------------------------------------------------------------- *)

Lemma decay : forall x, x * exp (- x) <= 1 - exp (- x).
Proof.
  intros x. assert (L := ln_below (exp x) (exp_pos x)). rewrite ln_exp in L. assert (E := exp_pos (- x)).
  assert (X := Rmult_le_compat_r (exp (- x)) _ _ ltac:(lra) L). rewrite Rmult_minus_distr_r, <- exp_plus, Rplus_opp_r, exp_0 in X. lra.
Qed.

(* Entropy and mean of the shares of a row: log Σ e^L = H + Σ ϱ L. *)
Lemma entropy : forall n (L : nat -> R), (0 < n)%nat ->
  - sum n (fun a => exp (L a) / sum n (fun m => exp (L m)) * ln (exp (L a) / sum n (fun m => exp (L m))))
    + sum n (fun a => L a * (exp (L a) / sum n (fun m => exp (L m)))) = ln (sum n (fun m => exp (L m))).
Proof.
  intros n L N. assert (S : 0 < sum n (fun m => exp (L m))) by sign. set (s := sum n (fun m => exp (L m))) in *.
  rewrite <- sum_opp, <- sum_plus.
  rewrite (sum_ext n _ (fun a => exp (L a) / s * ln s)).
  - rewrite sum_scale_r. unfold Rdiv. rewrite sum_scale_r. fold s. field. lra.
  - intros a _. unfold Rdiv at 2. rewrite ln_mult, ln_Rinv, ln_exp by (sign || apply Rinv_0_lt_compat; exact S). ring.
Qed.

Lemma over_one : forall x, x / 1 = x.
Proof. intros. field. Qed.

(* Subtracting a number from all logits does not change a softmax. *)
Lemma lowered : forall n (L : nat -> R) x k, exp (L k - x) / sum n (fun m => exp (L m - x)) = exp (L k) / sum n (fun m => exp (L m)).
Proof.
  intros. rewrite (sum_ext n (fun m => exp (L m - x)) (fun m => exp (- x) * exp (L m))) by (intros; rewrite <- exp_plus; f_equal; ring).
  rewrite sum_scale. unfold Rdiv, Rminus. rewrite Rinv_mult, exp_plus.
  transitivity (exp (- x) * / exp (- x) * (exp (L k) * / sum n (fun m => exp (L m)))); [ring|].
  rewrite Rinv_r by apply not_zero, exp_pos. ring.
Qed.

(* A marginal of a law as a sum over the pairs with that value. *)
Lemma marginal : forall V (J : nat -> R) (c : nat -> nat) i, (i < V)%nat ->
  J i + sum V (fun k => differ k i * J k * delta (c i) (c k)) = sum V (fun k => J k * delta (c i) (c k)).
Proof.
  intros V J c i I_. rewrite (sum_ext V (fun k => differ k i * _ * _) (fun k => J k * delta (c i) (c k) - delta k i * (J k * delta (c i) (c k))))
    by (intros; rewrite differ_delta; ring).
  rewrite sum_minus, sum_delta, delta_refl by exact I_. ring.
Qed.

(* p(x) p(y), summed over the pairs that occur, is 1 minus its sum over the others. *)
Lemma outside : forall V (J : nat -> R) (c x : nat -> nat), sum V J = 1 ->
  sum V (fun i => (J i + sum V (fun k => differ k i * J k * delta (c i) (c k))) * (J i + sum V (fun k => differ k i * J k * delta (x i) (x k))))
    = 1 - sum V (fun l => sum V (fun k => (1 - sum V (fun i => delta (c i) (c l) * delta (x i) (x k))) * J k * J l)).
Proof.
  intros V J c x S. pose (T := fun l k i => J k * J l * (delta (c i) (c l) * delta (x i) (x k))).
  transitivity (sum V (fun l => sum V (fun k => sum V (fun i => T l k i)))).
  - symmetry. rewrite (sum_ext V _ (fun l => sum V (fun i => sum V (fun k => T l k i)))) by (intros; apply sum_swap).
    rewrite sum_swap. apply sum_ext. intros i I_. rewrite !marginal by exact I_. rewrite <- sum_scale_r. apply sum_ext. intros l _.
    rewrite <- sum_scale. apply sum_ext. intros. unfold T. ring.
  - rewrite (sum_ext V (fun l => sum V (fun k => (1 - _) * _ * _)) (fun l => J l - sum V (fun k => sum V (fun i => T l k i)))).
    + rewrite sum_minus. change (sum V (fun k => J k)) with (sum V J). rewrite S. ring.
    + intros l _. rewrite (sum_ext V _ (fun k => J l * J k - sum V (fun i => T l k i))).
      * rewrite sum_minus, sum_scale. change (sum V (fun k => J k)) with (sum V J). rewrite S. ring.
      * intros k _. unfold T. rewrite sum_scale. ring.
Qed.

Lemma masked_square : forall k, k = 0 \/ k = 1 -> k ^ 2 = k.
Proof. intros k [->| ->]; ring. Qed.

(* a log (b/a) ≤ b − a − (√a − √b)², by the lemma at √(b/a). *)
Lemma gibbs_by_roots : forall a b, 0 < a -> 0 < b -> a * ln (b / a) <= b - a - (sqrt a - sqrt b) ^ 2.
Proof.
  intros a b A B. assert (p0 := sqrt_lt_R0 a A). assert (q0 := sqrt_lt_R0 b B).
  assert (P := sqrt_sqrt a (Rlt_le _ _ A)). assert (Q := sqrt_sqrt b (Rlt_le _ _ B)).
  set (p := sqrt a) in *. set (q := sqrt b) in *. clearbody p q. subst a b.
  replace (q * q / (p * p)) with (q / p * (q / p)) by (field; lra).
  assert (H : 0 < q / p) by (apply Rdiv_lt_0_compat; assumption). rewrite ln_mult by exact H.
  replace (q * q - p * p - (p - q) ^ 2) with (p * p * (2 * (q / p - 1))) by (field; lra).
  apply Rmult_le_compat_l; [apply Rlt_le, A|]. assert (L := ln_below _ H). lra.
Qed.
