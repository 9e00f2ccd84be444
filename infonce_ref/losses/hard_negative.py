"""Debiased and hard negatives: NT-Xent with weighted negatives, minus the anchor's own class (F).

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ                           [D3.3]
    ρ_ij = e^{βL_ij} / Σ_{k≠i,p} e^{βL_ik},   U_i = Σ_{j≠i,p} ρ_ij e^{L_ij}
    g_i  = max{(U_i − π⁺ e^{L_ip}) / (1 − π⁺), e^{−1/τ}},   p = p(i)    [F29]
    ℓ_i  = log(1 + (N−2) g_i e^{−L_ip})                                 [F29]
    𝓛    = (1/N) Σ_i ℓ_i

    w    rows of any length but 0; each has its partner p(i) among them         (N, d)
    τ    temperature                                                            > 0
    β    `beta`, hardness of the weights: 0 for the debiased loss               ≥ 0
    π⁺   `prior`, probability that a random row is of the anchor's class        0 ≤ π⁺ < 1
    g_i  estimate of the mean e^L of true negatives, clamped at its minimum
    𝓛    nats, ≥ 0; 0 for a single pair, with gradient 0, because N − 2 = 0

The weights are differentiated too. There is a kink at the clamp, where the estimate counts as clamped: no negative
is pushed, and the pull on the positive drops by a factor [F30, R5].
With π⁺ = 0 it is the softplus of a decoupled loss with hard negatives, with β = 0 too it is `ntxent` [F31].
Layouts are those of `ntxent`: "concatenated", p(i) = (i + B) mod 2B, or "interleaved", rows 2k and 2k + 1 a pair.
"""

import math
from typing import NamedTuple

from .. import sphere
from ..arrays import Array, array_namespace
from ..checks import check, check_non_negative, check_positive, check_share
from ..elementary import (
    find_largest,
    identity_mask,
    mask_logits,
    sigmoid,
    softmax_in_place,
    softplus,
    stable_sum,
)
from ..examples import hard_negative_example
from ..isolation import isolate
from ..pairs import Layout, count_pairs, partner
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import PULLS, SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """sphere: unit rows and norms · chord (N, d): z_i − z_p · hard, soft (N, N): the softmax of (1 + β)L and
    of βL over the negatives of each row, 0 at itself and its positive · negatives (N,): P of all weighted
    negatives, 0 if the estimate is clamped · floored (N,): P of the floor if it is, else 0 · β · τ ·
    layout · reduction."""

    sphere: sphere.Cache
    chord: Array
    hard: Array
    soft: Array
    negatives: Array
    floored: Array
    beta: float
    temperature: float
    layout: Layout
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (N, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


@isolate
def forward(
    w: Array,
    *,
    temperature: float,
    beta: float,
    prior: float,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for an odd number of rows, a zero row, NaN or infinity, a temperature
    that is not positive and finite, a negative beta, a prior outside 0 ≤ prior < 1, an unknown reduction or layout.
    Source: Chuang et al. (2020), "Debiased contrastive learning", Eq. 8; Robinson et al. (2021), "Contrastive
    learning with hard negative samples", Eq. 4 and 5.

    >>> import numpy as np
    >>> from infonce_ref.losses import hard_negative
    >>> value, cache = hard_negative.forward(np.eye(4), temperature=0.5, beta=1.0, prior=0.1)
    >>> print(f"{value:.6f} nats")
    1.098612 nats
    >>> print(hard_negative.backward(cache).w[0].round(4))
    [ 0.      0.3704 -0.7407  0.3704]
    """
    xp, size = check(w=(w, "N d"))
    count_pairs("w", size["N"])
    tau, b = check_positive("temperature", temperature), check_non_negative("beta", beta)
    share = check_share("prior", prior)
    # z = w / ‖w‖,  L = Z Zᵀ / τ                                              [D3.3]
    to_sphere = sphere.project(w)
    z = to_sphere.z
    logits = (z / tau) @ xp.matrix_transpose(z)
    positive = stable_sum(z / tau * partner(z, layout))
    itself = identity_mask(z, size["N"])
    none = itself | partner(itself, layout)
    # log U_i − L_ip, U_i the mean under the weights ρ. Subtracting the hardest logit leaves ρ unchanged and
    # keeps full accuracy for any β                                                        [F29]
    hardest = find_largest(mask_logits(logits, none))
    weights = mask_logits(b * (logits - hardest), none)
    hard, above = softmax_in_place(weights + logits, origin=positive)
    soft, below = softmax_in_place(weights)
    ratio = above - xp.where(below == -xp.inf, xp.zeros_like(below), below)  # −∞ if no row is negative
    margin, is_above = clamp(ratio, positive, share, tau)
    # ℓ_i = softplus of the larger                                            [F29, S1]
    value = reduce_losses(softplus(margin), reduction)
    # q = (N−2) g_i / (e^{L_ip} + (N−2) g_i), and P_i = (N−2) U_i / (1 − π⁺) over the same: for the estimate
    # (N−2) U_i / (1 − π⁺) = (N−2) (g_i + π⁺ e^{L_ip} / (1 − π⁺))   [F30, S2]
    q, zero = sigmoid(margin), xp.zeros_like(margin)
    negatives = xp.where(is_above, q + (size["N"] - 2) * share / (1 - share) * sigmoid(-margin), zero)
    floored = xp.where(is_above, zero, q)
    of_partner = sphere.Cache(*(partner(x, layout) for x in to_sphere))
    chord = sphere.chord(w, partner(w, layout), to_sphere, of_partner)
    return value, Cache(to_sphere, chord, hard, soft, negatives, floored, b, tau, layout, reduction)


def clamp(ratio: Array, positive: Array, share: float, tau: float) -> tuple[Array, Array]:
    """log (N−2) g_i e^{−L_ip} (N,), with g_i the estimate if it is positive and above its floor, else the floor;
    and which was taken. ratio: log U_i − L_ip · positive: L_ip · share: π⁺.     [F29]
    """
    xp, n = array_namespace(ratio), ratio.shape[0]
    least = -math.log(float(xp.finfo(ratio.dtype).max) / 4)
    of_class = share * xp.exp(-xp.maximum(ratio, least * xp.ones_like(ratio)))
    without_class = xp.log1p(-xp.where(of_class < 1, of_class, xp.zeros_like(of_class)))
    log_count = math.log(n - 2) if n > 2 else -math.inf
    estimate = log_count + ratio + without_class - xp.log1p(-share * xp.ones_like(ratio))
    floor = log_count - 1 / tau - positive
    is_above = (of_class < 1) & (estimate > floor)
    return xp.where(is_above, estimate, floor), is_above


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    to_sphere, chord, hard, soft, negatives, floored, beta, tau, layout, reduction = cache
    z = to_sphere.z
    xp = array_namespace(z)
    each = split_upstream(upstream, reduction, z)[:, None]
    # G_ij = P_i ((1+β) r_ij − β ρ_ij), with r the softmax of (1+β)L, and −P_i − φ_i at the positive. The part of
    # the positives in (G + Gᵀ) Z is Σ pulls · (chord − z_i), and z_i has no tangential part       [F30, S2]
    push, pull = each * negatives[:, None], each * (negatives + floored)[:, None]
    g = push * ((1 + beta) * hard - beta * soft)
    pulls = pull + partner(pull, layout)
    pushes = (g @ z + xp.matrix_transpose(g) @ z) / tau
    dz = pushes + pulls * chord / tau
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖,  ∂𝓛/∂τ = (Σ_i φ_i / τ − ⟨Z, ∂𝓛/∂Z⟩ / 2) / τ      [F30, M7]
    radial = xp.sum(z * pushes) - xp.sum(pulls * z * partner(z, layout)) / tau
    dtau = (xp.sum(each[:, 0] * floored) / tau - radial / 2) / tau
    return Gradients(sphere.pull_back(to_sphere, dz), dtau)


LOSS = declare(
    forward,
    backward,
    hard_negative_example,
    variants=({"beta": 0.0}, {"prior": 0.0}, {"prior": 0.5}),
    ill_conditioned={
        "value": IllConditioned("the class is nearly all of U_i", "(U_i + π⁺ e^{L_ip}) / (1 − π⁺) g_i"),
        "w": PULLS,
        "temperature": SLOPES,
    },
    fewest=2,
    kinds={"beta": "hardness"},
    drawn={"beta": (0.01, 30.0), "prior": (1e-3, 0.9)},
    tried={"beta": (0.0, 0, 1.0, 1, 2), "prior": (0.0, 0, 0.1, 0.5, 0.95, 0.99)},
    compares=True,
)
