"""InfoNCE of queries against keys tile by tile: `losses.query_key`, which has the equations.

A shared queue is cut into tiles as in `tiles.py`. If each query has its own negatives, a tile is a few queries with
all their negatives.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from .. import cross_entropy
from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..columns import find_common
from ..isolation import isolate
from ..losses.query_key import LOSS as PLAIN
from ..losses.query_key import Gradients as Gradients
from ..reduction import Reduction, reduce_losses, split_upstream
from . import engine, tiles
from .sums import Softmax, compute_losses, weight


class Cache(NamedTuple):
    """query/τ, positive (n, d) · negatives as given; for a queue, their common part is subtracted from both kinds
    of keys · tiled: the tiles and softmax of a shared queue; None for own negatives · block: queries at a time for
    own negatives, or 0 · progress: None, or called after each block · τ · reduction.
    """

    query: Array
    positive: Array
    negatives: Array
    tiled: "tuple[engine.Plan, Softmax] | None"
    block: int
    progress: tiles.Progress | None
    temperature: float
    reduction: Reduction


@isolate
def forward(
    query: Array,
    positive: Array,
    negatives: Array,
    *,
    temperature: float,
    reduction: Reduction = "mean",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.query_key` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.query_key` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import query_key
    >>> value, cache = query_key.forward(np.eye(2), np.eye(2), -np.eye(2), temperature=1.0, tile=1)
    >>> print(f"{value:.6f} nats")
    0.407606 nats
    >>> print(query_key.backward(cache).query[0].round(4))
    [-0.2124 -0.1224]
    """
    own = getattr(negatives, "ndim", None) == 3
    xp, size = check(
        query=(query, "n d"), positive=(positive, "n d"), negatives=(negatives, "n M? d" if own else "M? d")
    )
    tile = engine.check_tile(tile, xp)
    tau = check_positive("temperature", temperature)
    if own:
        block = tile or max(1, tiles.count_cached(query) // max(1, size["M"]))
        cache = Cache(query / tau, positive, negatives, None, block, progress, tau, reduction)
        losses = xp.concat([part for _, _, part, _ in own_softmax(cache)])
    else:
        # ℓ depends only on differences of keys; subtracting their common part keeps full accuracy for keys
        # far from 0
        shift = find_common(positive, negatives)
        positive, negatives = positive - shift, negatives - shift
        # q·k/τ for the positive and the negatives                            [D2.7, D3.34]
        scores = engine.plan(query / tau, negatives, tile, progress)
        (of_rows,) = scores.sums(of_columns=False)
        losses, rows = compute_losses(xp.linalg.vecdot(scores.rows, positive), of_rows)
        cache = Cache(scores.rows, positive, negatives, (scores, rows), 0, progress, tau, reduction)
    return reduce_losses(losses, reduction), cache


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    query, positive, negatives, tiled, _, _, tau, reduction = cache  # this query is query/τ
    xp = array_namespace(query)
    upstream = split_upstream(upstream, reduction, query)
    # ∂ℓ/∂query = (Σ_n P_n k_n − q k) / τ, where q is 1 − P_p                 [D2.9, S2]
    # ∂ℓ_i/∂k_i = −q_i query_i / τ,  ∂𝓛/∂k_n = Σ_i P_in query_i / (n τ)       [M16]
    if tiled is None:
        dquery, dpositive = xp.empty_like(query), xp.empty_like(query)
        dnegatives = xp.empty_like(negatives)
        for block, apart, _, (q, r) in own_softmax(cache):
            q = (upstream[block] * q)[:, None]
            p = (q * r)[:, None, :]  # P_n = q r_n
            dquery[block, :] = (p @ apart)[:, 0, :] / tau
            dpositive[block, :] = -q * query[block, :]
            if negatives.shape[1]:  # Dask refuses an empty write
                dnegatives[block, :, :] = xp.matrix_transpose(p) * query[block, None, :]
    else:
        scores, rows = tiled
        rows = weight(rows, upstream)
        q = rows.q[:, None]
        dquery, dnegatives = scores.products(rows)
        dquery -= q * positive
        dquery /= tau
        dpositive = -q * query
    # ∂𝓛/∂τ = −⟨query/τ, ∂𝓛/∂query⟩: 𝓛 depends on both through query/τ        [M7]
    return Gradients(dquery, dpositive, dnegatives, -xp.sum(query * dquery))


def own_softmax(cache: Cache) -> Iterator[tuple[slice, Array, Array, cross_entropy.Cache]]:
    """Yield for each block of queries: its slice, the differences k_n − k (queries, M, d) of their own negatives,
    their ℓ, and the softmax over these negatives.
    """
    n = cache.query.shape[0]
    to_do = math.ceil(n / cache.block)
    for done in range(to_do):
        block = slice(done * cache.block, min((done + 1) * cache.block, n))
        q = cache.query[block, :]
        xp = array_namespace(q)
        # q·(k_n − k)/τ for the negatives, 0 for the positive                 [D2.7]
        apart = cache.negatives[block, :, :] - cache.positive[block, None, :]
        logits = (apart @ q[:, :, None])[:, :, 0]
        yield block, apart, *cross_entropy.forward(xp.zeros_like(q[:, 0]), logits)
        if cache.progress:
            cache.progress(done + 1, to_do)


LOSS = engine.declare(PLAIN, forward, backward)
