"""Which mistakes of the catalogue explain a file's numbers: those that fit to rounding at every batch."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from ..catalogue import FACTORS, SOURCES, STEP, Factor, Mistake
from .comments import Comment
from .exercise import Arguments, Arrays, Exercise, known, probes, program

RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
MOST_PAIRED = 60  # mistakes beyond this number are not tried in pairs
STARTS = (1e-8, 1e-4, 1e-2, 0.1, 1.0, -1.0)  # for the number in a rewritten line

Told = Sequence[Arrays]  # a file's results at the probes
Mistakes = tuple[Mistake, ...]


def is_right(exercise: Exercise, which: int, told: Told, tolerance: float = RIGHT) -> bool:
    """Whether values (which = 0) or gradients (1) are the right ones."""
    return fits(told, results(exercise, which, ()), tolerance=tolerance)


@cache
def results(exercise: Exercise, which: int, mistakes: Mistakes, number: float | None = None) -> Told:
    """Those of the loss with mistakes at the probes; none if a mistake does not apply, or fails."""
    answer = program(exercise, mistakes)
    try:
        return [answer(which, probe.arguments, number) for probe in probes(exercise)] if answer else ()
    except Exception:  # two mistakes may do anything
        return ()


def fits(told: Told, there: Told, times: Sequence[float] = (), tolerance: float = RIGHT) -> bool:
    """Whether every result is the one there, multiplied by `times`."""
    for place, here in enumerate(zip(told, there)):
        factor = times[place] if times else 1.0
        for a, b in zip(*here, strict=True):
            scale = FLOOR + np.max(np.abs(factor * b), initial=0)
            if a.shape != b.shape or not np.all(np.abs(a - factor * b) <= tolerance * scale):
                return False
    return len(told) == len(there)


def name(exercise: Exercise, which: int, told: Told, one: bool = False) -> list[Comment]:
    """The fewest mistakes that explain the values (which = 0) or gradients (1); none if no known ones do. one: try
    single mistakes alone.
    """
    for mistakes, factor, times in attempts(exercise, which, one):
        measured = which == 0 and any(mistake.number is not None for mistake in mistakes)
        for number in (None, *(measure(exercise, mistakes, told, times) if measured else ())):
            if fits(told, results(exercise, which, mistakes, number), times):
                names = [describe(exercise, mistake, number) for mistake in mistakes]
                return [*names, describe_factor(exercise, factor, which)] if factor else names
    return []


def describe(exercise: Exercise, mistake: Mistake, number: float | None) -> Comment:
    id, claim = f"{exercise.name}.{mistake.name}", mistake.claim(exercise.loss)
    return Comment(id, mistake.say(number), claim=claim, links=mistake.links)


def describe_factor(exercise: Exercise, factor: Factor, which: int) -> Comment:
    of, what = ("gradient_", "the gradient: ") if which else ("", "")
    return Comment(f"{exercise.name}.{of}{factor.name}", f"{what}{factor.sentence}")


def attempts(
    exercise: Exercise, which: int, one: bool
) -> Iterator[tuple[Mistakes, Factor | None, Sequence[float]]]:
    """Possible explanations: one mistake; a factor; a mistake and a factor; two mistakes."""
    right = [probe.right[which] for probe in probes(exercise)]
    alone = [m for m in known(exercise) if which or m.kind != "∂"]
    alone = [m for m in alone if not fits(right, results(exercise, which, (m,)))]
    alone.sort(key=lambda m: m.kind != "∂")  # of a gradient, those of the gradient alone come first
    yield from (((m,), None, ()) for m in alone)
    if one:
        return
    factors = list_factors(exercise)
    yield from (((), factor, times) for factor, times in factors)
    yield from (((m,), factor, times) for m in alone for factor, times in factors)
    paired = [m for m in alone if m.number is None][:MOST_PAIRED]
    for pair in combinations(paired, 2):
        if not fits(right, results(exercise, which, pair)):  # two mistakes that cancel explain nothing
            yield pair, None, ()


@cache
def list_factors(exercise: Exercise) -> list[tuple[Factor, list[float]]]:
    """The factors that may be mistakes of this loss, each with its value at every probe."""
    summed = "total(" in SOURCES[exercise.loss]
    found = []
    for factor in FACTORS:
        try:
            times = [factor.times(**measure_batch(arguments)) for arguments, _ in probes(exercise)]
        except (NameError, ZeroDivisionError):  # it has no temperature, or no features
            continue
        right = ("mean_twice", "sum_for_mean") if summed else ("mean_for_sum",)
        if factor.name not in right and np.all(np.isfinite(times)) and not np.allclose(times, 1):
            found.append((factor, times))
    return found


def measure_batch(arguments: Arguments) -> dict[str, float]:
    """The facts that a factor may depend on: pairs B, anchors N, candidates K, features d, the temperature."""
    first, array = next(iter(arguments.items()))
    n = len(array)
    candidates = {"bank": array, **arguments}["bank"]
    facts: dict[str, float] = {"B": n, "N": n, "K": len(candidates), "d": array.shape[-1]}
    if first in ("w", "z"):  # rows of both views
        facts |= {"B": n / 2, "K": n - (first == "w")}
    elif first == "image":  # anchors are images and texts
        facts["N"] = 2 * n
    elif "scores" in first:
        facts["K"] = facts.pop("d")
    if "temperature" in arguments:
        facts["temperature"] = arguments["temperature"]
    return facts


def measure(exercise: Exercise, mistakes: Mistakes, told: Told, times: Sequence[float]) -> Iterator[float]:
    """Numbers in a rewritten line that explain one value, by Newton's method: the largest, as a hinge may be 0."""
    place = int(np.argmax([np.max(np.abs(value)) for (value,) in told]))
    wanted = told[place][0].ravel()[0] / (times[place] if times else 1.0)
    answer = program(exercise, mistakes)
    if answer is None or not results(exercise, 0, mistakes):
        return
    for number in STARTS:
        for _ in range(20):
            found = answer(0, probes(exercise)[place].arguments, number + STEP * 1j)[0].ravel()[0]
            slope = np.imag(found) / STEP
            if not np.isfinite(found) or slope == 0:
                break
            step = (np.real(found) - wanted) / slope
            number -= step
            if abs(step) <= 1e-7 * abs(number):  # the next would be below rounding
                yield float(number)
                break
