"""Quantities that need all candidates of an anchor, for some or all rows as anchors. These are the ranking of an
anchor's negatives, the gradient of a row, and the slope of the loss at any temperature. With P_ij = q_i e^{β s_ij}
/ total_i, the softmax of anchor i at a negative j:

    ∂𝓛/∂w_k = Σ_j (P_kj + P_jk − [j = p(k)] (q_k + q_j)) (z_j − s_kj z_k) / (N τ ‖w_k‖)          [M5, S2]

Small batches use every row. For larger ones, anchors are drawn so that there are at most MOST cosines, and means
over rows are reported with their standard error.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..elementary import sigmoid
from ..embeddings.rows import Unit
from ..streaming import tiles
from ..streaming.workers import run
from ..threads import count_available

MOST = 2**26  # cosines of anchors with candidates, in all
KEPT = 2**24  # cosines kept to search for the resting temperature
AT_WORK = 2**21  # cosines that a worker computes at a time
# in place of a cosine with itself or the positive: e^{β NONE} is 0, and so is its product with NONE
NONE = -1e30
BINS = np.linspace(-1, 1, 201)


class Anchors(NamedTuple):
    """drawn: the rows taken (A,) · hardest (T, A): the share of an anchor's push that falls on its `nearest`
    nearest negatives · squared (T, A): ‖∂𝓛/∂w‖² of the row times the shortest row's ‖w‖², which no length makes
    overflow · histograms: the numbers of negatives, and of those with the anchor's label, in each of BINS · kept:
    the first anchors' cosines with all candidates, NONE at the anchor and its positive.
    """

    drawn: np.ndarray
    nearest: int
    hardest: np.ndarray
    squared: np.ndarray
    histograms: np.ndarray
    kept: np.ndarray


def anchors(
    unit: Unit,
    inverse: np.ndarray,
    total: np.ndarray,
    log_q: np.ndarray,
    rng: np.random.Generator,
    most: int = MOST,
    kept: int = KEPT,
    progress: tiles.Progress | None = None,
) -> Anchors:
    """Measure as many anchors as `most` cosines allow. total: the sums of every row · log_q: log(1 − P) of its
    positive, both (T, N)."""
    z, n = unit.z, unit.size
    count = min(n, max(64, most // n))
    drawn = np.arange(n) if count == n else rng.choice(n, count, replace=False)
    nearest = -(-(n - 2) // 100)
    step = max(1, AT_WORK // n)
    blocks = [slice(k, min(k + step, count)) for k in range(0, count, step)]
    hardest, squared = np.empty((len(inverse), count)), np.empty((len(inverse), count))
    histograms = np.zeros((2, len(blocks), len(BINS) - 1), dtype=np.int64)
    some = np.full((min(count, max(16, kept // n)), n), NONE, dtype=z.dtype)
    # P_ij = e^{β s_ij − a_i}
    above = (np.log(total) - log_q).astype(z.dtype)

    def work(b: int, _: int, space: np.ndarray) -> None:
        part, rows = blocks[b], drawn[blocks[b]]
        places = np.arange(len(rows))
        s, push, other = space[:, : len(rows)]
        np.matmul(z[rows], z.T, out=s)
        s[places, rows] = s[places, rows ^ 1] = NONE
        if part.start < len(some):
            some[part] = s[: len(some) - part.start]
        order = np.partition(s, n - nearest, axis=1)[:, n - nearest :].astype(np.float64)
        histograms[0, b] = np.histogram(s, BINS)[0]
        if unit.labels is not None:
            histograms[1, b] = np.histogram(s[unit.labels[rows, None] == unit.labels], BINS)[0]
        for t, beta in enumerate(inverse):
            hardest[t, part] = np.exp(beta * order - np.log(total[t, rows])[:, None]).sum(axis=1)
            for p, of_row in ((push, above[t, rows, None]), (other, above[t])):
                np.multiply(s, z.dtype.type(beta), out=p)
                p -= of_row
                np.exp(p, out=p)
            push += other
            squared[t, part] = square_gradients(unit, rows, push, log_q[t], beta)

    spaces = [np.empty((3, blocks[0].stop, n), dtype=z.dtype) for _ in range(count_available())]
    side = 2 * len(spaces)
    rounds = [[(b, b) for b in range(len(blocks))[k : k + side]] for k in range(0, len(blocks), side)]
    run(rounds, work, spaces, progress)
    return Anchors(drawn, nearest, hardest, squared, histograms.sum(axis=1), some)


def square_gradients(
    unit: Unit, rows: np.ndarray, push: np.ndarray, log_q: np.ndarray, beta: float
) -> np.ndarray:
    """‖∂𝓛/∂w‖² of these rows times the shortest row's ‖w‖². push: P_ij + P_ji of each row with all others."""
    z = unit.z
    pull = np.exp(log_q[rows]) + np.exp(log_q[rows ^ 1])
    # along the sphere, over the length of the row
    g = (push @ z).astype(np.float64) - pull[:, None] * z[rows ^ 1]
    g -= np.sum(g * z[rows], axis=1, keepdims=True) * z[rows]
    return np.sum(g * g, axis=1) * (beta / unit.size * (unit.length.min() / unit.length[rows])) ** 2


class Slopes(NamedTuple):
    """kept: cosines of anchors with all candidates (A, N), NONE at the anchor and its positive · positive (A,)."""

    kept: np.ndarray
    positive: np.ndarray

    def average(self, beta: float) -> float:
        """Return ∂𝓛/∂β over these anchors, the mean of q_i (Σ_j ω_ij s_ij − s_ip).
        [M7, R1]"""
        largest = self.kept.max(axis=1, keepdims=True)
        short = largest - self.kept
        weights = np.exp(-beta * short)
        total = weights.sum(axis=1, dtype=np.float64)
        mean = largest[:, 0] - np.vecdot(weights, short) / total
        margin = beta * (largest[:, 0] - self.positive) + np.log(total)
        return float(np.mean((mean - self.positive) * sigmoid(margin)))


def find_zero_slope(
    slopes: Sequence[Slopes], lowest: float, highest: float, inverse: np.ndarray, exact: np.ndarray
) -> float:
    """Return the β between lowest and highest at which the slope is 0.

    The slope over the kept anchors is corrected by its difference from the exact slope, known at `inverse`.
    """
    order = np.argsort(inverse)

    def sampled(beta: float) -> float:
        return float(np.mean([each.average(beta) for each in slopes]))

    differs = exact - np.array([sampled(beta) for beta in inverse])

    def slope(beta: float) -> float:
        return sampled(beta) + float(np.interp(np.log(beta), np.log(inverse[order]), differs[order]))

    low, high = np.log(lowest), np.log(highest)
    while high - low > 1e-5:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(np.exp(middle)) < 0 else (low, middle)
    return float(np.exp((low + high) / 2))
