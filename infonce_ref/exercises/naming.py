"""Which mistakes of the catalogue explain a file's numbers: those that fit to rounding at every batch."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations, product
from typing import Any

import numpy as np

from ..catalogue import FACTORS, MISTAKES, SOURCES, STEP, Factor, Mistake, build
from .exercise import Arguments, Arrays, Exercise, compute, probes
from .report import Comment

RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
MOST_PAIRED = 60  # mistakes beyond this number are not tried in pairs
STARTS = (1e-8, 1e-4, 1e-2, 0.1, 1.0, -1.0)  # for the number in a rewritten line

Told = Sequence[Arrays]  # a file's results at the probes
Mistakes = tuple[Mistake, ...]


def fits(told: Told, there: Told, times: Sequence[float] | None = None, tolerance: float = RIGHT) -> bool:
    """Whether every result is the one there, multiplied by `times`."""
    for factor, mine, others in zip(times or [1.0] * len(told), told, there):
        for a, b in zip(mine, others, strict=True):
            scale = FLOOR + np.max(np.abs(factor * b), initial=0)
            if a.shape != b.shape or not np.isfinite(scale):  # nothing is far from infinity
                return False
            if not np.all(np.abs(a - factor * b) <= tolerance * scale):
                return False
    return len(told) == len(there)


def is_right(exercise: Exercise, which: int, told: Told, tolerance: float = RIGHT) -> bool:
    """Whether values (which = 0) or gradients (1) are the right ones."""
    return fits(told, [probe.right[which] for probe in probes(exercise)], tolerance=tolerance)


@cache
def results(exercise: Exercise, which: int, mistakes: Mistakes, number: float | None = None) -> Told:
    """Those of the loss with mistakes at the probes; none if a mistake does not apply, or fails."""
    try:
        return [compute(exercise, which, probe.arguments, mistakes, number) for probe in probes(exercise)]
    except Exception:  # two mistakes may do anything
        return ()


def explain(exercise: Exercise, which: int, told: Told, alone: bool = False) -> list[Comment]:
    """Name the fewest mistakes that explain the values (which = 0) or gradients (1); none if no known ones do.
    alone: try single mistakes only.
    """
    known = [(m,) for m in MISTAKES if build(exercise.loss, (m,)) and (which or m.kind != "∂")]
    known = [
        mistakes for mistakes in known if not is_right(exercise, which, results(exercise, which, mistakes))
    ]
    # of a gradient, those of the gradient alone come first; those with a number, which explain others too, last
    known.sort(key=lambda mistakes: (mistakes[0].kind != "∂", mistakes[0].number is not None))
    factors, none = list_factors(exercise), [(None, None)]
    tries: list[Any] = [product(known, none)]
    if not alone:
        fixed = [mistakes for mistakes in known if mistakes[0].number is None]
        pairs = (one + other for one, other in combinations(fixed[:MOST_PAIRED], 2))
        tries += [product([()], factors), product(known, factors), product(pairs, none)]
    for mistakes, (factor, times) in chain(*tries):
        if len(mistakes) == 2 and is_right(exercise, which, results(exercise, which, mistakes)):
            continue  # two mistakes that cancel explain nothing
        for number in chain([None], measure(exercise, which, mistakes, told, times)):
            if fits(told, results(exercise, which, mistakes, number), times):
                named = [describe(exercise, mistake, number) for mistake in mistakes]
                return [*named, describe_factor(exercise, factor, which)] if factor else named
    return []


def describe(exercise: Exercise, mistake: Mistake, number: float | None) -> Comment:
    id, claim = f"{exercise.name}.{mistake.name}", mistake.claim(exercise.loss)
    return Comment(id, mistake.say(number), claim=claim, links=mistake.links)


def describe_factor(exercise: Exercise, factor: Factor, which: int) -> Comment:
    of, what = ("gradient_", "the gradient: ") if which else ("", "")
    return Comment(f"{exercise.name}.{of}{factor.name}", f"{what}{factor.sentence}")


@cache
def list_factors(exercise: Exercise) -> list[tuple[Factor, list[float]]]:
    """The factors that may be mistakes of this loss, each with its value at every probe."""
    right = ("mean_twice", "sum_for_mean") if "total(" in SOURCES[exercise.loss] else ("mean_for_sum",)
    found = []
    for factor in FACTORS:
        try:
            times = [factor.times(**measure_batch(arguments)) for arguments, _ in probes(exercise)]
        except (NameError, ZeroDivisionError):  # it has no temperature, or no features
            continue
        if factor.name not in right and np.all(np.isfinite(times)) and not np.allclose(times, 1):
            found.append((factor, times))
    return found


def measure_batch(arguments: Arguments) -> dict[str, float]:
    """The facts that a factor may depend on: pairs B, anchors N, candidates K, features d, the temperature."""
    first, array = next(iter(arguments.items()))
    n = len(array)
    candidates = {"bank": array, **arguments}["bank"]
    facts = {"B": n, "N": n, "K": len(candidates), "d": array.shape[-1]}
    if first in ("w", "z"):  # rows of both views
        facts |= {"B": n / 2, "K": n - (first == "w")}
    elif first == "image":  # anchors are images and texts
        facts["N"] = 2 * n
    elif "scores" in first:
        facts["K"] = facts.pop("d")
    return facts | {name: x for name, x in arguments.items() if name == "temperature"}


def measure(exercise: Exercise, which: int, mistakes: Mistakes, told: Told, times: Any) -> Iterator[float]:
    """Numbers in a rewritten line that explain one value, by Newton's method: the largest, as a hinge may be 0."""
    if which or all(m.number is None for m in mistakes) or not results(exercise, 0, mistakes):
        return
    place = int(np.argmax([np.max(np.abs(value)) for (value,) in told]))
    wanted = told[place][0].ravel()[0] / (times[place] if times else 1.0)
    for number in STARTS:
        for _ in range(20):
            (found,) = compute(exercise, 0, probes(exercise)[place].arguments, mistakes, number + STEP * 1j)
            value, slope = np.real(found.ravel()[0]), np.imag(found.ravel()[0]) / STEP
            if not np.isfinite(value) or slope == 0:
                break
            step = (value - wanted) / slope
            number -= step
            if abs(step) <= 1e-7 * abs(number):  # the next would be below rounding
                yield float(number)
                break
