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
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ..embeddings.rows import Unit
from ..streaming import tiles, two_views
from ..streaming.workers import run
from ..threads import count_available

COLDEST = 0.002  # e^{±1/τ} and sums of a million of it are normal numbers in float64
NEGLIGIBLE = 60.0  # if a tile's exponents span at most this, float32's underflow at e^-87 loses nothing
SAME = 1.5e-6  # 1 − s of rows less than 0.1° apart; above the rounding error of equal rows
NONE = -2.0  # in place of the cosine of a pair that does not count


class Pair(NamedTuple):
    """Rows i < j of different things, and their cosine."""

    i: int
    j: int
    similarity: float


class Nearest:
    """Collects the few pairs with the largest cosine, from several threads."""

    def __init__(self, most: int) -> None:
        self.most, self.pairs, self.lock = most, list[Pair](), threading.Lock()
        self.least = NONE if most else 2.0

    def take(self, s: np.ndarray, i: int, j: int) -> None:
        """Add a tile with first row i and first column j; a tile on the diagonal holds each pair twice."""
        if i == j:
            s = np.where(np.arange(len(s))[:, None] < np.arange(len(s)), s, NONE)
        few = min(self.most, s.size)
        best = np.argpartition(s, s.size - few, axis=None)[s.size - few :]
        taken = [
            Pair(min(i + r, j + c), max(i + r, j + c), float(s[r, c]))
            for r, c in (map(int, np.unravel_index(place, s.shape)) for place in best)
            if s[r, c] > self.least
        ]
        with self.lock:
            ordered = sorted([*self.pairs, *taken], key=lambda pair: (-pair.similarity, *pair))
            self.pairs = ordered[: self.most]
            if len(self.pairs) == self.most:
                self.least = self.pairs[-1].similarity


class Sweep(NamedTuple):
    """total, moment, alike (T, N): the sums defined in the module's docstring, alike is 0 without labels ·
    largest (N,): the cosine of each row's nearest negative · near: the nearest pairs of different things
    ("hardest"), of one label ("labelled"), and some of the `duplicates` pairs of different things that coincide.
    """

    total: np.ndarray
    moment: np.ndarray
    alike: np.ndarray
    largest: np.ndarray
    near: Mapping[str, Sequence[Pair]]
    duplicates: int


def exponentiate(
    s: np.ndarray, beta: float, least: float, largest: float, space: np.ndarray
) -> tuple[np.ndarray, float]:
    """x and a scale with scale · x = e^{β s}, for cosines between these two. In float32 the scale is
    e^{β · largest}, or the work is done in float64 if the exponents span too much.
    """
    wide = s.dtype == np.float64
    if not wide and beta * (largest - least) > NEGLIGIBLE:
        return np.exp(beta * s.astype(np.float64)), 1.0
    shift = 0.0 if wide else largest
    x = np.multiply(s, s.dtype.type(beta), out=space)
    x -= s.dtype.type(beta * shift)
    return np.exp(x, out=x), math.exp(beta * shift)


def sweep(unit: Unit, inverse: np.ndarray, top: int, progress: tiles.Progress | None = None) -> Sweep:
    """Compute all sums at the inverse temperatures β (T,)."""
    z, labels = unit.z, unit.labels
    scores = tiles.Scores(z, z, 1.0, no_shift=False, even=True).cut(count_available())
    own, ones = two_views.mask_pairs(z, scores.tile), np.ones(scores.tile, dtype=z.dtype)
    # sums of rows, and of columns: tiles of one round share no block of either, so that no thread waits for another
    sums, largest = np.zeros((2, 3, len(inverse), unit.size)), np.full((2, unit.size), NONE)
    hardest, duplicates, labelled = Nearest(top), Nearest(top), Nearest(0 if labels is None else top)
    counts: list[int] = []

    def list_nearest(s: np.ndarray, alike: np.ndarray, highest: float, i: int, j: int) -> None:
        if highest >= 1 - SAME:
            same = s >= 1 - SAME
            counts.append(int(np.count_nonzero(same)) // (2 if i == j else 1))
            if top:
                duplicates.take(np.where(same, s, NONE), i, j)
            s = np.where(same, NONE, s)
            highest = float(s.max())
        if highest > hardest.least:
            hardest.take(s, i, j)
        if highest > labelled.least:
            labelled.take(np.where(alike, s, NONE), i, j)

    def work(i: int, j: int, spaces: tuple[np.ndarray, ...]) -> None:
        rows, columns = scores.block_of_rows(i), scores.block_of_columns(j)
        s = scores.compute(i, j, spaces[0])
        space, alike = (x[: s.shape[0], : s.shape[1]] for x in spaces[1:])
        left_out = own[: s.shape[0], : s.shape[1]]
        if i == j:
            s[left_out] = NONE
        if labels is not None:
            np.equal(labels[rows, None], labels[columns], out=alike)
        nearest = s.max(axis=1), s.max(axis=0)
        for side, part, new in zip(largest, (rows, columns), nearest):
            np.maximum(side[part], new, out=side[part])
        least, highest = min(float(x.min()) for x in nearest), float(nearest[0].max())
        list_nearest(s, alike, highest, rows.start, columns.start)

        def add(kind: int, t: int, x: np.ndarray, scale: float) -> None:
            sums[0, kind, t, rows] += scale * (x @ ones[: x.shape[1]]).astype(np.float64)
            if i != j:  # a tile on the diagonal holds each pair twice
                sums[1, kind, t, columns] += scale * (ones[: x.shape[0]] @ x).astype(np.float64)

        for t, beta in enumerate(inverse):
            x, scale = exponentiate(s, beta, least, highest, space)
            if i == j:
                x[left_out] = 0
            add(0, t, x, scale)
            if labels is not None:
                add(2, t, x * alike, scale)
            x *= s
            add(1, t, x, scale)

    spaces = [(x, np.empty_like(x), np.empty(x.shape, dtype=bool)) for x in scores.allocate(scores.workers)]
    run(list(tiles.rounds(scores)), work, spaces, progress)
    near = {"hardest": hardest.pairs, "labelled": labelled.pairs, "duplicates": duplicates.pairs}
    total, moment, alike = sums.sum(axis=0)
    return Sweep(total, moment, alike, largest.max(axis=0), near, sum(counts))
