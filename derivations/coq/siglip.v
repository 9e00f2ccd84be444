(* SigLIP: a sigmoid classifies each image with each text as a pair or not (document F). *)

(*! F11: sample *)
Proof.
  intros. assert (X := INR_pos M H). assert (Y := exp_pos b). assert (Z := exp_pos (u' i a)). unfold h', lambda'.
  unfold Rminus. rewrite !exp_plus, !exp_Ropp, exp_ln by exact X. field. repeat split; try lra; apply not_zero; sign.
Qed.

(*! F10: stands *)
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
Proof.
  intros. apply (d_over (fun b => sum B (fun i => ell b i))), (d_sum B (fun i b => ell b i)). intros i I_.
  apply d_eq with (sum B (fun j => G b i j * (1 + 0))); [|apply sum_ext; intros; ring].
  apply (d_row B i (fun b _ => b) (fun _ => L i)); [exact I_|]. intros j. diff.
Qed.

(*! F10: temperature *)
Proof.
  intros. apply d_eq with (sum B (fun i => sum B (fun j => G tau i j * (0 + - L tau i j / tau))) / INR nu).
  - apply (d_over (fun tau => sum B (fun i => ell tau i))), (d_sum B (fun i tau => ell tau i)). intros i I_.
    apply (d_row B i (fun _ _ => b) (fun tau => L tau i)); [exact I_|]. intros j. apply d_plus; [apply d_const|].
    unfold L. eapply d_eq; [diff; lra|]. field. lra.
  - rewrite <- (Ropp_div (sum B _ / tau)). f_equal. unfold Rdiv at 2. rewrite <- sum_scale_r, <- sum_opp. apply sum_ext. intros i _.
    rewrite <- sum_scale_r, <- sum_opp. apply sum_ext. intros j _. field. lra.
Qed.
