(* SimSiam: two views without negatives or momentum, kept from collapse by the stop-gradient (document D3). *)

From infonce_ref Require Import sums.
Local Open Scope R_scope.

(*! D3.44: above_sign *)
Theorem D3_44_above_sign :
  forall (d : nat) (p_macron_1 z_macron_2 : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (p_macron_1 i f - z_macron_2 i f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.

(*! D3.44: below *)
Theorem D3_44_below :
  forall (d : nat) (p_1 z_2 : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  (forall i : nat, norm_p_1 i <> 0) ->
  (forall i : nat, norm_z_2 i <> 0) ->
  1 - distance i = sum d (fun f : nat => (p_macron_1 i f + z_macron_2 i f) ^ 2) / 2.
(*! *)
Proof. by_sums. Qed.

(*! D3.44: above *)
Theorem D3_44_above :
  forall (d : nat) (p_1 z_2 : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  (forall i : nat, norm_p_1 i <> 0) ->
  (forall i : nat, norm_z_2 i <> 0) ->
  1 + distance i = sum d (fun f : nat => (p_macron_1 i f - z_macron_2 i f) ^ 2) / 2.
(*! *)
Proof. by_sums. Qed.

(*! D3.44: below_sign *)
Theorem D3_44_below_sign :
  forall (d : nat) (p_macron_1 z_macron_2 : nat -> nat -> R) (i : nat),
  (0 < d)%nat ->
  0 <= sum d (fun f : nat => (p_macron_1 i f + z_macron_2 i f) ^ 2) / 2.
(*! *)
Proof. by_signs. Qed.


(*! M19: z1 *)
Theorem M19_z1 :
  forall (N d : nat) (p_1 p_2 z_1 z_1' z_2' : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (0 < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2' (i : nat) : R := sqrt (sum d (fun g : nat => z_2' i g ^ 2)) in
  let z_macron_2' (i f : nat) : R := z_2' i f / norm_z_2' i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2' i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1' (i : nat) : R := sqrt (sum d (fun g : nat => z_1' i g ^ 2)) in
  let z_macron_1' (i f : nat) : R := z_1' i f / norm_z_1' i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1' i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (i : nat) : R := distance i / 2 + distance' i / 2 in
  let loss : R := sum N (fun i : nat => ell i) / INR N in
  (forall i : nat, 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, 0 < sum d (fun g : nat => z_2' i g ^ 2)) ->
  (forall i : nat, norm_p_1 i <> 0) ->
  (forall i : nat, norm_z_2' i <> 0) ->
  (forall i : nat, 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, 0 < sum d (fun g : nat => z_1' i g ^ 2)) ->
  (forall i : nat, norm_p_2 i <> 0) ->
  (forall i : nat, norm_z_1' i <> 0) ->
  is_derive (fun x : R => loss) (z_1 k f) (0).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: z2 *)
Theorem M19_z2 :
  forall (N d : nat) (p_1 p_2 z_1' z_2 z_2' : nat -> nat -> R) (f k : nat),
  (0 < d)%nat ->
  (0 < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2' (i : nat) : R := sqrt (sum d (fun g : nat => z_2' i g ^ 2)) in
  let z_macron_2' (i f : nat) : R := z_2' i f / norm_z_2' i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2' i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1' (i : nat) : R := sqrt (sum d (fun g : nat => z_1' i g ^ 2)) in
  let z_macron_1' (i f : nat) : R := z_1' i f / norm_z_1' i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1' i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (i : nat) : R := distance i / 2 + distance' i / 2 in
  let loss : R := sum N (fun i : nat => ell i) / INR N in
  (forall i : nat, 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, 0 < sum d (fun g : nat => z_2' i g ^ 2)) ->
  (forall i : nat, norm_p_1 i <> 0) ->
  (forall i : nat, norm_z_2' i <> 0) ->
  (forall i : nat, 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, 0 < sum d (fun g : nat => z_1' i g ^ 2)) ->
  (forall i : nat, norm_p_2 i <> 0) ->
  (forall i : nat, norm_z_1' i <> 0) ->
  is_derive (fun x : R => loss) (z_2 k f) (0).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: p1 *)
Theorem M19_p1 :
  forall (N d : nat) (p_1 p_2 z_1' z_2' : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (p_1 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (p_1 : nat -> nat -> R) (i f : nat) : R := p_1 i f / norm_p_1 p_1 i in
  let norm_z_2' (i : nat) : R := sqrt (sum d (fun g : nat => z_2' i g ^ 2)) in
  let z_macron_2' (i f : nat) : R := z_2' i f / norm_z_2' i in
  let cos (p_1 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_1 p_1 i h * z_macron_2' i h)
    in
  let distance (p_1 : nat -> nat -> R) (i : nat) : R := - (cos p_1 i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1' (i : nat) : R := sqrt (sum d (fun g : nat => z_1' i g ^ 2)) in
  let z_macron_1' (i f : nat) : R := z_1' i f / norm_z_1' i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1' i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (p_1 : nat -> nat -> R) (i : nat) : R := distance p_1 i / 2 + distance' i / 2 in
  let loss (p_1 : nat -> nat -> R) : R := sum N (fun i : nat => ell p_1 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_p_1 p_1 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2' i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1' i <> 0) ->
  is_derive (fun x : R => loss (set2 p_1 k f x)) (p_1 k f) (- ((z_macron_2' k f - cos p_1 k * p_macron_1 p_1 k
    f) / 2 / INR N / norm_p_1 p_1 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: free p1 *)
Theorem M19_free_p1 :
  forall (N d : nat) (p_1 p_2 z_1 z_2 : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (p_1 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (p_1 : nat -> nat -> R) (i f : nat) : R := p_1 i f / norm_p_1 p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (p_1 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_1 p_1 i h * z_macron_2 i h)
    in
  let distance (p_1 : nat -> nat -> R) (i : nat) : R := - (cos p_1 i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1 (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (i f : nat) : R := z_1 i f / norm_z_1 i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1 i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (p_1 : nat -> nat -> R) (i : nat) : R := distance p_1 i / 2 + distance' i / 2 in
  let loss (p_1 : nat -> nat -> R) : R := sum N (fun i : nat => ell p_1 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_p_1 p_1 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 i <> 0) ->
  is_derive (fun x : R => loss (set2 p_1 k f x)) (p_1 k f) (- ((z_macron_2 k f - cos p_1 k * p_macron_1 p_1 k
    f) / 2 / INR N / norm_p_1 p_1 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: free p2 *)
Theorem M19_free_p2 :
  forall (N d : nat) (p_1 p_2 z_1 z_2 : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (p_2 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (p_2 : nat -> nat -> R) (i f : nat) : R := p_2 i f / norm_p_2 p_2 i in
  let norm_z_1 (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (i f : nat) : R := z_1 i f / norm_z_1 i in
  let cos' (p_2 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_2 p_2 i h * z_macron_1 i h)
    in
  let distance' (p_2 : nat -> nat -> R) (i : nat) : R := - (cos' p_2 i) in
  let ell (p_2 : nat -> nat -> R) (i : nat) : R := distance i / 2 + distance' p_2 i / 2 in
  let loss (p_2 : nat -> nat -> R) : R := sum N (fun i : nat => ell p_2 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_p_2 p_2 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 i <> 0) ->
  is_derive (fun x : R => loss (set2 p_2 k f x)) (p_2 k f) (- ((z_macron_1 k f - cos' p_2 k * p_macron_2 p_2 k
    f) / 2 / INR N / norm_p_2 p_2 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: p2 *)
Theorem M19_p2 :
  forall (N d : nat) (p_1 p_2 z_1' z_2' : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2' (i : nat) : R := sqrt (sum d (fun g : nat => z_2' i g ^ 2)) in
  let z_macron_2' (i f : nat) : R := z_2' i f / norm_z_2' i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2' i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (p_2 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (p_2 : nat -> nat -> R) (i f : nat) : R := p_2 i f / norm_p_2 p_2 i in
  let norm_z_1' (i : nat) : R := sqrt (sum d (fun g : nat => z_1' i g ^ 2)) in
  let z_macron_1' (i f : nat) : R := z_1' i f / norm_z_1' i in
  let cos' (p_2 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_2 p_2 i h * z_macron_1' i
    h) in
  let distance' (p_2 : nat -> nat -> R) (i : nat) : R := - (cos' p_2 i) in
  let ell (p_2 : nat -> nat -> R) (i : nat) : R := distance i / 2 + distance' p_2 i / 2 in
  let loss (p_2 : nat -> nat -> R) : R := sum N (fun i : nat => ell p_2 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_p_2 p_2 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2' i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1' i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1' i <> 0) ->
  is_derive (fun x : R => loss (set2 p_2 k f x)) (p_2 k f) (- ((z_macron_1' k f - cos' p_2 k * p_macron_2 p_2
    k f) / 2 / INR N / norm_p_2 p_2 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: free z1 *)
Theorem M19_free_z1 :
  forall (N d : nat) (p_1 p_2 z_1 z_2 : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1 (z_1 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (z_1 : nat -> nat -> R) (i f : nat) : R := z_1 i f / norm_z_1 z_1 i in
  let cos' (z_1 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1 z_1 i h)
    in
  let distance' (z_1 : nat -> nat -> R) (i : nat) : R := - (cos' z_1 i) in
  let ell (z_1 : nat -> nat -> R) (i : nat) : R := distance i / 2 + distance' z_1 i / 2 in
  let loss (z_1 : nat -> nat -> R) : R := sum N (fun i : nat => ell z_1 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_z_1 z_1 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 z_1 i <> 0) ->
  is_derive (fun x : R => loss (set2 z_1 k f x)) (z_1 k f) (- ((p_macron_2 k f - cos' z_1 k * z_macron_1 z_1 k
    f) / 2 / INR N / norm_z_1 z_1 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! M19: free z2 *)
Theorem M19_free_z2 :
  forall (N d : nat) (p_1 p_2 z_1 z_2 : nat -> nat -> R) (f k : nat),
  (0 < N)%nat ->
  (0 < d)%nat ->
  (f < d)%nat ->
  (k < N)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (z_2 : nat -> nat -> R) (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (z_2 : nat -> nat -> R) (i f : nat) : R := z_2 i f / norm_z_2 z_2 i in
  let cos (z_2 : nat -> nat -> R) (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 z_2 i h)
    in
  let distance (z_2 : nat -> nat -> R) (i : nat) : R := - (cos z_2 i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1 (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (i f : nat) : R := z_1 i f / norm_z_1 i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1 i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (z_2 : nat -> nat -> R) (i : nat) : R := distance z_2 i / 2 + distance' i / 2 in
  let loss (z_2 : nat -> nat -> R) : R := sum N (fun i : nat => ell z_2 i) / INR N in
  (forall k : nat, (k < N)%nat -> norm_z_2 z_2 k <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => p_2 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> 0 < sum d (fun g : nat => z_1 i g ^ 2)) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 i <> 0) ->
  is_derive (fun x : R => loss (set2 z_2 k f x)) (z_2 k f) (- ((p_macron_1 k f - cos z_2 k * z_macron_2 z_2 k
    f) / 2 / INR N / norm_z_2 z_2 k)).
(*! *)
Proof. intros; unfold_names. derivative. normalise. finish. Qed.

(*! D3.46: sign *)
Theorem D3_46_sign :
  forall (N d : nat) (p_macron_1 p_macron_2 z_macron_1 z_macron_2 : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  0 <= sum N (fun i : nat => sum d (fun f : nat => (p_macron_2 i f - z_macron_1 i f) ^ 2) + sum d (fun f : nat
    => (p_macron_1 i f - z_macron_2 i f) ^ 2)) / 4 / INR N.
(*! *)
Proof. by_signs. Qed.

Lemma apart : forall d (p z : nat -> R), sum d (fun f => p f ^ 2) = 1 -> sum d (fun f => z f ^ 2) = 1 ->
  sum d (fun f => (p f - z f) ^ 2) = 2 - 2 * sum d (fun f => p f * z f).
Proof.
  intros d p z P Z. rewrite (sum_ext d _ (fun f => p f ^ 2 + z f ^ 2 - 2 * (p f * z f))) by (intros; ring).
  rewrite sum_minus, sum_plus, sum_scale, P, Z. ring.
Qed.

(*! D3.46: collapsed *)
Theorem D3_46_collapsed :
  forall (N d : nat) (chi : nat -> R),
  (0 < d)%nat ->
  (0 < N)%nat ->
  let p_1 (i f : nat) : R := chi f in
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let z_2 (i f : nat) : R := chi f in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  let p_2 (i f : nat) : R := chi f in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let z_1 (i f : nat) : R := chi f in
  let norm_z_1 (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (i f : nat) : R := z_1 i f / norm_z_1 i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1 i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (i : nat) : R := distance i / 2 + distance' i / 2 in
  let loss : R := sum N (fun i : nat => ell i) / INR N in
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 i <> 0) ->
  loss = - 1.
(*! *)
Proof.
  intros. assert (N0 := INR_pos N H0). unfold loss.
  rewrite (sum_ext N _ (fun _ => -1 * 1)); [rewrite sum_scale, sum_one; field; lra|].
  intros i I_. assert (U := unit_row d chi (H1 i I_)). unfold ell, distance, distance', cos, cos'.
  assert (C : sum d (fun h => p_macron_1 i h * z_macron_2 i h) = 1).
  { rewrite <- U. apply sum_ext. intros f _. transitivity (p_macron_1 i f ^ 2); [change (z_macron_2 i f) with (p_macron_1 i f); ring|reflexivity]. }
  change (sum d (fun h => p_macron_2 i h * z_macron_1 i h)) with (sum d (fun h => p_macron_1 i h * z_macron_2 i h)).
  rewrite C. field.
Qed.

(*! D3.46: excess *)
Theorem D3_46_excess :
  forall (N d : nat) (p_1 p_2 z_1 z_2 : nat -> nat -> R),
  (0 < N)%nat ->
  (0 < d)%nat ->
  let norm_p_1 (i : nat) : R := sqrt (sum d (fun g : nat => p_1 i g ^ 2)) in
  let p_macron_1 (i f : nat) : R := p_1 i f / norm_p_1 i in
  let norm_z_2 (i : nat) : R := sqrt (sum d (fun g : nat => z_2 i g ^ 2)) in
  let z_macron_2 (i f : nat) : R := z_2 i f / norm_z_2 i in
  let cos (i : nat) : R := sum d (fun h : nat => p_macron_1 i h * z_macron_2 i h) in
  let distance (i : nat) : R := - (cos i) in
  let norm_p_2 (i : nat) : R := sqrt (sum d (fun g : nat => p_2 i g ^ 2)) in
  let p_macron_2 (i f : nat) : R := p_2 i f / norm_p_2 i in
  let norm_z_1 (i : nat) : R := sqrt (sum d (fun g : nat => z_1 i g ^ 2)) in
  let z_macron_1 (i f : nat) : R := z_1 i f / norm_z_1 i in
  let cos' (i : nat) : R := sum d (fun h : nat => p_macron_2 i h * z_macron_1 i h) in
  let distance' (i : nat) : R := - (cos' i) in
  let ell (i : nat) : R := distance i / 2 + distance' i / 2 in
  let loss : R := sum N (fun i : nat => ell i) / INR N in
  (forall i : nat, (i < N)%nat -> norm_p_1 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_p_2 i <> 0) ->
  (forall i : nat, (i < N)%nat -> norm_z_1 i <> 0) ->
  1 + loss = sum N (fun i : nat => sum d (fun f : nat => (p_macron_2 i f - z_macron_1 i f) ^ 2) + sum d (fun f
    : nat => (p_macron_1 i f - z_macron_2 i f) ^ 2)) / 4 / INR N.
(*! *)
Proof.
  intros. assert (N0 := INR_pos N H). unfold loss.
  rewrite (sum_ext N (fun i => _ + _) (fun i => 4 * (1 + ell i))).
  - rewrite sum_scale, sum_plus, sum_one. change (sum N (fun i => ell i)) with (sum N ell). field. lra.
  - intros i I_. rewrite !apart by (apply unit_row; first [exact (H1 i I_) | exact (H2 i I_) | exact (H3 i I_) | exact (H4 i I_)]).
    unfold ell, distance, distance', cos, cos'. field.
Qed.
