"""InfoNCE with the anchor in its own denominator (D1) tile by tile: `losses.infonce` in linear memory.

L_ij = z_i·z_j / τ                                                  [D1.2]
P_ij = e^{L_ij} / Σ_k e^{L_ik}            (k = i included)          [D1.3]
ℓ_i  = −log P_{i,p(i)},   p(i) = (i + B) mod N on rows 0..N−1       [D1.5, D1.6]
𝓛    = (1/N) Σ_i ℓ_i                                                [D1.4]

z    rows, both views concatenated: row i + B is the other view of row i    (N, d), N = 2B
τ    temperature                                                            > 0
𝓛    nats
"""

import math
from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_gradients, check_positive, check_value
from ..examples import infonce_example
from ..isolation import isolate
from ..pairs import add_anchor_pulls, count_pairs, lead
from ..reduction import Reduction, check_reduction, reduce_losses, split_upstream
from ..registry import Loss
from . import engine, tiles, two_views


class Cache(NamedTuple):
    """z (N, d) · pairs: z/√τ, partners adjacent, and the softmax over the others · rows: P of the anchor itself
    and of the others (N,) · lead (N,): L_ii − L_ip · reduction."""

    z: Array
    pairs: two_views.Cache
    rows: cross_entropy.Anchored
    lead: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂z (N, d) and ∂𝓛/∂τ (0-d)."""

    z: Array
    temperature: Array


@isolate
def forward(
    z: Array,
    *,
    temperature: float,
    reduction: Reduction = "mean",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    z may be memory-mapped. tile: the side of a tile in rows, made even; chosen from the cache if None.
    progress(done, to_do): called after each round of tiles, of either pass.
    Raises ValueError for an odd N, NaN or infinity, a temperature that is not positive
    and finite, an unknown reduction, a tile below 1, JAX arrays. Source: D1, section 1.

    >>> import numpy as np
    >>> from infonce_ref.streaming import infonce
    >>> value, _ = infonce.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats")
    2.340753 nats
    """
    xp, size = check(z=(z, "N d"))
    tile = engine.check_tile(tile, xp)
    count_pairs("z", size["N"])
    tau = check_positive("temperature", temperature)
    check_reduction(reduction)
    # X = Z / √τ, so S = X Xᵀ = L                                             [D1.2]
    x = two_views.interleave(z, "concatenated") / math.sqrt(tau)
    scores, positive, sums = two_views.forward(x, tile, progress)
    # ℓ_i; the anchor and its positive are separate from the others [D1.6, S1]
    (of_itself,) = two_views.map_with_partners(lambda z, positive: (lead(z, positive) / tau,), z)
    margin = two_views.restore_order(sums.above(positive), "concatenated")
    losses, anchored = cross_entropy.with_anchor(of_itself, margin)
    softmax = sums.softmax(two_views.interleave(anchored.others, "concatenated"))
    # 𝓛 = (1/N) Σ ℓ_i                                                         [D1.4]
    value = check_value("infonce", reduce_losses(losses, reduction))
    return value, Cache(z, two_views.Cache(scores, softmax, tau), anchored, of_itself, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`.

    >>> import numpy as np
    >>> from infonce_ref.streaming import infonce
    >>> _, cache = infonce.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(infonce.backward(cache).z[0].round(4))
    [ 0.7112  0.0963 -0.9037  0.0963]
    """
    z, pairs, anchored, of_itself, reduction = cache
    xp, tau = array_namespace(z), pairs.temperature
    upstream = split_upstream(upstream, reduction, of_itself)
    # of the others                                                           [D1.11, D1.13]
    dz, dtau = two_views.backward(pairs, two_views.interleave(upstream, "concatenated"))
    dz = two_views.restore_order(dz, "concatenated")
    # contribution of the anchor: 2 P_ii z_i − (P_ii + P_pp) z_p, where 2 P_ii = 1 − P_others + (P_ii − P_ip)
    own = (upstream * anchored.own)[:, None]
    twice = (upstream - upstream * anchored.others + upstream * anchored.ahead)[:, None]

    def with_own(dz, z, own, twice, _dz, positive, _own, twice_of_positive) -> tuple[Array]:
        return (dz + add_anchor_pulls(z, positive, own, twice, twice_of_positive) / tau,)

    (dz,) = two_views.map_with_partners(with_own, dz, z, own, twice)
    # ∂𝓛/∂τ = −Σ G_ij (L_ij − L_ip) / τ                                        [M7]
    return check_gradients("infonce", Gradients(dz, dtau - xp.sum(own[:, 0] * of_itself) / tau))


LOSS = Loss(
    name="infonce",
    forward=forward,
    backward=backward,
    differentiable=("z", "temperature"),
    example=infonce_example,
    variants=({"reduction": "sum"}, {"reduction": "none"}, {"tile": 2}),
)
