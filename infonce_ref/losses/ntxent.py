"""NT-Xent, the loss of SimCLR: cosine similarity, the anchor left out of its denominator (D3).

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖)                                      [D3.3]
    ℓ_i  = −log e^{s_ip/τ} / Σ_{k≠i} e^{s_ik/τ},   p = p(i)             [D3.2]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [D3.4]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats; log(1 + (2B−2) e^{−2/τ}) ≤ ℓ_i ≤ log(1 + (2B−2) e^{2/τ})         [M23]

A mask can leave rows out of an anchor's denominator, such as false negatives; its positive always stays [M36, M37].
A single pair has no negative, and so the loss log(1 + 0) = 0 with gradient 0.
Layouts: "concatenated" keeps the two views apart, p(i) = (i + B) mod 2B; "interleaved" is the algorithm's,
rows 2k and 2k + 1 a pair.
"""

from typing import NamedTuple

from .. import cross_entropy, sphere
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask, mask_in_place
from ..examples import ntxent_example
from ..isolation import isolate
from ..pairs import Layout, count_pairs, partner
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import PULLS, SLOPES, declare


class Cache(NamedTuple):
    """sphere: unit rows and norms · rows: q (N,), 1 − P_ip of each anchor, and r (N, N), the softmax over its
    negatives, 0 at itself, its positive and rows left out · τ · layout · reduction.
    """

    sphere: sphere.Cache
    rows: cross_entropy.Cache
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
    keep: Array | None = None,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    keep: (N, N) booleans in the order of w, false in line i and column j if row j is left out of the denominator of
    anchor i; its positive always stays, the anchor never counts. None keeps all.
    Raises ValueError for an odd number of rows, a zero row, NaN or infinity, an anchor without negatives under
    keep, a temperature that is not positive and finite, an unknown reduction or layout.
    Source: D3, NT-Xent and SimCLR's Algorithm 1.

    >>> import numpy as np
    >>> from infonce_ref.losses import ntxent
    >>> value, cache = ntxent.forward(np.eye(4), temperature=0.5)  # rows 0 and 2 are partners, 1 and 3
    >>> print(f"{value:.6f} nats")
    1.098612 nats
    >>> print(ntxent.backward(cache).w[0].round(4))
    [ 0.      0.3333 -0.6667  0.3333]
    """
    xp, size = check(w=(w, "N d"), keep=(keep, "N N → bool"))
    count_pairs("w", size["N"])
    tau = check_positive("temperature", temperature)
    # z = w / ‖w‖,  L = Z Zᵀ / τ                                              [D3.3]
    to_sphere = sphere.project(w)
    z = to_sphere.z
    positive = xp.sum(z / tau * partner(z, layout), axis=1)
    itself = identity_mask(z, size["N"])
    left_out = cross_entropy.leave_out(itself | partner(itself, layout), keep)
    negatives = mask_in_place((z / tau) @ xp.matrix_transpose(z), left_out)
    # ℓ_i, its negatives are all kept rows except itself and its partner    [D3.2, M37, S1]
    losses, rows = cross_entropy.forward(positive, negatives)
    # 𝓛 = (1/2B) Σ ℓ_i                                                        [D3.4]
    return reduce_losses(losses, reduction), Cache(to_sphere, rows, tau, layout, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    to_sphere, (q, r), tau, layout, reduction = cache
    z = to_sphere.z
    xp = array_namespace(z)
    # P_ij = q_i r_ij at the negatives and P_ip = 1 − q_i, so that G = P − 1[positive] = q (r − 1[positive]), each
    # row of it times the anchor's upstream, and (G + Gᵀ) Z is three sums      [D1.7, D1.13, S2]
    q = (split_upstream(upstream, reduction, q) * q)[:, None]
    negatives = q * (r @ z) + xp.matrix_transpose(r) @ (q * z)
    positives = (q + partner(q, layout)) * partner(z, layout)
    dz = (negatives - positives) / tau
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖,  ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ)            [M5, M7]
    return Gradients(sphere.pull_back(to_sphere, dz), -xp.sum(z * dz) / (2 * tau))


LOSS = declare(
    forward,
    backward,
    ntxent_example,
    variants=({"left_out": 0.5},),
    ill_conditioned={"w": PULLS, "temperature": SLOPES},
    batch="w",
    title="NT-Xent",
    compares=True,
)
