"""One batch of pairs: from its unit rows to the numbers reported about it."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .. import information
from ..elementary import sigmoid, softplus
from ..embeddings.rows import BLOCK, Unit, Views
from ..floors import least
from .anchors import BINS, MOST, Slopes, anchors
from .record import Facts, Histogram, Near, Progress, Record, Rest, Row, Typical, Worst
from .sweep import Pair, sweep

DRAWN = 300  # negatives of one anchor
KERNEL = 4.0  # β at which e^{β s} = e^{2β} · e^{−2 ‖z_i − z_j‖²}: uniformity's t is 2               [R16]


class Part(NamedTuple):
    """The results of a batch, without its rows. found: its explanation, without rest and advice · rounding: error
    of the cosines · slope: ∂𝓛/∂β at each temperature · slopes: ∂𝓛/∂β of some anchors, to interpolate between
    these · ends: the limits of ∂𝓛/∂β at β = 0 and ∞.
    """

    found: Record
    rounding: float
    slope: np.ndarray
    slopes: Slopes
    ends: tuple[float, float]


class Batch:
    """The sums of one batch at each temperature of the ladder, and the numbers computed from them."""

    def __init__(
        self,
        given: Views,
        rows: Unit,
        ladder: Sequence[float],
        tau: float,
        top: int,
        rng: np.random.Generator,
        progress: Progress | None,
        kept: int,
    ) -> None:
        def bar(words: str) -> Any:
            return partial(progress, words) if progress else None

        self.given, self.unit, self.n, self.ladder = given, rows, rows.size, ladder
        self.beta = 1 / np.array(ladder)
        z = rows.z
        self.rounding = 16 * float(np.finfo(z.dtype).eps)
        self.positive = np.repeat(np.einsum("if,if->i", z[::2], z[1::2], dtype=np.float64), 2)
        self.sweep = sweep(rows, np.append(self.beta, KERNEL), top, progress=bar("every pair of rows"))
        total, moment = self.sweep.total[:-1], self.sweep.moment[:-1]
        # ℓ_i = softplus(log Σ_j e^{(s_ij − s_ip)/τ}) over the negatives, 1 − P_ip = its sigmoid           [R7]
        margin = np.log(total) - self.beta[:, None] * self.positive
        self.losses, self.q, log_q = softplus(margin), sigmoid(margin), -softplus(-margin)
        # q rescaled by its maximum, so that shares stay defined when every q underflows
        self.push = np.exp(log_q - log_q.max(axis=1, keepdims=True))
        self.mean = moment / total  # Σ_j ω_ij s_ij
        # H = −Σ_j ω_ij log ω_ij of the shares ω_ij = e^{s_ij/τ} / Σ_n e^{s_in/τ}                     [M15, R17]
        self.entropy = np.log(total) - self.beta[:, None] * self.mean
        self.anchors = anchors(rows, self.beta, total, log_q, rng, MOST, kept, bar("anchors, one by one"))
        some = self.anchors.drawn[: len(self.anchors.kept)]
        self.slopes = Slopes(self.anchors.kept, self.positive[some])
        # ∂𝓛/∂β = the mean of q_i (Σ_j ω_ij s_ij − s_ip)                                                   [M7, R1]
        self.slope = np.mean(self.q * (self.mean - self.positive), axis=1)
        self.alike = None
        if rows.labels is not None:
            # negatives with the anchor's label: all of that label except the anchor, and the positive if it
            # shares it
            first, second = rows.labels[::2], rows.labels[1::2]
            self.alike = np.bincount(rows.labels)[rows.labels] - 1 - np.repeat(first == second, 2)
        self.at = ladder.index(tau)

    def part(self, top: int) -> Part:
        """Return all results."""
        given = self.given
        table, errors = zip(*map(self.row, range(len(self.ladder))))
        found = Record(
            pairs=given.pairs,
            features=given.first.shape[1],
            dtype=str(given.first.dtype),
            classes=len(given.classes),
            batch=self.n // 2,
            draws=0,
            anchors=len(self.anchors.drawn),
            nearest=self.anchors.nearest,
            temperature=self.ladder[self.at],
            table=table,
            errors=errors,
            facts=self.facts(),
            fact_errors=Facts(*[0.0] * len(Facts._fields)),
            rest=Rest(math.nan, 0.0, math.inf, self.n),
            worst=self.describe_worst(top),
            advice=(),
            histogram=Histogram(
                BINS.tolist(),
                np.histogram(self.positive[::2], BINS)[0].tolist(),
                self.anchors.histograms[0].tolist(),
                None if self.alike is None else self.anchors.histograms[1].tolist(),
            ),
            typical=self.describe_typical(),
            **{kind: self.describe_near(pairs) for kind, pairs in self.sweep.near.items()},
        )
        return Part(found, self.rounding, self.slope, self.slopes, self.measure_ends())

    def row(self, t: int) -> tuple[Row, Row]:
        """Return a row of the table, and the standard errors of the quantities that only drawn anchors have."""
        n, negatives = self.n, self.n - 2
        drawn = self.anchors.drawn
        rest_of_them = math.sqrt(max(0.0, 1 - len(drawn) / n) / len(drawn))
        tau, push, loss = self.ladder[t], self.push[t], float(self.losses[t].mean())
        weights = push[drawn] / push[drawn].mean()
        hardest = weights * self.anchors.hardest[t]
        squared, shortest = self.anchors.squared[t], float(self.unit.length.min())
        norm = math.sqrt(n * squared.mean())
        same = chance = math.nan
        if self.alike is not None:
            same = float(np.sum(push * self.sweep.alike[t] / self.sweep.total[t]) / push.sum())
            chance = float(np.sum(push * self.alike) / push.sum() / negatives)
        row = Row(
            temperature=tau,
            loss=loss,
            # over all rows; of each row                                                        [M4, M23]
            floor=least("ntxent", pairs=n // 2, features=self.unit.z.shape[1], temperature=tau).value,
            ceiling=2 / tau + math.log(negatives + math.exp(-2 / tau)),
            factor=float(self.q[t].mean()),
            effective_negatives=float(np.exp(self.entropy[t]).mean()),
            hardest_share=float(hardest.mean()),
            same_label_share=same,
            same_label_chance=chance,
            gradient_norm=norm / shortest,
            slope=float(-self.slope[t] / tau**2),
            information=float(information.bound("ntxent", loss, pairs=n // 2)),
        )
        spread = np.std(hardest - hardest.mean() * weights), np.std(n * squared) / max(2 * norm, 1e-300)
        return row, Row(*[0.0] * len(Row._fields))._replace(
            hardest_share=float(spread[0]) * rest_of_them,
            gradient_norm=float(spread[1]) * rest_of_them / shortest,
        )

    def facts(self) -> Facts:
        z, n = self.unit.z, self.n
        centre = z.sum(axis=0, dtype=np.float64)
        of_all = float(centre @ centre)  # Σ_ij s_ij
        kernel = (self.sweep.total[-1].sum() + np.exp(KERNEL * self.positive).sum()) / (n * (n - 1))
        return Facts(
            positive_similarity=float(self.positive.mean()),
            negative_similarity=float((of_all - n - self.positive.sum()) / (n * (n - 2))),
            beaten=float(np.mean(self.measure_lead() > 0)),
            # ‖z_i − z_p‖², and log Ξ at t = 2                                                             [R16]
            alignment=self.measure_distances() / (n // 2),
            uniformity=min(math.log(kernel) - KERNEL, 0.0),
            least_uniformity=-KERNEL * n / (n - 1),
            centre=math.sqrt(of_all) / n,
            gap=2 * float(np.linalg.norm(z[::2].sum(axis=0, dtype=np.float64) - centre / 2)) / (n // 2),
            effective_rank=_effective_rank(z),
            shortest=float(self.unit.length.min()),
            mean_length=float(self.unit.length.mean()),
            longest=float(self.unit.length.max()),
            duplicates=float(self.sweep.duplicates),
            # one more than the number of an anchor's false negatives                                      [R13]
            label_floor=math.nan if self.alike is None else float(np.log1p(self.alike).mean()),
            other_layout=self.measure_other_layout(),
        )

    def measure_distances(self) -> float:
        """Return Σ ‖z − z′‖² over the pairs, from differences: 2 − 2s would cancel for views that nearly
        coincide."""
        z, total = self.unit.z, 0.0
        for k in range(0, self.n, 2 * BLOCK):
            between = z[k : k + 2 * BLOCK : 2] - z[k + 1 : k + 2 * BLOCK : 2]
            total += float(np.vecdot(between, between).sum(dtype=np.float64))
        return total

    def measure_other_layout(self) -> float:
        """Return the mean cosine of the pairs that a single array would have in the other layout."""
        z, half = self.unit.z, self.n // 2
        if len(self.given.names) > 1 or half < self.given.pairs:
            return math.nan
        if self.given.layout == "interleaved":
            return float(np.vecdot(z[:half], z[half:]).mean())
        # neighbours in each half; if the number of pairs is odd, those next to the middle are left out
        halves = (z[::2], z[1::2][half % 2 :])
        return float(np.mean([np.vecdot(rows[: len(rows) - 1 : 2], rows[1::2]).mean() for rows in halves]))

    def measure_ends(self) -> tuple[float, float]:
        """Return the slope by β at its two ends: how far positives score above the mean of their row, and how far
        the best candidates score above the positives, on average.                                         [R1]"""
        z, n = self.unit.z, self.n
        of_row = z @ z.sum(axis=0, dtype=np.float64).astype(z.dtype)
        mean = (of_row.astype(np.float64) - 1) / (n - 1)
        return float(np.mean(self.positive - mean)), float(self.measure_lead().mean())

    def measure_lead(self) -> np.ndarray:
        """Return how much nearer each row's nearest negative is than its positive; 0 if it is not, or within
        rounding."""
        by = self.sweep.largest - self.positive
        return np.where(by > self.rounding, by, 0)

    def describe_near(self, pairs: Sequence[Pair]) -> tuple[Near, ...]:
        """Describe these pairs of rows."""
        if not pairs:
            return ()
        i, j, s = (np.array(x) for x in zip(*pairs))
        t, given, labels = self.at, self.given, self.unit.labels
        # P_ij + P_ji over its mean, as there are n (n − 2)/2 pairs of negatives                          [M5, M15]
        push = sum(self.push[t, k] * np.exp(self.beta[t] * s) / self.sweep.total[t, k] for k in (i, j))
        push = push / self.push[t].sum() * self.n * (self.n - 2) / 2
        rows = self.unit.rows
        return tuple(
            Near(
                (given.place(rows[i]), given.place(rows[j])),
                (given.called(rows[i]), given.called(rows[j])),
                float(s),
                (float(self.positive[i]), float(self.positive[j])),
                float(times),
                None if labels is None else bool(labels[i] == labels[j]),
            )
            for (i, j, s), times in zip(pairs, push)
        )

    def describe_typical(self) -> Typical:
        """Describe the row with the median loss."""
        i = int(np.argsort(self.losses[self.at])[self.n // 2])
        s = np.sort(np.delete(self.unit.z @ self.unit.z[i], [i, i ^ 1])).astype(np.float64)
        shown = np.unique(np.linspace(0, len(s) - 1, DRAWN).round().astype(int))
        whole = np.logaddexp(np.log(self.sweep.total[:-1, i]), self.beta * self.positive[i])
        name = self.given.called(self.unit.rows[i])
        return Typical(name, float(self.positive[i]), s[shown].tolist(), whole.tolist())

    def describe_worst(self, top: int) -> tuple[Worst, ...]:
        """Describe the pairs with the largest loss, each by its worse row."""
        order = np.argsort(-self.losses[self.at].reshape(-1, 2).max(axis=1), kind="stable")[:top]
        z, rows, told = self.unit.z, self.unit.rows, []
        for pair in order:
            i = 2 * pair + int(np.argmax(self.losses[self.at, 2 * pair : 2 * pair + 2]))
            s = z @ z[i]
            s[[i, i ^ 1]] = -2
            j = int(s.argmax())
            place, called = self.given.place, self.given.called
            told.append(
                Worst(
                    (place(rows[i]), place(rows[i ^ 1])),
                    (called(rows[i]), called(rows[i ^ 1])),
                    float(self.positive[i]),
                    place(rows[j]),
                    called(rows[j]),
                    float(s[j]),
                    float(self.losses[self.at, i]),
                )
            )
        return tuple(told)


def _effective_rank(z: np.ndarray) -> float:
    """Return e to the entropy of the normalised singular values (Roy and Vetterli, 2007)."""
    gram = z.T @ z if z.shape[1] <= z.shape[0] else z @ z.T
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(gram.astype(np.float64)), 0))
    shares = values / values.sum()
    shares = shares[shares > 0]
    return float(np.exp(-np.sum(shares * np.log(shares))))
