"""From input arrays to an explanation: all pairs at once, or the mean over randomly drawn batches."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..checks import check_count, check_positive
from ..embeddings.rows import Loaded, Views, unit, views
from ..pairs import Layout
from .advice import advise
from .anchors import BINS, KEPT, find_zero_slope
from .batch import Batch, Part
from .record import Facts, Histogram, Near, Progress, Rest
from .sweep import COLDEST
from .text import Explanation

MANY = 2**19  # rows; comparing all pairs of more would take hours


def explain_views(
    loaded: Loaded,
    *,
    temperature: float,
    temperatures: Sequence[float],
    layout: Layout,
    batch: int | None,
    draws: int,
    top: int,
    seed: int,
    progress: Progress | None,
) -> Explanation:
    """Explain embeddings from files or from a caller."""
    given = views(loaded, layout)
    tau = _temperature("temperature", temperature)
    ladder = sorted({tau, *(_temperature("temperatures", x) for x in temperatures)}, reverse=True)
    for name, x in (("top", top), ("seed", seed)):
        if isinstance(x, bool) or not isinstance(x, int) or x < 0:
            raise ValueError(f"{name} must be a whole number that is not negative; got {x!r}")
    rng = np.random.default_rng(seed)
    if batch is None:
        if 2 * given.pairs > MANY:
            raise ValueError(
                f"{2 * given.pairs} rows make too many pairs to compare them all; pass the number of pairs "
                "in one of your batches, for example --batch 4096 (batch=4096), to average over random batches"
            )
        parts = [Batch(given, unit(given), ladder, tau, top, rng, progress, KEPT).part(top)]
    else:
        size, count = check_count("batch", batch), check_count("draws", draws)
        if not 2 <= size < given.pairs:
            raise ValueError(
                f"batch must be at least 2 pairs and fewer than all {given.pairs}; got {size}: "
                "omit it to use all"
            )
        if 2 * size > MANY:
            raise ValueError(f"batch must be at most {MANY // 2} pairs; got {size}")
        parts = []
        for k, pairs in enumerate(_draw(given.pairs, size, count, rng)):
            if progress:
                progress(f"{count} batches of {size} pairs", k, count)
            batch_of = Batch(given, unit(given, pairs), ladder, tau, top, rng, None, KEPT // count)
            parts.append(batch_of.part(top))
    return _merge(given, parts, ladder, tau, top, drawn=batch is not None)


def _temperature(name: str, x: Any) -> float:
    tau = float(check_positive(name, x))
    if tau < COLDEST:
        raise ValueError(f"{name} must be at least {COLDEST}, below which e^(1/τ) overflows; got {tau}")
    return tau


def _draw(pairs: int, size: int, count: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Draw `count` batches, disjoint if there are enough pairs."""
    if size * count <= pairs:
        chosen = rng.choice(pairs, size * count, replace=False).reshape(count, size)
    else:
        chosen = np.stack([rng.choice(pairs, size, replace=False) for _ in range(count)])
    return list(np.sort(chosen, axis=1))


def _mean(parts: Sequence[Any]) -> tuple[Any, Any]:
    """Return the mean of some records, field by field, and its standard error."""
    kind, values = type(parts[0]), np.array(parts, dtype=np.float64)
    spread = values.std(axis=0, ddof=1) / math.sqrt(len(parts)) if len(parts) > 1 else values[0] * math.nan
    return kind(*map(float, values.mean(axis=0))), kind(*map(float, spread))


def _merge(
    given: Views, parts: Sequence[Part], ladder: Sequence[float], tau: float, top: int, drawn: bool
) -> Explanation:
    """Merge all batches into one explanation."""
    first = parts[0]
    if drawn:
        table, errors = zip(*(_mean(rows) for rows in zip(*(part.table for part in parts))))
        facts, fact_errors = _mean([part.facts for part in parts])
    else:
        table, errors = tuple(first.table), tuple(first.errors)
        facts, fact_errors = first.facts, Facts(*[0.0] * len(Facts._fields))

    def best(kind: str) -> tuple[Near, ...]:
        unique = {near.rows: near for part in parts for near in part.near[kind]}.values()
        return tuple(sorted(unique, key=lambda near: (-near.similarity, near.rows))[:top])

    worst = {x.rows: x for part in parts for x in part.worst}.values()
    positives, negatives, *alike = (
        np.sum(counts, axis=0).tolist()
        for counts in zip(*(part.histograms for part in parts))
        if counts[0] is not None
    )
    found = Explanation(
        pairs=given.pairs,
        features=given.first.shape[1],
        dtype=str(given.first.dtype),
        classes=len(given.classes),
        batch=first.rows // 2,
        draws=len(parts) if drawn else 0,
        anchors=first.anchors,
        nearest=first.nearest,
        temperature=tau,
        table=tuple(row._replace(temperature=x) for row, x in zip(table, ladder)),
        errors=tuple(errors),
        facts=facts,
        fact_errors=fact_errors,
        rest=_find_rest(parts, ladder),
        hardest=best("hardest"),
        labelled=best("labelled"),
        duplicates=best("duplicates"),
        worst=tuple(sorted(worst, key=lambda x: -x.loss)[:top]),
        advice=(),
        histogram=Histogram(BINS.tolist(), positives, negatives, alike[0] if alike else None),
        typical=first.typical,
    )
    return found._replace(advice=tuple(advise(found)))


def _find_rest(parts: Sequence[Part], ladder: Sequence[float]) -> Rest:
    """Return where a learned temperature would stop, for the mean loss of the batches.                      [R1]"""
    rows, kept = parts[0].rows, len(parts[0].slopes.kept)
    over_the_mean, behind = np.mean([part.ends for part in parts], axis=0)
    if behind == 0 and over_the_mean < parts[0].rounding:
        return Rest(math.nan, 0.0, math.inf, rows)
    if behind == 0:
        return Rest(0.0, 0.0, ladder[-1], rows)
    if over_the_mean <= 0:
        return Rest(math.inf, ladder[0], math.inf, rows)
    beta, slope = 1 / np.array(ladder), np.mean([part.slope for part in parts], axis=0)
    # R1 bounds the root of the slope: β ≥ mean lead of the positives over their rows, β ≤ log A / mean lead
    # of the best candidates; the slope rises with β, so the temperatures of the table narrow the bracket
    lowest = max(over_the_mean, *beta[slope < 0], 0)
    highest = min(math.log(rows - 1) / behind, *beta[slope > 0], math.inf)
    found = find_zero_slope([part.slopes for part in parts], lowest, max(lowest, highest), beta, slope)
    colder = [x for x, d in zip(ladder, slope) if d > 0]
    warmer = [x for x, d in zip(ladder, slope) if d <= 0]
    return Rest(1 / found, max(colder, default=0.0), min(warmer, default=math.inf), kept)
