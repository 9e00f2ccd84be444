"""InfoNCE with the anchor in its own denominator tile by tile: `losses.infonce`, which has the equations."""

import math
from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..isolation import isolate
from ..losses.infonce import LOSS as PLAIN
from ..losses.infonce import Gradients as Gradients
from ..pairs import add_anchor_pulls, count_pairs, lead
from ..reduction import Reduction, reduce_losses, split_upstream
from . import engine, tiles, two_views


class Cache(NamedTuple):
    """z (N, d) · pairs: z/√τ, partners adjacent, and the softmax over the others · rows: P of the anchor itself
    and of the others (N,) · lead (N,): L_ii − L_ip · reduction."""

    z: Array
    pairs: two_views.Cache
    rows: cross_entropy.Anchored
    lead: Array
    reduction: Reduction


@isolate
def forward(
    z: Array,
    *,
    temperature: float,
    reduction: Reduction = "mean",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.infonce` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.infonce` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import infonce
    >>> value, cache = infonce.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats")
    2.340753 nats
    >>> print(infonce.backward(cache).z[0].round(4))
    [ 0.7112  0.0963 -0.9037  0.0963]
    """
    xp, size = check(z=(z, "N d"))
    tile = engine.check_tile(tile, xp)
    count_pairs("z", size["N"])
    tau = check_positive("temperature", temperature)
    # X = Z / √τ, so S = X Xᵀ = L                                             [D1.2]
    x = two_views.interleave(z, "concatenated") / math.sqrt(tau)
    scores, positive, sums = two_views.forward(x, tile, progress)
    # ℓ_i; the anchor and its positive are separate from the others [D1.6, S1]
    (of_itself,) = two_views.map_with_partners(lambda z, positive: (lead(z, positive) / tau,), z)
    margin = two_views.restore_order(sums.above(positive), "concatenated")
    losses, anchored = cross_entropy.with_anchor(of_itself, margin)
    softmax = sums.softmax(two_views.interleave(anchored.others, "concatenated"))
    # 𝓛 = (1/N) Σ ℓ_i                                                         [D1.4]
    value = reduce_losses(losses, reduction)
    return value, Cache(z, two_views.Cache(scores, softmax, tau), anchored, of_itself, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
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
    return Gradients(dz, dtau - xp.sum(own[:, 0] * of_itself) / tau)


LOSS = engine.declare(PLAIN, forward, backward)
