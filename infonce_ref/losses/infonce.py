"""InfoNCE over two views of a batch, the anchor in its own denominator (D1).

    L_ij = z_i·z_j / τ                                                  [D1.2]
    P_ij = e^{L_ij} / Σ_k e^{L_ik}            (k = i included)          [D1.3]
    ℓ_i  = −log P_{i,p(i)},   p(i) = (i + B) mod N on rows 0..N−1       [D1.5, D1.6]
    𝓛    = (1/N) Σ_i ℓ_i                                                [D1.4]

    z    rows, both views concatenated: row i + B is the other view of row i    (N, d), N = 2B
    τ    temperature                                                            > 0
    𝓛    nats; for unit rows every ℓ_i ≥ log 2, because L_ii ≥ L_ip             [M1]

A mask can leave rows out of an anchor's denominator, such as false negatives; the anchor and its positive always
stay [M36, M38].
The formulas hold for rows of any length: the gradient is the Euclidean one. Rows are not normalised; for
cosine similarity and its gradient see `ntxent`, which also leaves the anchor out.
A single pair has the loss log(1 + e^{L_ii − L_ip}), because the anchor itself is the only negative; in `ntxent` it
is 0.
"""

from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask, mask_in_place, softmax_in_place
from ..examples import infonce_example
from ..isolation import isolate
from ..pairs import add_anchor_pulls, count_pairs, lead, partner
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import NEAR, SLOPES, IllConditioned, declare


class Cache(NamedTuple):
    """z (N, d) · r (N, N): the softmax of each anchor over the others, 0 at itself, its positive and rows left out
    · rows: P of the anchor and of the others (N,) · lead (N,): L_ii − L_ip · τ · reduction.
    """

    z: Array
    r: Array
    rows: cross_entropy.Anchored
    lead: Array
    temperature: float
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂z (N, d) and ∂𝓛/∂τ (0-d)."""

    z: Array
    temperature: Array


@isolate
def forward(
    z: Array, *, temperature: float, keep: Array | None = None, reduction: Reduction = "mean"
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    keep: (N, N) booleans, false in line i and column j if row j is left out of the denominator of anchor i; the
    anchor and its positive always stay. None keeps all.
    Raises ValueError for an odd N, NaN or infinity, an anchor without other negatives under keep, a temperature
    that is not positive and finite, an unknown reduction ("mean" over the N anchors, "sum" or "none").
    Source: D1, section 1.

    >>> import numpy as np
    >>> from infonce_ref.losses import infonce
    >>> value, cache = infonce.forward(np.eye(4), temperature=0.5)  # rows 0 and 2 are partners, 1 and 3
    >>> print(f"{value:.6f} nats")
    2.340753 nats
    >>> print(infonce.backward(cache).z[0].round(4))
    [ 0.7112  0.0963 -0.9037  0.0963]
    """
    xp, size = check(z=(z, "N d"), keep=(keep, "N N → bool"))
    count_pairs("z", size["N"])
    tau = check_positive("temperature", temperature)
    # L = Z Zᵀ / τ                                                            [D1.2]
    positive = xp.sum(z / tau * partner(z), axis=1)
    itself = identity_mask(z, size["N"])
    left_out = cross_entropy.leave_out(itself | partner(itself), keep)
    negatives = mask_in_place((z / tau) @ xp.matrix_transpose(z), left_out)
    # ℓ_i = −log P_ip, the anchor and its positive kept separate               [D1.6, M38, S1]
    r, margin = softmax_in_place(negatives, origin=positive)
    of_itself = lead(z, partner(z)) / tau
    losses, rows = cross_entropy.with_anchor(of_itself, margin)
    # 𝓛 = (1/N) Σ ℓ_i                                                         [D1.4]
    return reduce_losses(losses, reduction), Cache(z, r, rows, of_itself, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    z, r, rows, of_itself, tau, reduction = cache
    xp = array_namespace(z)
    upstream = split_upstream(upstream, reduction, of_itself)[:, None]
    # (G + Gᵀ) Z, each row of G = P − 1[positive] multiplied by the anchor's upstream. Contribution of the
    # others    [D1.11, S2]
    others = upstream * rows.others[:, None]
    pull = others * (r @ z) - others * partner(z)
    dz = pull + xp.matrix_transpose(r) @ (others * z) - partner(others) * partner(z)
    # and of the anchor: 2 P_ii z_i − (P_ii + P_pp) z_p, where 2 P_ii = 1 − P_others + (P_ii − P_ip)
    own = upstream * rows.own[:, None]
    twice = upstream - others + upstream * rows.ahead[:, None]
    dz += add_anchor_pulls(z, partner(z), own, twice, partner(twice))
    # ∂𝓛/∂Z = (G + Gᵀ) Z / τ,  ∂𝓛/∂τ = −Σ G_ij (L_ij − L_ip) / τ               [D1.13, M7]
    slope = xp.sum(own[:, 0] * of_itself) + xp.sum(z * pull) / tau
    return Gradients(dz / tau, -slope / tau)


LOSS = declare(
    forward,
    backward,
    infonce_example,
    variants=({"left_out": 0.5},),
    ill_conditioned={
        "z": IllConditioned(NEAR, "Σ_j |G_ij + G_ji| |z_j| / |Σ_j (G_ij + G_ji) z_j|"),
        "temperature": SLOPES,
    },
    batch="z",
    title="Unmasked InfoNCE",
    compares=True,
)
