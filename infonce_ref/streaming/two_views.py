"""What ntxent, dcl and infonce share: the two views of a thing side by side, and the scores S = X Xᵀ, X = Z/√τ.

Rows 2k and 2k + 1 of X are partners, whatever the layout of the input, and tiles have an even side: what a
denominator leaves out then lies in the tiles on the diagonal, at the same places in each.
"""

import math
from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import NamedTuple

from array_api_compat import array_namespace, is_dask_array

from .. import sphere
from ..arrays import Array, device, power_of_two
from ..pairs import Layout, partner
from . import tiles

BLOCK = (
    4096  # rows at a time in what is done row by row, so that temporaries stay small; even: no pair is cut
)


class Cache(NamedTuple):
    """scores: X (N, d), partners side by side, and how S is cut · softmax: what is kept of each row's · τ."""

    scores: "tiles.Plan"
    softmax: tiles.Softmax
    temperature: float


def row_by_row(function: Callable[..., tuple[Array, ...]], *arrays: Array) -> list[Array]:
    """function(*arrays), of which each row depends on these rows alone, and its partner's if that is beside it:
    computed now, a few rows at a time, or in Dask's own blocks."""
    if is_dask_array(arrays[0]):
        from . import cluster  # Dask is there, as its array is

        return cluster.held(*function(*arrays))
    xp, n = array_namespace(*arrays), arrays[0].shape[0]
    whole: list[Array] = []
    for k in range(0, n, BLOCK):
        rows = slice(k, min(k + BLOCK, n))
        parts = function(*(x[rows, ...] for x in arrays))
        whole = whole or [xp.empty((n, *x.shape[1:]), dtype=x.dtype, device=device(x)) for x in parts]
        for x, part in zip(whole, parts):
            x[rows, ...] = part
    return whole


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


def on_sphere(w: Array, layout: Layout, temperature: float) -> list[Array]:
    """X (N, d) of the unit rows of w, partners side by side, and ‖w‖ in two factors (N, 1), as in `sphere`."""

    # X = Z / √τ with z = w / ‖w‖, so S = X Xᵀ = Z Zᵀ / τ                     [D3.3]
    def scaled(w: Array) -> tuple[Array, ...]:
        z, to_sphere = sphere.forward(w)
        return z / math.sqrt(temperature), to_sphere.length, to_sphere.scale

    return row_by_row(scaled, side_by_side(w, layout))


def by_w(dz: Array, pairs: Cache, length: Array, scale: Array, layout: Layout, name: str) -> Array:
    """∂𝓛/∂w (N, d) in the layout, from ∂𝓛/∂z and what `on_sphere` gave. name: whose gradient, for an error."""

    def tangential(dz: Array, x: Array, length: Array, scale: Array) -> tuple[Array]:
        # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                      [M5]
        to_sphere = sphere.Cache(math.sqrt(pairs.temperature) * x, length, scale)
        return (sphere.backward(to_sphere, dz, f"{name} by w"),)

    (dw,) = row_by_row(tangential, dz, pairs.scores.rows, length, scale)
    return as_they_came(dw, layout)


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
    largest = xp.max(xp.abs(upstream))
    size = power_of_two(xp.where(largest > 0, largest, xp.ones_like(largest)))
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
