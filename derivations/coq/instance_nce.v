(* Instance discrimination by noise contrast, its normaliser estimated from the noise samples (document D3). *)

(* The mean of 1/y minus the reciprocal of the mean of y. *)
Lemma mean_of_inverse : forall n (w y : nat -> R), (0 < n)%nat -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / y i / sum n (fun m => w m)) - 1 / (sum n (fun m => w m * y m) / sum n (fun m => w m))
  = sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / y i / sum n (fun m => w m))
    / (sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2.
Proof.
  intros n w y N W Y. assert (S : 0 < sum n (fun m => w m)) by sign. assert (T : 0 < sum n (fun m => w m * y m)) by sign.
  set (s := sum n (fun m => w m)) in *. set (t := sum n (fun m => w m * y m)) in *.
  rewrite (sum_ext n (fun i => (y i - t / s) ^ 2 * w i / y i / s)
    (fun i => / s * (w i * y i) - 2 * t / s / s * w i + t / s * (t / s) * (w i / y i / s)))
    by (intros i _; assert (a := Y i); field; lra).
  rewrite sum_plus, sum_minus, !sum_scale. change (sum n w) with s. fold s t. field. lra.
Qed.

Lemma inverse : forall n (w y : nat -> R), (0 < n)%nat -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / y i / sum n (fun m => w m)) - sum n (fun m => w m) / sum n (fun m => w m * y m)
  = (sum n (fun m => w m)) ^ 2 * sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / y i / sum n (fun m => w m))
    / (sum n (fun m => w m * y m)) ^ 2.
Proof.
  intros n w y N W Y. assert (E := mean_of_inverse n w y N W Y).
  assert (S : 0 < sum n (fun m => w m)) by sign. assert (T : 0 < sum n (fun m => w m * y m)) by sign.
  set (s := sum n (fun m => w m)) in *. set (t := sum n (fun m => w m * y m)) in *.
  replace (s / t) with (1 / (t / s)) by (field; lra). rewrite E. field. lra.
Qed.

Lemma shifted : forall n (z : R) (w y : nat -> R), (0 < n)%nat -> 0 < z -> (forall i, 0 < w i) -> (forall i, 0 < y i) ->
  sum n (fun i => w i / (z + y i) / sum n (fun m => w m)) - 1 / (z + sum n (fun m => w m * y m) / sum n (fun m => w m))
  = sum n (fun i => (y i - sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2 * w i / (z + y i) / sum n (fun m => w m))
    / (z + sum n (fun m => w m * y m) / sum n (fun m => w m)) ^ 2.
Proof.
  intros n z w y N Z W Y. assert (E := mean_of_inverse n w (fun i => z + y i) N W ltac:(intros i; assert (X := Y i); lra)).
  assert (S : 0 < sum n (fun m => w m)) by sign. cbv beta in E.
  assert (M : sum n (fun m => w m * (z + y m)) / sum n (fun m => w m) = z + sum n (fun m => w m * y m) / sum n (fun m => w m)).
  { rewrite (sum_ext n _ (fun m => z * w m + w m * y m)), sum_plus, sum_scale by (intros; ring). change (sum n w) with (sum n (fun m => w m)). field. lra. }
  rewrite M in E. rewrite E. f_equal. apply sum_ext. intros i _. do 3 f_equal. ring.
Qed.

(*! D3.15: inverse *)
Proof. intros. apply inverse; assumption. Qed.

(*! D3.15: shifted *)
Proof. intros. apply shifted; assumption. Qed.
