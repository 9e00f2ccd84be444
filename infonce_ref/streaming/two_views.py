"""What ntxent, dcl and infonce share: the two views of a thing side by side, and the scores S = X Xᵀ, X = Z/√τ.

Rows 2k and 2k + 1 of X are partners, whatever the layout of the input, and tiles have an even side: what a
denominator leaves out then lies in the tiles on the diagonal, at the same places in each.
"""

import math
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import NamedTuple

from array_api_compat import array_namespace, is_dask_array

from ..arrays import Array, device
from ..pairs import Layout, partner
from . import tiles
from .rows import row_by_row, size_of


class Cache(NamedTuple):
    """scores: X (N, d), partners side by side, and how S is cut · softmax: what is kept of each row's · τ."""

    scores: "tiles.Plan"
    softmax: tiles.Softmax
    temperature: float


def with_partners(function: Callable[..., tuple[Array, ...]], *arrays: Array) -> list[Array]:
    """function(*arrays, *the same of their partners), row by row; views concatenated."""
    first, second = zip(*(views(x, "concatenated") for x in arrays))
    halves = row_by_row(function, *first, *second), row_by_row(function, *second, *first)
    return [array_namespace(*pair).concat(pair) for pair in zip(*halves)]


def views(x: Array, layout: Layout) -> tuple[Array, Array]:
    """The first and the second view of each thing, as views of x.                     [D1.5, D3.4]"""
    half = x.shape[0] // 2
    return (x[:half, ...], x[half:, ...]) if layout == "concatenated" else (x[0::2, ...], x[1::2, ...])


def side_by_side(w: Array, layout: Layout) -> Array:
    """A copy of w's rows with partners side by side, in one block if there are blocks."""
    xp = array_namespace(w)
    return cut_as(w, xp.reshape(xp.stack(views(w, layout), axis=1), w.shape))


def as_they_came(x: Array, layout: Layout) -> Array:
    """The inverse: x's rows in the layout."""
    return x if layout == "interleaved" else cut_as(x, array_namespace(x).concat(views(x, "interleaved")))


def cut_as(x: Array, moved: Array) -> Array:
    """Rows that were moved, in blocks as x is if it is Dask's, but each of an even number of rows."""
    if not is_dask_array(x):
        return moved
    ends = {end + end % 2: None for end in accumulate(x.chunks[0])}
    return moved.rechunk({0: tuple(end - start for start, end in pairwise((0, *ends)))})


def itself_and_partner(x: Array, n: int) -> Array:
    """Of n rows, partners side by side: which j is i or p(i), (n, n), on x's device."""
    xp = array_namespace(x)
    pair = xp.arange(n, device=device(x)) // 2
    return pair[:, None] == pair[None, :]


def forward(
    x: Array, tile: int | None, progress: tiles.Progress | None
) -> tuple["tiles.Plan", Array, tiles.Sums]:
    """The scores of X and, of each row, its positive's logit (N,) and the sums over all but itself and its
    positive."""
    scores = tiles.plan(x, x, tile, progress, excluded=itself_and_partner, even=True)
    (sums,) = scores.sums()
    xp = array_namespace(x)
    (positive,) = row_by_row(lambda x: (xp.vecdot(x, partner(x, "interleaved")),), x)
    return scores, positive, sums


def backward(cache: Cache, upstream: Array) -> tuple[Array, Array]:
    """The gradients by z (N, d) and by τ of Σ_i upstream_i q_i (Σ_j r_ij S_ij − S_ip), q and r held, from upstream
    (N,): of the whole loss, where the anchor is no candidate. Partners side by side."""
    scores, softmax, tau = cache
    xp = array_namespace(upstream)
    # apart from its size: 1/t may be as large as e^bound, and a large upstream on top of it would overflow
    size = size_of(upstream)
    softmax = tiles.weighted(softmax, upstream / size)
    x, q = scores.rows, softmax.q[:, None]
    # (G + Gᵀ) X: the negatives tile by tile                                  [D1.11, D1.13]
    dz, _ = scores.products(softmax, softmax)

    def with_positives(dz: Array, x: Array, q: Array) -> tuple[Array, Array]:
        # and P − 1 = −q at the positives, both ways                          [S2]
        dz = (dz - (q + partner(q, "interleaved")) * partner(x, "interleaved")) / math.sqrt(tau)
        return dz * size, xp.vecdot(x, dz)

    dz, slopes = row_by_row(with_positives, dz, x, q)
    # ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ), Z = √τ X                                    [M7]
    return dz, -xp.sum(slopes) / (2 * math.sqrt(tau)) * size
