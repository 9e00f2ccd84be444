"""The engine's last tier: the mistakes of the catalogue, each made and compared.

The results of a function at several batches are compared with those of the reference text with each mistake in it,
alone and in pairs, and with their multiples. A name is given only if everything fits to rounding at every batch.
This tier runs after reduction, layout and form are settled, because a mistake in one loss may be correct in
another.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..mistakes.entry import Arguments, Entry, Mistake, convert_to_arrays, edit, order, run_text
from .factors import Factor, Facts, list_factors
from .names import Difference

RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
MOST_PAIRED = 60  # mistakes beyond this number are not tried in pairs

Arrays = tuple[np.ndarray, ...]


class Points(NamedTuple):
    """Batches for an entry, with the right values (which = 0) and gradients (1)."""

    entry: Entry
    arguments: tuple[Arguments, ...]
    right: tuple[tuple[Arrays, ...], tuple[Arrays, ...]]
    tolerance: float = RIGHT
    kept: tuple[int, ...] = ()  # which gradients are compared; all if empty

    @property
    def facts(self) -> list[Facts]:
        return [measure_batch(arguments) for arguments in self.arguments]


def prepare(entry: Entry, arguments: Sequence[Arguments], tolerance: float = RIGHT) -> Points:
    answers = [entry.answer(each) for each in arguments]
    return Points(
        entry,
        tuple(arguments),
        (tuple((value,) for value, _ in answers), tuple(gradients for _, gradients in answers)),
        tolerance,
    )


def restrict(points: Points, kept: tuple[int, ...]) -> Points:
    """Return the points with only some of the gradients, by index."""
    values, gradients = points.right
    chosen = tuple(tuple(slopes[k] for k in kept) for slopes in gradients)
    return points._replace(right=(values, chosen), kept=kept)


def measure_batch(arguments: Mapping[str, Any]) -> Facts:
    """The facts that a factor may depend on: the numbers of anchors and features, and the temperature."""
    name, first = next(iter(arguments.items()))
    facts = {"rows": len(first)}
    if "scores" not in name:
        facts["features"] = first.shape[-1]
    if "temperature" in arguments:
        facts["temperature"] = arguments["temperature"]
    return facts


def compute(points: Points, which: int, mistakes: Sequence[Mistake]) -> tuple[Arrays, ...] | None:
    """Evaluate the text with these mistakes at each batch; None if it does not run."""
    entry = points.entry
    text = edit(entry.text, [each for mistake in mistakes for each in mistake.edits])
    if text is None:
        return None
    right = run_text(entry.text, entry.functions)[which]
    try:
        wrong = run_text(text, entry.functions)[which]
        with np.errstate(all="ignore"):
            made = (convert_to_arrays(wrong(*order(right, arguments))) for arguments in points.arguments)
            return tuple(tuple(x[k] for k in points.kept) if which and points.kept else x for x in made)
    except Exception:  # the text with two mistakes may not run
        return None


def is_multiple(
    got: Sequence[Arrays], wanted: Sequence[Arrays], tolerance: float, times: Sequence[float] = ()
) -> bool:
    """Return whether every result is the wanted one multiplied by `times`, at each batch."""
    for k, (here, there) in enumerate(zip(got, wanted, strict=True)):
        factor = times[k] if times else 1.0
        if np.isnan(factor) or len(here) != len(there):
            return False
        for a, b in zip(here, there):
            scale = FLOOR + np.max(np.abs(factor * b), initial=0)
            if a.shape != b.shape or not np.all(np.isfinite(b)):
                return False
            if not np.all(np.abs(a - factor * b) <= tolerance * scale):
                return False
    return True


def is_right(points: Points, which: int, got: Sequence[Arrays]) -> bool:
    return len(got) == len(points.arguments) and is_multiple(got, points.right[which], points.tolerance)


class Attempt(NamedTuple):
    """Mistakes, a factor, and the results at each batch."""

    mistakes: tuple[Mistake, ...]
    factor: Factor | None
    made: Sequence[Arrays]
    times: Sequence[float] = ()


def attempts(points: Points, which: int) -> Iterator[Attempt]:
    """Possible explanations: one mistake; a factor; a factor and a mistake; two mistakes."""
    clean = points.right[which]
    made = ((mistake, compute(points, which, (mistake,))) for mistake in points.entry.mistakes)
    alone = [(m, x) for m, x in made if x is not None and not is_multiple(x, clean, points.tolerance)]
    if which:  # mistakes of the gradient alone come first
        alone.sort(key=lambda each: not is_right(points, 0, compute(points, 0, each[:1]) or ()))
    factors = list_factors(points.entry.reduction, points.facts)
    scales = [(factor, [factor.times(facts) for facts in points.facts]) for factor in factors]
    yield from (Attempt((m,), None, x) for m, x in alone)
    yield from (Attempt((), factor, clean, times) for factor, times in scales)
    for m, x in alone:
        yield from (Attempt((m,), f, x, times) for f, times in scales if f.name != "zero")
    for pair in combinations([m for m, _ in alone[:MOST_PAIRED]], 2):
        both = compute(points, which, pair)
        # two mistakes that cancel explain nothing
        if both is not None and not is_multiple(both, clean, points.tolerance):
            yield Attempt(pair, None, both)


def name(points: Points, which: int, got: Sequence[Arrays], alone: bool = False) -> list[Difference]:
    """Return the fewest mistakes that explain the loss (which = 0) or the gradient (1) at every batch; none if no
    known ones do. With `alone` a single mistake is tried, without a factor."""
    for mistakes, factor, made, times in attempts(points, which):
        if alone and factor:  # which comes before two mistakes
            break
        if is_multiple(got, made, points.tolerance, times):
            found = [Difference(words(m.name), m.sentence, m.name, m.claim, m.links) for m in mistakes]
            return [*found, name_factor(factor, which)] if factor else found
    return []


def name_factor(factor: Factor, which: int) -> Difference:
    of_gradient = "gradient " if which else ""
    what = "the gradient: " if which else ""
    return Difference(f"{of_gradient}{factor.name}", f"{what}{factor.sentence}")


def words(slug: str) -> str:
    """Turn a name of the catalogue into words."""
    return slug.replace("_", " ")
