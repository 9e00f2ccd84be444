"""One pass over all pairs of rows: sums over the negatives of each row, at every temperature at once.

The cosines are computed tile by tile, as in `infonce_ref.streaming`: s_ij and s_ji only once, and never all stored.
Of each tile, with β = 1/τ:

    total_i  = Σ_j e^{β s_ij}           over the negatives j of row i: all but i and its positive p
    moment_i = Σ_j s_ij e^{β s_ij}
    alike_i  = Σ_j e^{β s_ij} [j has the label of i]

In float32, e^{β s} is computed relative to the largest cosine of the tile; sums over tiles are float64, whose range
covers e^{±β} down to the temperature COLDEST.
"""

import math
import threading
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..embeddings.rows import Unit
from ..streaming import tiles, two_views
from ..streaming.workers import run
from ..threads import count_available

COLDEST = 0.002  # e^{±1/τ} and sums of a million of it are normal numbers in float64
NEGLIGIBLE = 60.0  # if a tile's exponents span at most this, float32's underflow at e^-87 loses nothing
SAME = 1.5e-6  # 1 − s of rows less than 0.1° apart; above the rounding error of equal rows


class Pair(NamedTuple):
    """Rows i < j of different things, and their cosine."""

    i: int
    j: int
    similarity: float


class Found:
    """Collects the few pairs with the largest cosine, from several threads."""

    def __init__(self, most: int) -> None:
        self.most, self.pairs, self.lock = most, list[Pair](), threading.Lock()
        self.least = -2.0 if most else 2.0

    def take(self, s: np.ndarray, i: int, j: int) -> None:
        """Add a tile with first row i and first column j; a tile on the diagonal holds each pair twice."""
        if i == j:
            s = np.where(np.arange(len(s))[:, None] < np.arange(len(s)), s, -2.0)
        few = min(self.most, s.size)
        best = np.argpartition(s, s.size - few, axis=None)[s.size - few :]
        taken = [
            Pair(min(i + r, j + c), max(i + r, j + c), float(s[r, c]))
            for r, c in (map(int, np.unravel_index(place, s.shape)) for place in best)
            if s[r, c] > self.least
        ]
        with self.lock:
            self.pairs = sorted([*self.pairs, *taken], key=lambda pair: (-pair.similarity, *pair))[
                : self.most
            ]
            if len(self.pairs) == self.most:
                self.least = self.pairs[-1].similarity


class Sweep(NamedTuple):
    """total, moment, alike (T, N): the sums defined in the module's docstring, alike is None without labels ·
    largest (N,): the cosine of each row's nearest negative · hardest: the nearest pairs of different things ·
    labelled: the nearest pairs with one label · duplicates: some of the `duplicate_count` pairs of different things
    that coincide.
    """

    total: np.ndarray
    moment: np.ndarray
    alike: np.ndarray | None
    largest: np.ndarray
    hardest: Sequence[Pair]
    labelled: Sequence[Pair]
    duplicates: Sequence[Pair]
    duplicate_count: int


class Tile(NamedTuple):
    """Cosines s of a block of rows with a block of columns · label: which of them have one label, None without
    labels · masked: in a tile on the diagonal, which pairs are not negatives; such a tile holds each pair twice ·
    least, largest: bounds of the cosines of negatives.
    """

    s: np.ndarray
    label: np.ndarray | None
    masked: np.ndarray | None
    rows: slice
    columns: slice
    least: float
    largest: float


class Sums:
    """Adds tiles, at every inverse temperature, to sums of rows and of columns. Tiles of one round share no block
    of rows or columns, so that threads never write to the same sums.
    """

    def __init__(self, unit: Unit, inverse: np.ndarray, side: int) -> None:
        kinds = 2 if unit.labels is None else 3
        self.inverse, self.ones = inverse, np.ones(side, dtype=unit.z.dtype)
        self.sums = [np.zeros((kinds, len(inverse), unit.size)) for _ in range(2)]

    def add(self, tile: Tile, space: np.ndarray) -> None:
        for t, beta in enumerate(self.inverse):
            x, scale = exponentiate(tile, beta, space)
            if tile.masked is not None:
                x[tile.masked] = 0
            self._add(tile, (0, t), scale, x)
            if tile.label is not None:
                self._add(tile, (2, t), scale, x * tile.label)
            x *= tile.s
            self._add(tile, (1, t), scale, x)

    def _add(self, tile: Tile, place: tuple[int, int], scale: float, x: np.ndarray) -> None:
        of_rows, of_columns = (each[place] for each in self.sums)
        of_rows[tile.rows] += scale * (x @ self.ones[: x.shape[1]]).astype(np.float64)
        if tile.masked is None:
            of_columns[tile.columns] += scale * (self.ones[: x.shape[0]] @ x).astype(np.float64)


def exponentiate(tile: Tile, beta: float, space: np.ndarray) -> tuple[np.ndarray, float]:
    """x and a scale with scale · x = e^{β s}. In float32 the scale is e^{β · largest}, or the work is done in
    float64 if the tile's exponents span too much."""
    s, wide = tile.s, tile.s.dtype == np.float64
    if not wide and beta * (tile.largest - tile.least) > NEGLIGIBLE:
        return np.exp(beta * s.astype(np.float64)), 1.0
    shift = 0.0 if wide else tile.largest
    x = np.multiply(s, s.dtype.type(beta), out=space)
    x -= s.dtype.type(beta * shift)
    return np.exp(x, out=x), math.exp(beta * shift)


class Lists:
    """Collects the pairs to list: the nearest of different things, the nearest with one label, and those that
    coincide."""

    def __init__(self, top: int, labels: bool) -> None:
        self.top, self.counted = top, list[int]()
        self.hardest, self.labelled, self.duplicates = Found(top), Found(top if labels else 0), Found(top)

    def add(self, tile: Tile) -> None:
        s, largest, i, j = tile.s, tile.largest, tile.rows.start, tile.columns.start
        if largest >= 1 - SAME:
            same = s >= 1 - SAME
            self.counted.append(int(np.count_nonzero(same)) // (2 if i == j else 1))
            if self.top:
                self.duplicates.take(np.where(same, s, -2.0), i, j)
            s = np.where(same, -2.0, s)
            largest = float(s.max())
        if largest > self.hardest.least:
            self.hardest.take(s, i, j)
        if tile.label is not None and largest > self.labelled.least:
            self.labelled.take(np.where(tile.label, s, -2.0), i, j)


def sweep(
    unit: Unit, inverse: np.ndarray, top: int, tile: int | None = None, progress: tiles.Progress | None = None
) -> Sweep:
    """Compute all sums at the inverse temperatures β (T,)."""
    z, labels = unit.z, unit.labels
    scores = tiles.cut(z, z, 1.0, False, None, True, None, tile, progress, count_available())
    own = two_views.mask_pairs(z, scores.tile)
    sums, lists = Sums(unit, inverse, scores.tile), Lists(top, labels is not None)
    largest = [np.full(unit.size, -2.0) for _ in range(2)]

    def work(i: int, j: int, space: tuple[np.ndarray, ...]) -> None:
        rows, columns = scores.block_of_rows(i), scores.block_of_columns(j)
        s = scores.compute(i, j, space[0])
        e, label = (x[: s.shape[0], : s.shape[1]] for x in space[1:])
        masked = own[: s.shape[0], : s.shape[1]] if i == j else None
        if masked is not None:
            s[masked] = -2.0
        if labels is not None:
            np.equal(labels[rows, None], labels[columns], out=label)
        nearest = s.max(axis=1), s.max(axis=0)
        for side, part, new in zip(largest, (rows, columns), nearest):
            np.maximum(side[part], new, out=side[part])
        least = min(float(x.min()) for x in nearest)
        block = Tile(
            s, None if labels is None else label, masked, rows, columns, least, float(nearest[0].max())
        )
        lists.add(block)
        sums.add(block, e)

    spaces = [(x, np.empty_like(x), np.empty(x.shape, dtype=bool)) for x in scores.allocate(scores.workers)]
    run(list(tiles.rounds(scores)), work, spaces, progress)
    total, moment, *rest = sums.sums[0] + sums.sums[1]
    return Sweep(
        total,
        moment,
        rest[0] if rest else None,
        np.maximum(*largest),
        lists.hardest.pairs,
        lists.labelled.pairs,
        lists.duplicates.pairs,
        sum(lists.counted),
    )
