"""What ntxent and infonce share: the two views of a thing side by side, and the scores S = X Xᵀ, X = Z/√τ.

Rows 2k and 2k + 1 of X are partners, whatever the layout of the input, and tiles have an even side: what a
denominator leaves out then lies in the tiles on the diagonal, at the same places in each.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

from array_api_compat import array_namespace

from ..arrays import Array, device
from ..pairs import Layout, partner
from . import tiles

BLOCK = (
    4096  # rows at a time in what is done row by row, so that temporaries stay small; even: no pair is cut
)


class Cache(NamedTuple):
    """scores: X (N, d), partners side by side, and how S is cut · softmax: what is kept of each row's · τ."""

    scores: tiles.Scores
    softmax: tiles.Softmax
    temperature: float


def blocks(n: int) -> Iterator[slice]:
    """0 … n in slices of at most BLOCK."""
    return (slice(k, min(k + BLOCK, n)) for k in range(0, n, BLOCK))


def halves(n: int) -> Iterator[tuple[slice, slice]]:
    """0 … n, n even, in slices of at most BLOCK, and of each where its partners are; views concatenated."""
    for k in range(0, n // 2, BLOCK):
        first = slice(k, min(k + BLOCK, n // 2))
        second = slice(first.start + n // 2, first.stop + n // 2)
        yield first, second
        yield second, first


def views(x: Array, layout: Layout) -> tuple[Array, Array]:
    """The first and the second view of each thing, as views of x.                     [D1.5, D3.4]"""
    half = x.shape[0] // 2
    return (x[:half, ...], x[half:, ...]) if layout == "concatenated" else (x[0::2, ...], x[1::2, ...])


def side_by_side(w: Array, layout: Layout) -> Array:
    """A copy of w's rows with partners side by side."""
    xp = array_namespace(w)
    x = xp.empty(w.shape, dtype=w.dtype, device=device(w))
    for there, here in zip(views(w, layout), views(x, "interleaved")):
        here[...] = there
    return x


def as_they_came(x: Array, layout: Layout) -> Array:
    """The inverse: a copy of x's rows in the layout."""
    xp = array_namespace(x)
    w = xp.empty(x.shape, dtype=x.dtype, device=device(x))
    for here, there in zip(views(x, "interleaved"), views(w, layout)):
        there[...] = here
    return w


def itself_and_partner(x: Array, n: int) -> Array:
    """Of n rows, partners side by side: which j is i or p(i), (n, n), on x's device."""
    xp = array_namespace(x)
    pair = xp.arange(n, device=device(x)) // 2
    return pair[:, None] == pair[None, :]


def forward(
    x: Array, tile: int | None, progress: tiles.Progress | None
) -> tuple[tiles.Scores, Array, tiles.Sums]:
    """The scores of X and, of each row, its positive's logit (N,) and the sums over all but itself and its
    positive."""
    scores = tiles.plan(x, x, tile, progress, excluded=itself_and_partner, even=True)
    (sums,) = tiles.sums(scores)
    return scores, array_namespace(x).vecdot(x, partner(x, "interleaved")), sums


def backward(cache: Cache, upstream: Array) -> tuple[Array, Array]:
    """The gradients by z (N, d) and by τ of Σ_i upstream_i q_i (Σ_j r_ij S_ij − S_ip), q and r held, from upstream
    (N,): of the whole loss, where the anchor is no candidate. Partners side by side."""
    scores, softmax, tau = cache
    softmax = tiles.weighted(softmax, upstream)
    x, q = scores.rows, softmax.q[:, None]
    xp = array_namespace(x)
    # (G + Gᵀ) X: the negatives tile by tile                                  [D1.11, D1.13]
    dz, _ = tiles.products(scores, softmax, softmax)
    slope = 0.0
    for rows in blocks(x.shape[0]):
        # and P − 1 = −q at the positives, both ways                          [S2]
        both = q[rows, :] + partner(q[rows, :], "interleaved")
        dz[rows, :] = (dz[rows, :] - both * partner(x[rows, :], "interleaved")) / math.sqrt(tau)
        # ∂𝓛/∂τ = −⟨Z, ∂𝓛/∂Z⟩ / (2τ), Z = √τ X                                [M7]
        slope = slope - xp.sum(xp.vecdot(x[rows, :], dz[rows, :])) / (2 * math.sqrt(tau))
    return dz, slope
