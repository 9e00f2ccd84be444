"""Which mistakes of the catalogue explain a file's numbers: those that fit to rounding at every batch."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from ..catalogue import FACTORS, MISTAKES, SOURCES, STEP, Factor, Mistake, build
from ..check.laws import measure_facts
from .exercise import Arrays, Exercise, compute, probes, translate
from .report import Comment

RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
MOST_PAIRED = 60  # mistakes beyond this number are not tried in pairs
STARTS = (1e-8, 1e-4, 1e-2, 0.1, 1.0, -1.0)  # for the number in a rewritten line
Told = Sequence[Arrays]  # at each of the probes the value, or the gradients
Mistakes = tuple[Mistake, ...]


@cache
def result(
    exercise: Exercise, which: int, place: int, mistakes: Mistakes, number: float | None
) -> np.ndarray:
    """The value (which = 0) or gradients (1) of the loss with mistakes at a probe; NaN if one does not apply."""
    try:
        return flatten(compute(exercise, which, probes(exercise)[place], mistakes, number))
    except Exception:  # two mistakes may do anything
        return np.array([np.nan])


def flatten(arrays: Arrays) -> np.ndarray:
    return np.concatenate([x.ravel() for x in arrays])


def fits(
    exercise: Exercise,
    which: int,
    told: Told,
    mistakes: Mistakes = (),
    number: float | None = None,
    times: Sequence[float] = (),
    tolerance: float = RIGHT,
) -> bool:
    """Whether values or gradients are those of the loss with mistakes, multiplied by `times`."""
    factors = times or [1.0] * len(told)
    for place, (mine, factor) in enumerate(zip(map(flatten, told), factors)):
        other = factor * result(exercise, which, place, mistakes, number)
        scale = FLOOR + np.max(np.abs(other))
        if mine.shape != other.shape or not np.isfinite(scale):  # nothing is far from infinity
            return False
        if not np.all(np.abs(mine - other) <= tolerance * scale):
            return False
    return True


def explain(exercise: Exercise, which: int, told: Told, alone: bool = False) -> list[Comment]:
    """Name the fewest mistakes that explain wrong values or gradients; none if no known ones do. alone: try single
    mistakes only.
    """
    known = [(m,) for m in MISTAKES if build(exercise.loss, (m,)) and (which or m.kind != "∂")]
    # of a gradient, those of the gradient alone come first; those with a number, which explain others too, last
    known.sort(key=lambda mistakes: (mistakes[0].kind != "∂", mistakes[0].number is not None))
    none: list[Any] = [(None, ())]
    tries: list[Any] = [product(known, none)]
    if not alone:
        fixed = [mistakes for mistakes in known if mistakes[0].number is None][:MOST_PAIRED]
        pairs = (one + other for one, other in combinations(fixed, 2))
        factors = list_factors(exercise)
        tries += [product([()], factors), product(known, factors), product(pairs, none)]
    for mistakes, (factor, times) in chain(*tries):
        for number in chain([None], measure(exercise, which, told, mistakes, times)):
            if fits(exercise, which, told, mistakes, number, times):
                return list(describe(exercise, which, mistakes, number, factor))
    return []


def describe(
    exercise: Exercise, which: int, mistakes: Mistakes, number: float | None, factor: Factor | None
) -> Iterator[Comment]:
    for m in mistakes:
        yield Comment(f"{exercise.name}.{m.name}", m.say(number), (), m.claim(exercise.loss), "", m.links)
    if factor:
        of, what = ("gradient_", "the gradient: ") if which else ("", "")
        yield Comment(f"{exercise.name}.{of}{factor.name}", f"{what}{factor.sentence}")


def list_factors(exercise: Exercise) -> list[tuple[Factor, list[float]]]:
    """The factors that may be mistakes of this loss, each with its value at every probe."""
    right = ("mean_twice", "sum_for_mean") if "total(" in SOURCES[exercise.loss] else ("mean_for_sum",)
    facts = [measure_facts(exercise.loss, translate(exercise, at)) for at in probes(exercise)]
    return [(f, [f.times(**each) for each in facts]) for f in FACTORS if f.name not in right]


def measure(
    exercise: Exercise, which: int, told: Told, mistakes: Mistakes, times: Sequence[float]
) -> Iterator[float]:
    """Numbers in a rewritten line that explain one value, by Newton's method: the largest, as a hinge may be 0."""
    fixed = all(m.number is None for m in mistakes)
    if which or fixed or np.isnan(result(exercise, 0, 0, mistakes, None)[0]):
        return
    place = int(np.argmax([np.max(np.abs(value)) for (value,) in told]))
    wanted = told[place][0].flat[0] / (times[place] if times else 1.0)
    for number in STARTS:
        for _ in range(20):
            (found,) = compute(exercise, 0, probes(exercise)[place], mistakes, number + STEP * 1j)
            value, slope = np.real(found.flat[0]), np.imag(found.flat[0]) / STEP
            step = (value - wanted) / slope if slope else np.nan
            number = float(number - step)
            if not abs(step) > 1e-7 * abs(number):  # the next would be below rounding
                yield number
                break
