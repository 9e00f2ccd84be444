"""The tiled passes that losses over two views of a batch, with rows of any length, have in common.

Such losses differ only in how they use a row's positive logit and the sums over its negatives.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..arrays import Array
from ..checks import check, check_positive
from ..pairs import Layout, check_some_negative, count_pairs
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import Loss
from . import engine, rows, tiles, two_views
from .sums import Softmax, Sums


class Cache(NamedTuple):
    """length, scale: ‖w‖ as two factors (N, 1), as in `sphere` · pairs: z/√τ and its softmax, partners adjacent ·
    layout · reduction.
    """

    length: Array
    scale: Array
    pairs: two_views.Cache
    layout: Layout
    reduction: Reduction


def forward(
    loss: Loss,
    weigh: Callable[[Array, Sums], tuple[Array, Softmax]],
    w: Array,
    temperature: float,
    reduction: Reduction,
    layout: Layout,
    tile: int | None,
    progress: tiles.Progress | None,
) -> tuple[Array, Cache]:
    """The forward pass. weigh(positive, sums): ℓ (N,) and the softmax over the negatives, from the positive's logit
    (N,) and the sums over the negatives.
    """
    xp, size = check(w=(w, "N d"))
    tile = engine.check_tile(tile, xp)
    pairs = count_pairs("w", size["N"])
    if loss.fewest > 1:
        check_some_negative("w", pairs)
    tau = check_positive("temperature", temperature)
    x, length, scale = rows.project_rows(two_views.interleave(w, layout), tau)
    scores, positive, sums = two_views.forward(x, tile, progress)
    losses, softmax = weigh(positive, sums)
    # 𝓛 = (1/2B) Σ ℓ_i                                                    [D3.4, F1]
    value = reduce_losses(two_views.restore_order(losses, layout), reduction)
    return value, Cache(length, scale, two_views.Cache(scores, softmax, tau), layout, reduction)


def backward(cache: Cache, upstream: float | Array) -> tuple[Array, Array]:
    """∂𝓛/∂w (N, d) and ∂𝓛/∂τ (0-d)."""
    length, scale, pairs, layout, reduction = cache
    upstream = split_upstream(upstream, reduction, pairs.softmax.q)
    # multiply each row of G, from `weigh`, by the anchor's upstream      [D1.11, F2]
    dz, dtau = two_views.backward(pairs, two_views.interleave(upstream, layout))
    dw = rows.differentiate_by_w(dz, pairs.scores.rows, length, scale, pairs.temperature)
    return two_views.restore_order(dw, layout), dtau
