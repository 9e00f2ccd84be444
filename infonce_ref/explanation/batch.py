"""From rows to a record: all pairs of them, or batches that are drawn."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import information
from ..arrays import positive_integer, positive_scalar, sigmoid, softplus
from ..pairs import Layout
from .advice import advice
from .anchors import BINS, KEPT, MOST, Anchors, Slopes, anchors, rest
from .record import LADDER, Explanation, Facts, Histogram, Near, Progress, Rest, Row, Typical, Worst
from .rows import BLOCK, Loaded, Unit, Views, unit, views
from .sweep import COLDEST, Pair, sweep

MANY = 2**19  # rows: all pairs of more take hours
DRAWN = 300  # negatives of one anchor
KERNEL = 4.0  # β at which e^{β s} = e^{2β} · e^{−2 ‖z_i − z_j‖²}: uniformity's t is 2               [R16]


def explained(
    loaded: Loaded,
    *,
    temperature: float = 0.1,
    temperatures: Sequence[float] = LADDER,
    layout: Layout = "concatenated",
    batch: int | None = None,
    draws: int = 16,
    top: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> Explanation:
    """`explain` of what came from files or from a caller."""
    given = views(loaded, layout)
    tau = _temperature("temperature", temperature)
    ladder = sorted({tau, *(_temperature("temperatures", x) for x in temperatures)}, reverse=True)
    if isinstance(top, bool) or not isinstance(top, int) or top < 0:
        raise ValueError(f"top must be a whole number that is not negative; got {top!r}")
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise ValueError(f"seed must be a whole number that is not negative; got {seed!r}")
    rng = np.random.default_rng(seed)
    if batch is None:
        if 2 * given.pairs > MANY:
            raise ValueError(
                f"{2 * given.pairs} rows make too many pairs to look at each; say how many pairs are in a batch of "
                "yours, for example --batch 4096 (batch=4096): such batches are then drawn"
            )
        looked = [_Looked(given, unit(given), ladder, tau, top, rng, progress, KEPT)]
    else:
        size, count = positive_integer("batch", batch), positive_integer("draws", draws)
        if not 2 <= size < given.pairs:
            raise ValueError(
                f"batch must be at least 2 pairs and fewer than all {given.pairs}; got {size}: "
                "leave it out to take all"
            )
        if 2 * size > MANY:
            raise ValueError(f"batch must be at most {MANY // 2} pairs; got {size}")
        looked = []
        for k, pairs in enumerate(_drawn(given.pairs, size, count, rng)):
            if progress:
                progress(f"{count} batches of {size} pairs", k, count)
            looked.append(_Looked(given, unit(given, pairs), ladder, tau, top, rng, None, KEPT // count))
    return _merged(given, looked, ladder, tau, top, drawn=batch is not None)


def _temperature(name: str, x: Any) -> float:
    tau = float(positive_scalar(name, x))
    if tau < COLDEST:
        raise ValueError(f"{name} must be at least {COLDEST}, below which e^(1/τ) overflows; got {tau}")
    return tau


def _drawn(pairs: int, size: int, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """That many batches, no pair in two of them if there are enough."""
    if size * count <= pairs:
        chosen = rng.choice(pairs, size * count, replace=False).reshape(count, size)
    else:
        chosen = np.stack([rng.choice(pairs, size, replace=False) for _ in range(count)])
    return list(np.sort(chosen, axis=1))


class _Looked:
    """One batch, looked at."""

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

        self.given, self.unit, self.n = given, rows, rows.size
        self.beta = 1 / np.array(ladder)
        z = rows.z
        self.positive = np.repeat(np.einsum("if,if->i", z[::2], z[1::2], dtype=np.float64), 2)
        self.sweep = sweep(rows, np.append(self.beta, KERNEL), top, progress=bar("every pair of rows"))
        total, moment = self.sweep.total[:-1], self.sweep.moment[:-1]
        # ℓ_i = softplus(log Σ_j e^{(s_ij − s_ip)/τ}) over the negatives, 1 − P_ip = its sigmoid           [R7]
        margin = np.log(total) - self.beta[:, None] * self.positive
        self.losses, self.q, log_q = softplus(margin), sigmoid(margin), -softplus(-margin)
        # q up to a factor, so that shares of the push are there where all q vanish
        self.push = np.exp(log_q - log_q.max(axis=1, keepdims=True))
        self.mean = moment / total  # Σ_j ω_ij s_ij
        # H = −Σ_j ω_ij log ω_ij of the shares ω_ij = e^{s_ij/τ} / Σ_n e^{s_in/τ}                     [M15, R17]
        self.entropy = np.log(total) - self.beta[:, None] * self.mean
        self.anchors: Anchors = anchors(
            rows, self.beta, total, log_q, rng, MOST, kept, bar("anchors, one by one")
        )
        some = self.anchors.drawn[: len(self.anchors.kept)]
        self.slopes = Slopes(self.anchors.kept, self.positive[some])
        # ∂𝓛/∂β = the mean of q_i (Σ_j ω_ij s_ij − s_ip)                                                   [M7, R1]
        self.slope = np.mean(self.q * (self.mean - self.positive), axis=1)
        self.alike = None
        if rows.labels is not None:
            # negatives of the anchor's label: all of it, but the anchor, and the positive if it has it too
            first, second = rows.labels[::2], rows.labels[1::2]
            self.alike = np.bincount(rows.labels)[rows.labels] - 1 - np.repeat(first == second, 2)
        self.at = ladder.index(tau)

    def table(self) -> tuple[list[Row], list[Row]]:
        """The rows, and the standard errors of what was seen of drawn anchors alone."""
        n, negatives = self.n, self.n - 2
        drawn = self.anchors.drawn
        rest_of_them = math.sqrt(max(0.0, 1 - len(drawn) / n) / len(drawn))
        rows, errors = [], []
        for t, beta in enumerate(self.beta):
            tau, push, loss = 1 / beta, self.push[t], float(self.losses[t].mean())
            weights = push[drawn] / push[drawn].mean()
            hardest = weights * self.anchors.hardest[t]
            squared = self.anchors.squared[t]
            norm = math.sqrt(n * squared.mean())
            same = chance = math.nan
            if self.alike is not None and self.sweep.alike is not None:
                same = float(np.sum(push * self.sweep.alike[t] / self.sweep.total[t]) / push.sum())
                chance = float(np.sum(push * self.alike) / push.sum() / negatives)
            rows.append(
                Row(
                    temperature=tau,
                    loss=loss,
                    # the mean of all rows; of each row                                                    [M4, M23]
                    floor=math.log1p(negatives * math.exp(-n / (negatives * tau))),
                    ceiling=2 / tau + math.log(negatives + math.exp(-2 / tau)),
                    factor=float(self.q[t].mean()),
                    effective_negatives=float(np.exp(self.entropy[t]).mean()),
                    hardest_share=float(hardest.mean()),
                    same_label_share=same,
                    same_label_chance=chance,
                    gradient_norm=norm,
                    slope=float(-self.slope[t] / tau**2),
                    information=float(information.bound("ntxent", loss, pairs=n // 2)),
                )
            )
            spread = np.std(hardest - hardest.mean() * weights), np.std(n * squared) / max(2 * norm, 1e-300)
            errors.append(
                Row(*[0.0] * len(Row._fields))._replace(
                    hardest_share=float(spread[0]) * rest_of_them,
                    gradient_norm=float(spread[1]) * rest_of_them,
                )
            )
        return rows, errors

    def facts(self) -> Facts:
        z, n = self.unit.z, self.n
        centre = z.sum(axis=0, dtype=np.float64)
        of_all = float(centre @ centre)  # Σ_ij s_ij
        kernel = (self.sweep.total[-1].sum() + np.exp(KERNEL * self.positive).sum()) / (n * (n - 1))
        return Facts(
            positive_similarity=float(self.positive.mean()),
            negative_similarity=float((of_all - n - self.positive.sum()) / (n * (n - 2))),
            beaten=float(np.mean(self.ahead() > 0)),
            # ‖z_i − z_p‖², and log Ξ at t = 2                                                             [R16]
            alignment=self.apart() / (n // 2),
            uniformity=min(math.log(kernel) - KERNEL, 0.0),
            least_uniformity=-KERNEL * n / (n - 1),
            centre=math.sqrt(of_all) / n,
            gap=2 * float(np.linalg.norm(z[::2].sum(axis=0, dtype=np.float64) - centre / 2)) / (n // 2),
            effective_rank=_effective_rank(z),
            shortest=float(self.unit.length.min()),
            mean_length=float(self.unit.length.mean()),
            longest=float(self.unit.length.max()),
            duplicates=float(self.sweep.duplicate_count),
            # one more than the number of an anchor's false negatives                                      [R13]
            label_floor=math.nan if self.alike is None else float(np.log1p(self.alike).mean()),
            other_layout=self.other_layout(),
        )

    def apart(self) -> float:
        """Σ ‖z − z′‖² over the pairs, from differences: where views nearly coincide 2 − 2 s has no digits left."""
        z, total = self.unit.z, 0.0
        for k in range(0, self.n, 2 * BLOCK):
            between = z[k : k + 2 * BLOCK : 2] - z[k + 1 : k + 2 * BLOCK : 2]
            total += float(np.vecdot(between, between).sum(dtype=np.float64))
        return total

    def other_layout(self) -> float:
        """The mean cosine of the pairs of a lone array, were it in the other layout."""
        z, half = self.unit.z, self.n // 2
        if len(self.given.names) > 1 or half < self.given.pairs:
            return math.nan
        if self.given.layout == "interleaved":
            return float(np.vecdot(z[:half], z[half:]).mean())
        # neighbours in each half; of an odd number of pairs those on both sides of the middle are left out
        halves = (z[::2], z[1::2][half % 2 :])
        return float(np.mean([np.vecdot(rows[: len(rows) - 1 : 2], rows[1::2]).mean() for rows in halves]))

    def ends(self) -> tuple[float, float]:
        """What settles where the slope by β is 0: the mean by which positives score above the means of their rows,
        and that by which the best candidates score above the positives.                                   [R1]"""
        z, n = self.unit.z, self.n
        of_row = z @ z.sum(axis=0, dtype=np.float64).astype(z.dtype)
        mean = (of_row.astype(np.float64) - 1) / (n - 1)
        return float(np.mean(self.positive - mean)), float(self.ahead().mean())

    def ahead(self) -> np.ndarray:
        """By how much each row's nearest negative is nearer than its positive, 0 if it is not; within rounding they
        are tied."""
        by = self.sweep.largest - self.positive
        return np.where(by > 16 * np.finfo(self.unit.z.dtype).eps, by, 0)

    def near(self, pairs: Sequence[Pair]) -> list[Near]:
        """These pairs of rows, told."""
        if not pairs:
            return []
        i, j, s = (np.array(x) for x in zip(*pairs))
        t, given, labels = self.at, self.given, self.unit.labels
        # P_ij + P_ji over its mean, as there are n (n − 2)/2 pairs of negatives                          [M5, M15]
        push = sum(self.push[t, k] * np.exp(self.beta[t] * s) / self.sweep.total[t, k] for k in (i, j))
        push = push / self.push[t].sum() * self.n * (self.n - 2) / 2
        rows = self.unit.rows
        return [
            Near(
                (given.place(rows[i]), given.place(rows[j])),
                (given.called(rows[i]), given.called(rows[j])),
                float(s),
                (float(self.positive[i]), float(self.positive[j])),
                float(times),
                None if labels is None else bool(labels[i] == labels[j]),
            )
            for (i, j, s), times in zip(pairs, push)
        ]

    def typical(self) -> Typical:
        """The row of the median loss."""
        i = int(np.argsort(self.losses[self.at])[self.n // 2])
        s = np.sort(np.delete(self.unit.z @ self.unit.z[i], [i, i ^ 1])).astype(np.float64)
        shown = np.unique(np.linspace(0, len(s) - 1, DRAWN).round().astype(int))
        whole = np.logaddexp(np.log(self.sweep.total[:-1, i]), self.beta * self.positive[i])
        name = self.given.called(self.unit.rows[i])
        return Typical(name, float(self.positive[i]), s[shown].tolist(), whole.tolist())

    def worst(self, top: int) -> list[Worst]:
        """The rows of the largest loss, each pair by its worse row."""
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
        return told


def _effective_rank(z: np.ndarray) -> float:
    """e^H of the singular values of the rows, divided by their sum (Roy and Vetterli, 2007)."""
    gram = z.T @ z if z.shape[1] <= z.shape[0] else z @ z.T
    values = np.sqrt(np.maximum(np.linalg.eigvalsh(gram.astype(np.float64)), 0))
    shares = values / values.sum()
    shares = shares[shares > 0]
    return float(np.exp(-np.sum(shares * np.log(shares))))


def _mean(parts: Sequence[Any]) -> tuple[Any, Any]:
    """Field by field the mean of some records, and its standard error."""
    kind, values = type(parts[0]), np.array(parts, dtype=np.float64)
    spread = values.std(axis=0, ddof=1) / math.sqrt(len(parts)) if len(parts) > 1 else values[0] * math.nan
    return kind(*map(float, values.mean(axis=0))), kind(*map(float, spread))


def _merged(
    given: Views, looked: Sequence[_Looked], ladder: Sequence[float], tau: float, top: int, drawn: bool
) -> Explanation:
    """One record of all batches."""
    if drawn:
        tables = [each.table()[0] for each in looked]
        table, errors = zip(*(_mean(rows) for rows in zip(*tables)))
        facts, fact_errors = _mean([each.facts() for each in looked])
        table = tuple(row._replace(temperature=x) for row, x in zip(table, ladder))
    else:
        rows, row_errors = looked[0].table()
        table, errors = tuple(rows), tuple(row_errors)
        table = tuple(row._replace(temperature=x) for row, x in zip(table, ladder))
        facts, fact_errors = looked[0].facts(), Facts(*[0.0] * len(Facts._fields))

    def best(kind: str) -> tuple[Near, ...]:
        told = [near for each in looked for near in each.near(getattr(each.sweep, kind))]
        unique = {near.rows: near for near in told}.values()
        return tuple(sorted(unique, key=lambda near: (-near.similarity, near.rows))[:top])

    worst = {x.rows: x for each in looked for x in each.worst(top)}.values()
    histograms = [each.anchors for each in looked]
    positives = np.histogram(np.concatenate([each.positive[::2] for each in looked]), BINS)[0]
    found = Explanation(
        pairs=given.pairs,
        features=given.first.shape[1],
        dtype=str(given.first.dtype),
        classes=len(given.classes),
        batch=looked[0].n // 2,
        draws=len(looked) if drawn else 0,
        anchors=len(looked[0].anchors.drawn),
        nearest=looked[0].anchors.nearest,
        temperature=tau,
        table=table,
        errors=tuple(errors),
        facts=facts,
        fact_errors=fact_errors,
        rest=_rest(looked, ladder),
        hardest=best("hardest"),
        labelled=best("labelled"),
        duplicates=best("duplicates"),
        worst=tuple(sorted(worst, key=lambda x: -x.loss)[:top]),
        advice=(),
        histogram=Histogram(
            BINS.tolist(),
            positives.tolist(),
            np.sum([x.histogram for x in histograms], axis=0).tolist(),
            None
            if given.labels is None
            else np.sum([x.alike for x in histograms if x.alike is not None], axis=0).tolist(),
        ),
        typical=looked[0].typical(),
    )
    return found._replace(advice=tuple(advice(found)))


def _rest(looked: Sequence[_Looked], ladder: Sequence[float]) -> Rest:
    """Where a learned temperature would stop: of several batches, by their mean loss.                       [R1]"""
    over_the_mean, behind = np.mean([each.ends() for each in looked], axis=0)
    if behind == 0 and over_the_mean < 16 * np.finfo(looked[0].unit.z.dtype).eps:
        return Rest(math.nan, 0.0, math.inf, looked[0].n)
    if behind == 0:
        return Rest(0.0, 0.0, ladder[-1], looked[0].n)
    if over_the_mean <= 0:
        return Rest(math.inf, ladder[0], math.inf, looked[0].n)
    beta, slope = looked[0].beta, np.mean([each.slope for each in looked], axis=0)
    candidates = looked[0].n - 1
    # R1: at least the mean by which positives are above the means of their rows, at most log A over the other end;
    # the slope rises with β, and at these is known
    lowest = max(over_the_mean, *beta[slope < 0], 0)
    highest = min(math.log(candidates) / behind, *beta[slope > 0], math.inf)
    found = rest([each.slopes for each in looked], lowest, max(lowest, highest), beta, slope)
    colder = [x for x, d in zip(ladder, slope) if d > 0]
    warmer = [x for x, d in zip(ladder, slope) if d <= 0]
    rows = len(looked[0].slopes.kept)
    return Rest(1 / found, max(colder, default=0.0), min(warmer, default=math.inf), rows)
