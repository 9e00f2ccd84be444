"""Losses over two views of each thing, tile by tile: the scores S = X Xᵀ, X = Z/√τ, with partners adjacent.
`forward` and `backward` are of X; `forward_by_w` and `backward_by_w` of rows of any length.

Rows 2k and 2k + 1 of X are partners, whatever the layout of the input, and tiles have an even side. So the scores
that a denominator leaves out are in the tiles on the diagonal, at the same places in each.
"""

import math
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import NamedTuple

from array_api_compat import is_dask_array

from ..arrays import Array, array_namespace, device
from ..checks import check, check_positive
from ..pairs import Layout, check_some_negative, count_pairs, partner
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import Loss
from . import engine, tiles
from .rows import differentiate_by_w, find_scale, map_rows, project_rows
from .sums import Softmax, Sums, weight


class Cache(NamedTuple):
    """scores: X (N, d), partners adjacent, and its tiles · softmax: of each row · τ."""

    scores: "engine.Plan"
    softmax: Softmax
    temperature: float


class CacheByW(NamedTuple):
    """length, scale: ‖w‖ as two factors (N, 1), as in `sphere` · pairs: z/√τ and its softmax, partners adjacent ·
    layout · reduction.
    """

    length: Array
    scale: Array
    pairs: Cache
    layout: Layout
    reduction: Reduction


def map_with_partners(function: Callable[..., tuple[Array, ...]], *arrays: Array) -> list[Array]:
    """Apply function(*arrays, *the same arrays in their partners' order), row by row; views concatenated."""
    first, second = zip(*(split_views(x, "concatenated") for x in arrays))
    halves = map_rows(function, *first, *second), map_rows(function, *second, *first)
    return [array_namespace(*pair).concat(pair) for pair in zip(*halves)]


def split_views(x: Array, layout: Layout) -> tuple[Array, Array]:
    """The first and the second view of each thing, as views of x.                     [D1.5, D3.4]"""
    half = x.shape[0] // 2
    return (x[:half, ...], x[half:, ...]) if layout == "concatenated" else (x[0::2, ...], x[1::2, ...])


def interleave(w: Array, layout: Layout) -> Array:
    """Copy w's rows so that partners are adjacent, into one block if w has blocks."""
    xp = array_namespace(w)
    return rechunk_like(w, xp.reshape(xp.stack(split_views(w, layout), axis=1), w.shape))


def restore_order(x: Array, layout: Layout) -> Array:
    """Undo `interleave`."""
    if layout == "interleaved":
        return x
    return rechunk_like(x, array_namespace(x).concat(split_views(x, "interleaved")))


def rechunk_like(x: Array, moved: Array) -> Array:
    """Cut reordered Dask rows into blocks of x's sizes, rounded to even numbers of rows."""
    if not is_dask_array(x):
        return moved
    ends = {end + end % 2: None for end in accumulate(x.chunks[0])}
    return moved.rechunk({0: tuple(end - start for start, end in pairwise((0, *ends)))})


def mask_pairs(x: Array, n: int) -> Array:
    """Mask of each row itself and its partner among n rows, partners adjacent: (n, n), on x's device."""
    xp = array_namespace(x)
    pair = xp.arange(n, device=device(x)) // 2
    return pair[:, None] == pair[None, :]


def forward(x: Array, tile: int | None, progress: tiles.Progress | None) -> tuple["engine.Plan", Array, Sums]:
    """The scores of X; the positive's logit of each row (N,), and the sums over all rows but itself and its
    positive.
    """
    scores = engine.plan(x, x, tile, progress, excluded=mask_pairs, even=True)
    (sums,) = scores.sums()
    xp = array_namespace(x)
    (positive,) = map_rows(lambda x: (xp.linalg.vecdot(x, partner(x, "interleaved")),), x)
    return scores, positive, sums


def backward(cache: Cache, upstream: Array) -> tuple[Array, Array]:
    """The gradients by z (N, d) and by τ of Σ_i upstream_i q_i (Σ_j r_ij S_ij − S_ip), with q and r held constant,
    from upstream (N,). This is the whole gradient if the anchor is not a candidate. Partners are adjacent.
    """
    scores, softmax, tau = cache
    xp = array_namespace(upstream)
    # scale upstream first: 1/t may be as large as e^bound, and a large upstream on top of it would overflow
    size = find_scale(upstream)
    softmax = weight(softmax, upstream / size)
    x, q = scores.rows, softmax.q[:, None]
    # (G + Gᵀ) X: the negatives tile by tile                                  [D1.11, D1.13]
    dz, _ = scores.products(softmax, softmax)

    def add_positives(dz: Array, x: Array, q: Array) -> tuple[Array, Array]:
        # and P − 1 = −q at the positives, in both directions                   [S2]
        dz = (dz - (q + partner(q, "interleaved")) * partner(x, "interleaved")) / math.sqrt(tau)
        return dz * size, xp.linalg.vecdot(x, dz)

    dz, slopes = map_rows(add_positives, dz, x, q)
    # ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ), Z = √τ X                                    [M7]
    return dz, -xp.sum(slopes) / (2 * math.sqrt(tau)) * size


def forward_by_w(
    loss: Loss,
    weigh: Callable[[Array, Sums], tuple[Array, Softmax]],
    w: Array,
    temperature: float,
    reduction: Reduction,
    layout: Layout,
    tile: int | None,
    progress: tiles.Progress | None,
) -> tuple[Array, CacheByW]:
    """The forward pass by w. weigh(positive, sums): ℓ (N,) and the softmax over the negatives, from the positive's
    logit (N,) and the sums over the negatives: in this alone such losses differ.
    """
    xp, size = check(w=(w, "N d"))
    tile = engine.check_tile(tile, xp)
    pairs = count_pairs("w", size["N"])
    if loss.fewest > 1:
        check_some_negative("w", pairs)
    tau = check_positive("temperature", temperature)
    x, length, scale = project_rows(interleave(w, layout), tau)
    scores, positive, sums = forward(x, tile, progress)
    losses, softmax = weigh(positive, sums)
    # 𝓛 = (1/2B) Σ ℓ_i                                                    [D3.4, F1]
    value = reduce_losses(restore_order(losses, layout), reduction)
    return value, CacheByW(length, scale, Cache(scores, softmax, tau), layout, reduction)


def backward_by_w(cache: CacheByW, upstream: float | Array) -> tuple[Array, Array]:
    """∂𝓛/∂w (N, d) and ∂𝓛/∂τ (0-d)."""
    length, scale, pairs, layout, reduction = cache
    upstream = split_upstream(upstream, reduction, pairs.softmax.q)
    # multiply each row of G, from `weigh`, by the anchor's upstream      [D1.11, F2]
    dz, dtau = backward(pairs, interleave(upstream, layout))
    dw = differentiate_by_w(dz, pairs.scores.rows, length, scale, pairs.temperature)
    return restore_order(dw, layout), dtau
