"""From input arrays to an explanation: all pairs at once, or the mean over randomly drawn batches."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..checks import check_count, check_positive
from ..embeddings.rows import Loaded, unit, views
from ..pairs import Layout
from .advice import advise
from .anchors import KEPT, find_zero_slope
from .batch import Batch, Part
from .record import LADDER, Histogram, Progress, Record, Rest
from .sweep import COLDEST
from .text import render

MANY = 2**19  # rows; comparing all pairs of more would take hours


class Explanation(Record):
    """A record that prints itself as text."""

    __slots__ = ()

    def __str__(self) -> str:
        return render(self)


def explain(
    a: Any,
    b: Any = None,
    *,
    temperature: float = 0.1,
    labels: Any = None,
    temperatures: Sequence[float] = LADDER,
    layout: Layout = "concatenated",
    batch: int | None = None,
    draws: int = 16,
    top: int = 5,
    seed: int = 0,
    progress: Progress | None = None,
) -> Explanation:
    """Explain what NT-Xent does to this batch.

    a, b: two views (B, d) of the same things, row by row; or a alone, of 2B rows in a layout. float16, float32 or
    float64, NumPy or PyTorch, possibly memory-mapped · temperature: the one to explain in detail ·
    temperatures: the other rows of the table · labels: (B,) or (2B,), words or whole numbers · batch: pairs
    per batch; `draws` random batches are averaged; None: all pairs at once · top: how many pairs of each kind
    to list · seed: for the draws · progress(what, done, to_do): called from time to time.

    Raises ValueError for other arrays, NaN or zero rows, a temperature below 0.002, and more rows than can be
    compared pairwise in an hour.

    >>> import numpy as np
    >>> import infonce_ref
    >>> rng = np.random.default_rng(0)
    >>> things = rng.standard_normal((64, 8))
    >>> a, b = (things + 0.5 * rng.standard_normal((64, 8)) for _ in range(2))
    >>> found = infonce_ref.explain(a, b, temperature=0.1)
    >>> print(f"{found.row.loss:.3f} nats, {found.row.effective_negatives:.1f} of 126 negatives")
    1.894 nats, 13.0 of 126 negatives
    """
    # files have names of their own
    loaded = a if isinstance(a, Loaded) else Loaded(a, b, labels, ("a",) if b is None else ("a", "b"))
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
        part = Batch(given, unit(given), ladder, tau, top, rng, progress, KEPT).part(top)
        return _conclude(part.found, [part], ladder)
    size, count = check_count("batch", batch), check_count("draws", draws)
    if not 2 <= size < given.pairs:
        raise ValueError(
            f"batch must be at least 2 pairs and fewer than all {given.pairs}; got {size}: omit it to use all"
        )
    if 2 * size > MANY:
        raise ValueError(f"batch must be at most {MANY // 2} pairs; got {size}")
    parts = []
    for k, pairs in enumerate(_draw(given.pairs, size, count, rng)):
        if progress:
            progress(f"{count} batches of {size} pairs", k, count)
        batch_of = Batch(given, unit(given, pairs), ladder, tau, top, rng, None, KEPT // count)
        parts.append(batch_of.part(top))
    return _conclude(_average([part.found for part in parts], ladder, top), parts, ladder)


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


def _average(batches: Sequence[Record], ladder: Sequence[float], top: int) -> Record:
    """Average over batches; of the lists of rows, keep the first of all."""
    table, errors = zip(*(_mean(rows) for rows in zip(*(found.table for found in batches))))
    facts, fact_errors = _mean([found.facts for found in batches])

    def first(kind: str, order: Any) -> tuple[Any, ...]:
        unique = {x.rows: x for found in batches for x in getattr(found, kind)}.values()
        return tuple(sorted(unique, key=order)[:top])

    edges, *counts = zip(*(found.histogram for found in batches))
    summed: list[Any] = [None if each[0] is None else np.sum(each, axis=0).tolist() for each in counts]
    nearest: dict[str, Any] = {
        kind: first(kind, lambda near: (-near.similarity, near.rows))
        for kind in ("hardest", "labelled", "duplicates")
    }
    return batches[0]._replace(
        draws=len(batches),
        table=tuple(row._replace(temperature=x) for row, x in zip(table, ladder)),
        errors=errors,
        facts=facts,
        fact_errors=fact_errors,
        worst=first("worst", lambda worst: -worst.loss),
        histogram=Histogram(edges[0], *summed),
        **nearest,
    )


def _conclude(found: Record, parts: Sequence[Part], ladder: Sequence[float]) -> Explanation:
    """Add where a learned temperature would stop, and the advice."""
    found = found._replace(rest=_find_rest(parts, ladder))
    return Explanation(*found._replace(advice=tuple(advise(found))))


def _find_rest(parts: Sequence[Part], ladder: Sequence[float]) -> Rest:
    """Return where a learned temperature would stop, for the mean loss of the batches.                      [R1]"""
    rows, kept = 2 * parts[0].found.batch, len(parts[0].slopes.kept)
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
