"""One pass over all pairs of rows: sums over the negatives of each row, at every temperature at once.

The cosines are computed tile by tile, as in `infonce_ref.streaming`: once for a pair and its mirror image,
and never stored whole. Of each tile, with β = 1/τ:

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
from ..threads import available

COLDEST = 0.002  # e^{±1/τ} and sums of a million of it are normal numbers in float64
NEGLIGIBLE = 60.0  # a tile whose exponents span at most this loses nothing to float32's underflow at e^-87
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
    """total, moment, alike (T, N): the sums of the head of this file, alike None without labels · largest (N,): the
    cosine of each row's nearest negative · hardest: the nearest pairs of different things · labelled: the
    nearest pairs with one label · duplicates: some of the `duplicate_count` pairs of different things that
    coincide."""

    total: np.ndarray
    moment: np.ndarray
    alike: np.ndarray | None
    largest: np.ndarray
    hardest: Sequence[Pair]
    labelled: Sequence[Pair]
    duplicates: Sequence[Pair]
    duplicate_count: int


def sweep(
    unit: Unit, inverse: np.ndarray, top: int, tile: int | None = None, progress: tiles.Progress | None = None
) -> Sweep:
    """Compute all sums at the inverse temperatures β (T,)."""
    z, labels = unit.z, unit.labels
    scores = tiles.cut(z, z, 1.0, False, None, True, None, tile, progress, available())
    own = two_views.mask_pairs(z, scores.tile)
    kinds = 2 if labels is None else 3
    # rows and columns separately: no two tiles of a round share a block of rows or a block of columns
    sums = [np.zeros((kinds, len(inverse), unit.size)) for _ in range(2)]
    largest = [np.full(unit.size, -2.0) for _ in range(2)]
    hardest, labelled, duplicates = Found(top), Found(top if labels is not None else 0), Found(top)
    counted: list[int] = []
    wide = z.dtype == np.float64
    ones = np.ones(scores.tile, dtype=z.dtype)

    def work(i: int, j: int, space: tuple[np.ndarray, ...]) -> None:
        parts = scores.block_of_rows(i), scores.block_of_columns(j)
        rows, columns = parts
        s = scores.compute(i, j, space[0])
        e, label = (x[: s.shape[0], : s.shape[1]] for x in space[1:])
        masked = own[: s.shape[0], : s.shape[1]] if i == j else None
        if masked is not None:
            s[masked] = -2.0
        if labels is not None:
            np.equal(labels[rows, None], labels[columns], out=label)
        nearest = s.max(axis=1), s.max(axis=0)
        for side, part, new in zip(largest, parts, nearest):
            np.maximum(side[part], new, out=side[part])
        c = float(nearest[0].max())
        look(s, c, label, rows.start, columns.start)
        short = c - min(float(x.min()) for x in nearest)

        def add(kind: int, t: int, scale: float, x: np.ndarray) -> None:
            sums[0][kind, t, rows] += scale * (x @ ones[: x.shape[1]]).astype(np.float64)
            if i != j:  # a tile on the diagonal holds each pair twice
                sums[1][kind, t, columns] += scale * (ones[: x.shape[0]] @ x).astype(np.float64)

        for t, beta in enumerate(inverse):
            if wide or beta * short <= NEGLIGIBLE:
                shift = 0.0 if wide else c
                x, scale = np.multiply(s, s.dtype.type(beta), out=e), math.exp(beta * shift)
                x -= s.dtype.type(beta * shift)
                np.exp(x, out=x)
            else:
                x, scale = np.exp(beta * s.astype(np.float64)), 1.0
            if masked is not None:
                x[masked] = 0
            add(0, t, scale, x)
            if labels is not None:
                add(2, t, scale, x * label)
            x *= s
            add(1, t, scale, x)

    def look(s: np.ndarray, c: float, label: np.ndarray, i: int, j: int) -> None:
        """Collect the pairs to list."""
        if c >= 1 - SAME:
            same = s >= 1 - SAME
            counted.append(int(np.count_nonzero(same)) // (2 if i == j else 1))
            if top:
                duplicates.take(np.where(same, s, -2.0), i, j)
            s = np.where(same, -2.0, s)
            c = float(s.max())
        if c > hardest.least:
            hardest.take(s, i, j)
        if labels is not None and c > labelled.least:
            labelled.take(np.where(label, s, -2.0), i, j)

    spaces = [(x, np.empty_like(x), np.empty(x.shape, dtype=bool)) for x in scores.allocate(scores.workers)]
    run(list(tiles.rounds(scores)), work, spaces, progress)
    total, moment, *rest = sums[0] + sums[1]
    return Sweep(
        total,
        moment,
        rest[0] if rest else None,
        np.maximum(*largest),
        hardest.pairs,
        labelled.pairs,
        duplicates.pairs,
        sum(counted),
    )
