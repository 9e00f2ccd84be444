(* SigLIP: a sigmoid classifies each image with each text as a pair or not (document F). *)

From infonce_ref Require Import sums enclosures.
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

(*! F11: sample *)
Theorem F11_sample :
  forall (M : nat) (b : R) (u' : nat -> nat -> R) (a i : nat),
  (0 < M)%nat ->
  let lambda' (i a : nat) : R := - (b) - ln (INR M) in
  let h' (i a : nat) : R := exp (u' i a) / (INR M * exp (lambda' i a) + exp (u' i a)) in
  (forall a : nat, forall i : nat, 1 - h' i a <> 0) ->
  1 / (1 - h' i a) = 1 + exp (b + u' i a).
(*! *)
Proof.
  intros. assert (X := INR_pos M H). assert (Y := exp_pos b). assert (Z := exp_pos (u' i a)). unfold h', lambda'.
  unfold Rminus. rewrite !exp_plus, !exp_Ropp, exp_ln by exact X. field. repeat split; try lra; apply not_zero; sign.
Qed.

(*! F10: stands *)
Theorem F10_stands :
  forall (B d : nat) (b tau : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let Sigma_circumflex (i j : nat) : R := exp (b + L i j) / (1 + exp (b + L i j)) in
  let G (i j : nat) : R := differ i j * Sigma_circumflex i j - delta i j / (1 + exp (b + L i j)) in
  sum B (fun i : nat => sum B (fun j : nat => G i j)) = sum B (fun i : nat => sum B (fun j : nat =>
    Sigma_circumflex i j)) - INR B.
(*! *)
Proof.
  intros. rewrite (sum_ext B (fun i => sum B (fun j => G i j)) (fun i => sum B (fun j => Sigma_circumflex i j) - 1)).
  - rewrite sum_minus, sum_one. reflexivity.
  - intros i I_. rewrite (sum_ext B _ (fun j => Sigma_circumflex i j - delta j i * 1)).
    + rewrite sum_minus, sum_delta by exact I_. reflexivity.
    + intros j _. unfold G, Sigma_circumflex. rewrite differ_delta, (delta_sym j). assert (E := exp_pos (b + L i j)). field. lra.
Qed.

(* The derivative of a row's loss by a variable of all its logits. *)
Lemma d_row : forall B i (b L : R -> nat -> R) x (a : nat -> R), (i < B)%nat ->
  (forall j, is_derive (fun y => b y j + L y j) x (a j)) ->
  is_derive (fun y => sum B (fun j => differ j i * ln (1 + exp (b y j + L y j))) + ln (1 + exp (- (b y i) - L y i))) x
    (sum B (fun j => (differ i j * (exp (b x j + L x j) / (1 + exp (b x j + L x j))) - delta i j / (1 + exp (b x j + L x j))) * a j)).
Proof.
  intros B i b L x a I_ D. apply d_eq with
    (sum B (fun j => differ j i * ((0 + exp (b x j + L x j) * a j) * / (1 + exp (b x j + L x j))))
      + (0 + exp (- (b x i + L x i)) * - a i) * / (1 + exp (- (b x i + L x i)))).
  - apply (d_plus (fun y => sum B (fun j => differ j i * ln (1 + exp (b y j + L y j))))).
    + apply (d_sum B (fun j y => differ j i * ln (1 + exp (b y j + L y j)))). intros j _. apply (d_scale (fun y => ln (1 + exp (b y j + L y j)))).
      apply (d_ln (fun y => 1 + exp (b y j + L y j))); [|assert (E := exp_pos (b x j + L x j)); lra].
      apply d_plus; [apply d_const|]. apply (d_exp (fun y => b y j + L y j)), D.
    + apply (is_derive_ext (fun y => ln (1 + exp (- (b y i + L y i))))); [intros; do 3 f_equal; ring|].
      apply (d_ln (fun y => 1 + exp (- (b y i + L y i)))); [|assert (E := exp_pos (- (b x i + L x i))); lra].
      apply d_plus; [apply d_const|]. apply (d_exp (fun y => - (b y i + L y i))), (d_opp (fun y => b y i + L y i)), D.
  - rewrite (sum_ext B (fun j => (_ - _) * a j)
      (fun j => differ j i * ((0 + exp (b x j + L x j) * a j) * / (1 + exp (b x j + L x j))) - delta j i * (a j / (1 + exp (b x j + L x j))))).
    + rewrite sum_minus, sum_delta, exp_Ropp by exact I_. assert (E := exp_pos (b x i + L x i)). field. lra.
    + intros j _. rewrite !differ_delta, (delta_sym i). assert (E := exp_pos (b x j + L x j)). field. lra.
Qed.

(*! F10: bias *)
Theorem F10_bias :
  forall (B d nu : nat) (b tau : R) (I T : nat -> nat -> R),
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  (0 < tau) ->
  let L (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let ell (b : R) (i : nat) : R := sum B (fun j : nat => differ j i * ln (1 + exp (b + L i j))) + ln (1 + exp
    (- (b) - L i i)) in
  let loss (b : R) : R := sum B (fun i : nat => ell b i) / INR nu in
  let Sigma_circumflex (b : R) (i j : nat) : R := exp (b + L i j) / (1 + exp (b + L i j)) in
  let G (b : R) (i j : nat) : R := differ i j * Sigma_circumflex b i j - delta i j / (1 + exp (b + L i j)) in
  is_derive (fun x : R => loss x) b (sum B (fun i : nat => sum B (fun j : nat => G b i j)) / INR nu).
(*! *)
Proof.
  intros. apply (d_over (fun b => sum B (fun i => ell b i))), (d_sum B (fun i b => ell b i)). intros i I_.
  apply d_eq with (sum B (fun j => G b i j * (1 + 0))); [|apply sum_ext; intros; ring].
  apply (d_row B i (fun b _ => b) (fun _ => L i)); [exact I_|]. intros j. diff.
Qed.

(*! F10: temperature *)
Theorem F10_temperature :
  forall (B d nu : nat) (b tau : R) (I T : nat -> nat -> R),
  (0 < tau) ->
  (0 < B)%nat ->
  (0 < nu)%nat ->
  (0 < d)%nat ->
  let L (tau : R) (i j : nat) : R := sum d (fun g : nat => I i g * T j g) / tau in
  let ell (tau : R) (i : nat) : R := sum B (fun j : nat => differ j i * ln (1 + exp (b + L tau i j))) + ln (1
    + exp (- (b) - L tau i i)) in
  let loss (tau : R) : R := sum B (fun i : nat => ell tau i) / INR nu in
  let Sigma_circumflex (tau : R) (i j : nat) : R := exp (b + L tau i j) / (1 + exp (b + L tau i j)) in
  let G (tau : R) (i j : nat) : R := differ i j * Sigma_circumflex tau i j - delta i j / (1 + exp (b + L tau i
    j)) in
  is_derive (fun x : R => loss x) tau (- (sum B (fun i : nat => sum B (fun j : nat => G tau i j * L tau i j))
    / tau / INR nu)).
(*! *)
Proof.
  intros. apply d_eq with (sum B (fun i => sum B (fun j => G tau i j * (0 + - L tau i j / tau))) / INR nu).
  - apply (d_over (fun tau => sum B (fun i => ell tau i))), (d_sum B (fun i tau => ell tau i)). intros i I_.
    apply (d_row B i (fun _ _ => b) (fun tau => L tau i)); [exact I_|]. intros j. apply d_plus; [apply d_const|].
    unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - rewrite <- (Ropp_div (sum B _ / tau)). f_equal. unfold Rdiv at 2. rewrite <- sum_scale_r, <- sum_opp. apply sum_ext. intros i _.
    rewrite <- sum_scale_r, <- sum_opp. apply sum_ext. intros j _. field. lra.
Qed.

(*! F9: printed *)
Theorem F9_printed :
  let b : R := - 10 in
  let L : nat -> nat -> R := list2 ((0 :: 0 :: nil) :: nil)%list in
  let y_s : nat -> nat -> R := list2 ((1 :: - 1 :: nil) :: nil)%list in
  let i : nat := (0)%nat in
  let j : nat := (1)%nat in
  ln (1 + exp (- ((b + L i j) * y_s i j))) <> ln (1 + exp ((b - L i j) * y_s i j)).
(*! *)
Proof. at_point. Qed.
