(* Interval arithmetic over integers: encloses a number between two fractions, to prove a relation at a point. *)

From Coq Require Import Reals Lra Lia ZArith.
From infonce_ref Require Import vocabulary.
Local Open Scope R_scope.

(* The common denominator of all fractions. *)
Definition denominator : Z := Zpos (Pos.pow 2 48).

Definition within (x : R) (a b : Z) : Prop := IZR a <= x * IZR denominator <= IZR b.

Definition over (a b : Z) : Z := Z.div a b.
Definition over_up (a b : Z) : Z := Z.opp (Z.div (Z.opp a) b).

(* Divides by the denominator; a shift is fast. *)
Definition down (a : Z) : Z := Z.shiftr a 48.
Definition up (a : Z) : Z := Z.opp (Z.shiftr (Z.opp a) 48).

Lemma down_is : forall a, down a = over a denominator.
Proof. intros. unfold down. rewrite Z.shiftr_div_pow2 by discriminate. reflexivity. Qed.

Lemma up_is : forall a, up a = over_up a denominator.
Proof. intros. unfold up. rewrite Z.shiftr_div_pow2 by discriminate. reflexivity. Qed.

Lemma denominator_pos : 0 < IZR denominator.
Proof. apply IZR_lt. reflexivity. Qed.

Lemma over_le : forall a b, (0 < b)%Z -> IZR (over a b) * IZR b <= IZR a.
Proof.
  intros a b H. rewrite <- mult_IZR. apply IZR_le. unfold over.
  rewrite Z.mul_comm. apply Z.mul_div_le. exact H.
Qed.

Lemma over_up_ge : forall a b, (0 < b)%Z -> IZR a <= IZR (over_up a b) * IZR b.
Proof.
  intros a b H. unfold over_up. rewrite opp_IZR.
  assert (B := over_le (Z.opp a) b H). unfold over in B. rewrite opp_IZR in B. lra.
Qed.

Lemma over_mono : forall (a b : Z) (u : R), (0 < b)%Z -> IZR a <= u * IZR b -> IZR (over a b) <= u.
Proof.
  intros a b u H L. apply Rmult_le_reg_r with (IZR b); [apply IZR_lt; exact H|].
  eapply Rle_trans; [apply over_le; exact H|exact L].
Qed.

Lemma over_up_mono : forall (a b : Z) (u : R), (0 < b)%Z -> u * IZR b <= IZR a -> u <= IZR (over_up a b).
Proof.
  intros a b u H L. apply Rmult_le_reg_r with (IZR b); [apply IZR_lt; exact H|].
  eapply Rle_trans; [exact L|apply over_up_ge; exact H].
Qed.

Lemma within_as : forall x a b a' b', within x a b -> a = a' -> b = b' -> within x a' b'.
Proof. intros. subst. assumption. Qed.

Lemma within_IZR : forall n, within (IZR n) (Z.mul n denominator) (Z.mul n denominator).
Proof. intros. unfold within. rewrite mult_IZR. lra. Qed.

Lemma within_R0 : within R0 0 0.
Proof. unfold within. lra. Qed.

Lemma within_R1 : within R1 denominator denominator.
Proof. unfold within. lra. Qed.

Lemma within_plus : forall x y a b c d, within x a b -> within y c d -> within (x + y) (Z.add a c) (Z.add b d).
Proof. unfold within. intros. rewrite !plus_IZR. lra. Qed.

Lemma within_opp : forall x a b, within x a b -> within (- x) (Z.opp b) (Z.opp a).
Proof. unfold within. intros. rewrite !opp_IZR. lra. Qed.

Lemma within_minus : forall x y a b c d, within x a b -> within y c d -> within (x - y) (Z.sub a d) (Z.sub b c).
Proof. unfold within. intros. rewrite !minus_IZR. lra. Qed.

Lemma corner : forall a b c d u v m : R, a <= u <= b -> c <= v <= d ->
  m <= a * c -> m <= a * d -> m <= b * c -> m <= b * d -> m <= u * v.
Proof.
  intros a b c d u v m U V. intros.
  destruct (Rle_dec 0 v).
  - apply (Rle_trans _ (a * v)); [|apply Rmult_le_compat_r; lra].
    destruct (Rle_dec 0 a); [apply (Rle_trans _ (a * c))|apply (Rle_trans _ (a * d))]; nra.
  - apply (Rle_trans _ (b * v)); [|nra].
    destruct (Rle_dec 0 b); [apply (Rle_trans _ (b * c))|apply (Rle_trans _ (b * d))]; nra.
Qed.

(* The minimum and maximum of four products; two products are enough if both numbers are positive. *)
Definition both (a c : Z) : bool := andb (Z.leb 0 a) (Z.leb 0 c).
Definition least (a b c d : Z) : Z :=
  if both a c then a * c else Z.min (Z.min (a * c) (a * d)) (Z.min (b * c) (b * d)).
Definition most (a b c d : Z) : Z :=
  if both a c then b * d else Z.max (Z.max (a * c) (a * d)) (Z.max (b * c) (b * d)).

Lemma within_mult : forall x y a b c d, within x a b -> within y c d ->
  within (x * y) (down (least a b c d)) (up (most a b c d)).
Proof.
  intros x y a b c d X Y. rewrite down_is, up_is. assert (P := denominator_pos). unfold within, least, most in *.
  set (D := IZR denominator) in *.
  destruct (both a c) eqn:S.
  - apply Bool.andb_true_iff in S. destruct S as [A C]. apply Z.leb_le, IZR_le in A, C.
    split; [apply over_mono|apply over_up_mono]; try reflexivity; fold D; rewrite mult_IZR;
      replace (x * y * D * D) with ((x * D) * (y * D)) by ring; apply Rmult_le_compat; lra.
  - split; [apply over_mono; [reflexivity|]; fold D
           |apply over_up_mono; [reflexivity|]; fold D; apply Ropp_le_cancel].
    + replace (x * y * D * D) with ((x * D) * (y * D)) by ring.
      apply (corner (IZR a) (IZR b) (IZR c) (IZR d)); try assumption; rewrite <- mult_IZR; apply IZR_le; lia.
    + replace (- (x * y * D * D)) with ((- (x * D)) * (y * D)) by ring.
      apply (corner (- IZR b) (- IZR a) (IZR c) (IZR d)); try lra;
        rewrite <- Ropp_mult_distr_l; apply Ropp_le_contravar; rewrite <- mult_IZR; apply IZR_le; lia.
Qed.

Lemma within_inv : forall x a b, within x a b -> Z.ltb 0 a = true ->
  within (/ x) (over (denominator * denominator) b) (over_up (denominator * denominator) a).
Proof.
  intros x a b [L U] S. apply Z.ltb_lt in S. assert (P := denominator_pos). unfold within.
  set (D := IZR denominator) in *. assert (A : 0 < IZR a) by (apply IZR_lt; exact S).
  assert (X : 0 < x) by (apply Rmult_lt_reg_r with D; lra).
  split.
  - apply over_mono; [apply lt_IZR; lra|]. rewrite mult_IZR. fold D.
    replace (/ x * D * IZR b) with (/ x * (D * IZR b)) by ring.
    apply Rmult_le_reg_l with x; [exact X|].
    replace (x * (/ x * (D * IZR b))) with (D * IZR b) by (field; lra). nra.
  - apply over_up_mono; [exact S|]. rewrite mult_IZR. fold D.
    apply Rmult_le_reg_l with x; [exact X|].
    replace (x * (/ x * D * IZR a)) with (D * IZR a) by (field; lra). nra.
Qed.

(* Divides directly: the reciprocal of a large divisor would be rounded to 0. *)
Definition quotient (a c d : Z) : Z := over (a * denominator) (if Z.leb 0 a then d else c).

Lemma quotient_low : forall (a c d : Z) (u v : R), IZR a <= u -> IZR c <= v <= IZR d -> (0 < c)%Z ->
  IZR (quotient a c d) <= u / v * IZR denominator.
Proof.
  intros a c d u v U [L H] C. assert (P := denominator_pos). set (D := IZR denominator) in *.
  assert (C' := C). apply IZR_lt in C'. assert (V : 0 < / v) by (apply Rinv_0_lt_compat; lra).
  assert (E : v * / v = 1) by (apply Rinv_r; lra).
  destruct (Z_lt_le_dec a 0) as [A|A].
  - unfold quotient. replace (Z.leb 0 a) with false by (symmetry; apply Z.leb_gt; exact A).
    apply over_mono; [exact C|]. rewrite mult_IZR. fold D. apply IZR_lt in A.
    replace (u / v * D * IZR c) with (D * (u * (/ v * IZR c))) by (unfold Rdiv; ring).
    rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|].
    assert (Q : 0 <= / v * IZR c <= 1) by (split; [apply Rmult_le_pos; lra|rewrite <- E, Rmult_comm; apply Rmult_le_compat_r; lra]).
    nra.
  - unfold quotient. replace (Z.leb 0 a) with true by (symmetry; apply Z.leb_le; exact A).
    apply over_mono; [apply lt_IZR; lra|]. rewrite mult_IZR. fold D. apply IZR_le in A.
    replace (u / v * D * IZR d) with (D * (u * (/ v * IZR d))) by (unfold Rdiv; ring).
    rewrite Rmult_comm. apply Rmult_le_compat_l; [lra|].
    assert (Q : 1 <= / v * IZR d) by (rewrite <- E, Rmult_comm; apply Rmult_le_compat_l; lra).
    nra.
Qed.

Lemma within_div : forall x y a b c d, within x a b -> within y c d -> Z.ltb 0 c = true ->
  within (x / y) (quotient a c d) (Z.opp (quotient (Z.opp b) c d)).
Proof.
  intros x y a b c d [L U] Y C. apply Z.ltb_lt in C. assert (P := denominator_pos).
  assert (C' := C). apply IZR_lt in C'. destruct Y as [Y Z].
  assert (V : y <> 0) by (intros ->; lra).
  assert (Q : x / y = x * IZR denominator / (y * IZR denominator)) by (field; split; [lra|exact V]).
  rewrite Q. split; [apply quotient_low; auto|].
  assert (B := quotient_low (- b) c d (- (x * IZR denominator)) (y * IZR denominator)
    ltac:(rewrite opp_IZR; lra) (conj Y Z) C).
  rewrite opp_IZR.
  unfold Rdiv in *. rewrite <- Ropp_mult_distr_l, <- Ropp_mult_distr_l in B. lra.
Qed.

(* Lower bound: e^x = (e^(x/2^k))^(2^k), and e^y >= 1 + y. *)
Fixpoint exp_low (k : nat) (a : Z) : Z :=
  match k with
  | O => Z.max 0 (denominator + a)
  | S k => let y := exp_low k (Z.div2 a) in down (y * y)
  end.

Lemma exp_low_le : forall k a x, IZR a <= x * IZR denominator -> 0 <= IZR (exp_low k a) <= exp x * IZR denominator.
Proof.
  assert (P := denominator_pos). induction k as [|k I]; intros a x H; cbn [exp_low].
  - assert (E := exp_ineq1_le x). assert (F := exp_pos x).
    destruct (Z.max_spec 0 (denominator + a)) as [[G ->]|[_ ->]].
    + apply IZR_lt in G. rewrite plus_IZR in *.
      assert (M := Rmult_le_compat_l _ _ _ (Rlt_le _ _ P) E). split; lra.
    + split; [lra|]. apply Rmult_le_pos; lra.
  - rewrite Z.div2_div, down_is. fold (over a 2).
    assert (B := I (over a 2) (x / 2) ltac:(apply over_mono; [reflexivity|lra])).
    set (y := exp_low k (over a 2)) in *. cbv zeta.
    assert (S : exp x = exp (x / 2) * exp (x / 2)) by (rewrite <- exp_plus; f_equal; field).
    split.
    + apply IZR_le. apply Z.div_pos; [|reflexivity]. apply le_IZR. rewrite mult_IZR. nra.
    + apply over_mono; [reflexivity|]. rewrite mult_IZR, S.
      replace (exp (x / 2) * exp (x / 2) * IZR denominator * IZR denominator)
        with ((exp (x / 2) * IZR denominator) * (exp (x / 2) * IZR denominator)) by ring.
      apply Rmult_le_compat; lra.
Qed.

(* Upper bound: e^y <= 1/(1 - y) for y < 1. *)
Fixpoint exp_high (k : nat) (b : Z) : Z :=
  match k with
  | O => over_up (denominator * denominator) (denominator - b)
  | S k => let y := exp_high k (Z.opp (Z.div2 (Z.opp b))) in up (y * y)
  end.

Fixpoint small (k : nat) (b : Z) : bool :=
  match k with
  | O => Z.ltb b denominator
  | S k => small k (Z.opp (Z.div2 (Z.opp b)))
  end.

Lemma exp_high_ge : forall k b x, small k b = true -> x * IZR denominator <= IZR b ->
  exp x * IZR denominator <= IZR (exp_high k b).
Proof.
  assert (P := denominator_pos). induction k as [|k I]; intros b x S H; cbn [exp_high small] in *.
  - apply Z.ltb_lt in S. apply over_up_mono; [lia|]. rewrite minus_IZR, mult_IZR.
    assert (E := exp_ineq1_le (- x)). assert (F := exp_pos x).
    assert (O : exp x * exp (- x) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    assert (M := Rmult_le_compat_l _ _ _ (Rlt_le _ _ F) E). rewrite O in M.
    apply Rle_trans with (IZR denominator * (exp x * (IZR denominator * (1 + - x)))); [|].
    + replace (exp x * IZR denominator * (IZR denominator - IZR b))
        with (IZR denominator * (exp x * (IZR denominator - IZR b))) by ring.
      apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra.
    + apply Rmult_le_compat_l; [lra|].
      replace (exp x * (IZR denominator * (1 + - x))) with (IZR denominator * (exp x * (1 + - x))) by ring.
      rewrite <- (Rmult_1_r (IZR denominator)) at 2. apply Rmult_le_compat_l; lra.
  - rewrite up_is. rewrite Z.div2_div in *. fold (over_up b 2) in *.
    assert (B := I (over_up b 2) (x / 2) S ltac:(apply over_up_mono; [reflexivity|lra])).
    revert B. generalize (exp_high k (over_up b 2)). intros y B. cbv zeta.
    assert (F := exp_pos (x / 2)).
    assert (E : exp x = exp (x / 2) * exp (x / 2)) by (rewrite <- exp_plus; f_equal; field).
    apply over_up_mono; [reflexivity|]. rewrite mult_IZR, E.
    replace (exp (x / 2) * exp (x / 2) * IZR denominator * IZR denominator)
      with ((exp (x / 2) * IZR denominator) * (exp (x / 2) * IZR denominator)) by ring.
    assert (G : 0 <= exp (x / 2) * IZR denominator) by (apply Rmult_le_pos; lra).
    apply Rmult_le_compat; lra.
Qed.

Definition halvings : nat := 18.

Lemma within_exp : forall x a b, within x a b -> small halvings b = true ->
  within (exp x) (exp_low halvings a) (exp_high halvings b).
Proof.
  intros x a b [L U] S. split; [apply exp_low_le, L|apply exp_high_ge; assumption].
Qed.

(* Lower bound: ln x = 2^k ln x^(1/2^k), and ln y >= 1 - 1/y. *)
Fixpoint ln_low (k : nat) (a : Z) : Z :=
  match k with
  | O => denominator - over_up (denominator * denominator) a
  | S k => 2 * ln_low k (Z.sqrt (a * denominator))
  end.

Lemma sqrt_low : forall a x, (0 <= a)%Z -> IZR a <= x * IZR denominator ->
  IZR (Z.sqrt (a * denominator)) <= sqrt x * IZR denominator.
Proof.
  intros a x A H. assert (P := denominator_pos).
  assert (B : (0 <= a * denominator)%Z) by (apply Z.mul_nonneg_nonneg; [exact A|discriminate]).
  assert (S := Z.sqrt_spec (a * denominator) B). destruct S as [S _].
  assert (N := Z.sqrt_nonneg (a * denominator)).
  assert (X : 0 <= x) by (apply IZR_le in A; apply Rmult_le_reg_r with (IZR denominator); lra).
  apply Rsqr_incr_0_var; [|apply Rmult_le_pos; [apply sqrt_pos|lra]].
  unfold Rsqr. rewrite <- mult_IZR. eapply Rle_trans; [apply IZR_le, S|]. rewrite mult_IZR.
  replace (sqrt x * IZR denominator * (sqrt x * IZR denominator))
    with (sqrt x * sqrt x * IZR denominator * IZR denominator) by ring.
  rewrite sqrt_sqrt by exact X. apply Rmult_le_compat_r; lra.
Qed.

Lemma ln_low_le : forall k a x, (0 < a)%Z -> IZR a <= x * IZR denominator -> IZR (ln_low k a) <= ln x * IZR denominator.
Proof.
  assert (P := denominator_pos). induction k as [|k I]; intros a x A H; cbn [ln_low].
  - assert (A' := A). apply IZR_lt in A'.
    assert (X : 0 < x) by (apply Rmult_lt_reg_r with (IZR denominator); lra).
    assert (E := exp_ineq1_le (- ln x)). rewrite exp_Ropp, exp_ln in E by exact X.
    rewrite minus_IZR. apply Rle_trans with (IZR denominator - / x * IZR denominator); [|nra].
    apply Rplus_le_compat_l, Ropp_le_contravar.
    apply over_up_mono; [exact A|]. rewrite mult_IZR. apply Rmult_le_reg_l with x; [exact X|].
    replace (x * (/ x * IZR denominator * IZR a)) with (IZR denominator * IZR a) by (field; lra). nra.
  - assert (A' := A). apply IZR_lt in A'.
    assert (X : 0 < x) by (apply Rmult_lt_reg_r with (IZR denominator); lra).
    assert (B : (0 < Z.sqrt (a * denominator))%Z) by (apply Z.sqrt_pos, Z.mul_pos_pos; [exact A|reflexivity]).
    assert (L := I (Z.sqrt (a * denominator)) (sqrt x) B (sqrt_low a x ltac:(lia) H)).
    assert (S : ln x = 2 * ln (sqrt x)).
    { rewrite <- (sqrt_sqrt x) at 1 by lra. rewrite ln_mult by (apply sqrt_lt_R0; exact X). ring. }
    rewrite mult_IZR, S. lra.
Qed.

Lemma within_ln : forall x a b, within x a b -> Z.ltb 0 a = true ->
  Z.ltb 0 (over (denominator * denominator) b) = true ->
  within (ln x) (ln_low halvings a) (Z.opp (ln_low halvings (over (denominator * denominator) b))).
Proof.
  intros x a b H S T. assert (I := within_inv x a b H S). apply Z.ltb_lt in S, T.
  destruct H as [L U]. destruct I as [M _]. assert (P := denominator_pos).
  assert (A := ln_low_le halvings a x S L). assert (B := ln_low_le halvings _ (/ x) T M).
  assert (S' := S). apply IZR_lt in S'.
  assert (X : 0 < x) by (apply Rmult_lt_reg_r with (IZR denominator); lra).
  rewrite ln_Rinv in B by exact X. split; [exact A|]. rewrite opp_IZR. lra.
Qed.

Lemma within_sqrt : forall x a b, within x a b -> Z.leb 0 a = true ->
  within (sqrt x) (Z.sqrt (a * denominator)) (Z.succ (Z.sqrt (b * denominator))).
Proof.
  intros x a b [L U] S. apply Z.leb_le in S. assert (P := denominator_pos).
  split; [apply sqrt_low; assumption|].
  assert (A := S). apply IZR_le in A.
  assert (X : 0 <= x) by (apply Rmult_le_reg_r with (IZR denominator); lra).
  assert (B : (0 <= b * denominator)%Z) by (apply Z.mul_nonneg_nonneg; [apply le_IZR; lra|discriminate]).
  assert (T := Z.sqrt_spec (b * denominator) B). destruct T as [_ T].
  assert (N := Z.sqrt_nonneg (b * denominator)).
  apply Rsqr_incr_0_var; [|apply IZR_le; lia].
  unfold Rsqr. rewrite <- mult_IZR. apply Rlt_le. eapply Rle_lt_trans; [|apply IZR_lt, T]. rewrite mult_IZR.
  replace (sqrt x * IZR denominator * (sqrt x * IZR denominator))
    with (sqrt x * sqrt x * IZR denominator * IZR denominator) by ring.
  rewrite sqrt_sqrt by exact X. apply Rmult_le_compat_r; lra.
Qed.

Lemma is_less : forall x y a b c d, within x a b -> within y c d -> Z.ltb b c = true -> x < y.
Proof.
  intros x y a b c d [_ X] [Y _] H. apply Z.ltb_lt, IZR_lt in H. assert (P := denominator_pos).
  apply Rmult_lt_reg_r with (IZR denominator); lra.
Qed.

Lemma is_at_most : forall x y a b c d, within x a b -> within y c d -> Z.leb b c = true -> x <= y.
Proof.
  intros x y a b c d [_ X] [Y _] H. apply Z.leb_le, IZR_le in H. assert (P := denominator_pos).
  apply Rmult_le_reg_r with (IZR denominator); lra.
Qed.

Lemma is_apart : forall x y a b c d, within x a b -> within y c d -> orb (Z.ltb b c) (Z.ltb d a) = true -> x <> y.
Proof.
  intros x y a b c d X Y H E. apply Bool.orb_true_iff in H. destruct H as [H|H];
    [assert (L := is_less _ _ _ _ _ _ X Y H)|assert (L := is_less _ _ _ _ _ _ Y X H)]; lra.
Qed.

(* --- tactics ------------------------------------------------------------------------------------------- *)

Ltac computed := lazymatch goal with
  | |- ?a = ?b => let v := eval vm_compute in a in unify b v; vm_cast_no_check (@eq_refl _ v)
  end.

(* Encloses one operation, after its operands. *)
Ltac operation := lazymatch goal with
  | |- within (IZR _) _ _ => apply within_IZR
  | |- within R0 _ _ => apply within_R0
  | |- within R1 _ _ => apply within_R1
  | |- within (_ + _) _ _ => eapply within_plus; [enclose | enclose]
  | |- within (_ - _) _ _ => eapply within_minus; [enclose | enclose]
  | |- within (_ * _) _ _ => eapply within_mult; [enclose | enclose]
  | |- within (_ / _) _ _ => eapply within_div; [enclose | enclose | computed]
  | |- within (- _) _ _ => eapply within_opp; enclose
  | |- within (/ _) _ _ => eapply within_inv; [enclose | computed]
  | |- within (exp _) _ _ => eapply within_exp; [enclose | computed]
  | |- within (ln _) _ _ => eapply within_ln; [enclose | computed | computed]
  | |- within (sqrt _) _ _ => eapply within_sqrt; [enclose | computed]
  end
with enclose := first [eassumption | eapply within_as; [operation | computed | computed]].

(* Encloses each exp, ln and sqrt once, the innermost first, and then treats it as a number between known fractions. *)
Ltac known f t := lazymatch t with
  | context [exp _] => fail
  | context [ln _] => fail
  | context [sqrt _] => fail
  | _ => let x := fresh "x" in let E := fresh "E" in
      eassert (E : within (f t) _ _) by enclose; generalize dependent (f t); intros x E
  end.

Ltac roots_and_exponentials := repeat match goal with
  | |- context [exp ?t] => known exp t
  | |- context [sqrt ?t] => known sqrt t
  end.

Ltac logarithms := repeat match goal with |- context [ln ?t] => known ln t end.

(* Proves a relation between two numbers: writes the sums out and encloses both sides. *)
Ltac at_point := intros;
  cbv -[IZR Rplus Rmult Rminus Rdiv Ropp Rinv exp ln sqrt Rlt Rle not R0 R1];
  roots_and_exponentials; rewrite ?Rmult_0_l, ?Rmult_1_l, ?Rplus_0_l, ?Rplus_0_r; logarithms;
  lazymatch goal with
  | |- _ < _ => eapply is_less; [enclose | enclose | computed]
  | |- _ <= _ => eapply is_at_most; [enclose | enclose | computed]
  | |- _ <> _ => eapply is_apart; [enclose | enclose | computed]
  end.
