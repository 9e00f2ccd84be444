"""Which mistakes of the catalogue explain a file's numbers: those that fit to rounding at every batch."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import FACTORS, SOURCES, STEP, Mistake
from .exercise import Arguments, Arrays, Exercise, Program, known, probes, program

RIGHT = 1e-8  # relative: about the rounding error of any form of the loss at a large τ
FLOOR = 1e-3  # absolute: a batch with a smaller loss tells little
MOST_PAIRED = 60  # mistakes beyond this number are not tried in pairs
STARTS = (1e-8, 1e-4, 1e-2, 0.1, 1.0, -1.0)  # for the number in a rewritten line

Told = Sequence[Arrays]  # a file's results at the probes


class Named(NamedTuple):
    """A mistake: its name and sentence, the claim to read, public reports, and its entry in the catalogue."""

    name: str
    sentence: str
    claim: str = ""
    links: Sequence[str] = ()
    entry: Mistake | None = None


def is_right(exercise: Exercise, which: int, told: Told, tolerance: float = RIGHT) -> bool:
    """Whether values (which = 0) or gradients (1) are the right ones."""
    right = program(exercise)
    return right is not None and fits(right, which, told, [1.0] * len(told), tolerance)


def fits(
    made: Program,
    which: int,
    told: Told,
    times: Sequence[float],
    tolerance: float = RIGHT,
    number: float | None = None,
) -> bool:
    """Whether every result is the program's, multiplied by `times`."""
    for probe, here, factor in zip(probes(made.exercise), told, times, strict=True):
        for a, b in zip(here, try_answer(made, which, probe.arguments, number), strict=True):
            scale = FLOOR + np.max(np.abs(factor * b), initial=0)
            if a.shape != b.shape or not np.all(np.abs(a - factor * b) <= tolerance * scale):
                return False
    return True


def try_answer(made: Program, which: int, arguments: Arguments, number: complex | None = None) -> Arrays:
    """The program's results; NaN if it fails."""
    try:
        with np.errstate(all="ignore"):
            return made.answer(which, arguments, number)
    except Exception:  # a program with two mistakes may do anything
        return (np.array(np.nan),) * (len(made.exercise.by) if which else 1)


def name(exercise: Exercise, which: int, told: Told, pairs: bool = True) -> list[Named]:
    """The fewest mistakes that explain the values (which = 0) or gradients (1); none if no known ones do. pairs:
    whether two mistakes are tried together.
    """
    for mistakes, factor, times in attempts(exercise, which, pairs):
        made = program(exercise, mistakes)
        if made is None:
            continue
        measured = which == 0 and any(mistake.number is not None for mistake in mistakes)
        for number in (None, *(measure(made, told, times) if measured else ())):
            if fits(made, which, told, times, number=number):
                names = [describe(exercise, mistake, number) for mistake in mistakes]
                return [*names, name_factor(factor, which)] if factor else names
    return []


def describe(exercise: Exercise, mistake: Mistake, number: float | None = None) -> Named:
    return Named(mistake.name, mistake.say(number), mistake.claim(exercise.loss), mistake.links, mistake)


def name_factor(factor: Any, which: int) -> Named:
    of_gradient, what = ("gradient_", "the gradient: ") if which else ("", "")
    return Named(f"{of_gradient}{factor.name}", f"{what}{factor.sentence}")


def attempts(
    exercise: Exercise, which: int, pairs: bool
) -> Iterator[tuple[tuple[Mistake, ...], Any, Sequence[float]]]:
    """Possible explanations: one mistake; a factor; a mistake and a factor; two mistakes."""
    right, places = program(exercise), probes(exercise)
    assert right is not None
    values = [(probe.value,) for probe in places], [probe.gradients for probe in places]
    one = [1.0] * len(places)
    alone = [m for m in known(exercise) if which or m.kind != "∂"]
    alone = [m for m in alone if not fits(program(exercise, (m,)) or right, which, values[which], one)]
    alone.sort(key=lambda m: m.kind != "∂")  # of a gradient, those of the gradient alone come first
    factors = list_factors(exercise, [probe.arguments for probe in places])
    yield from (((m,), None, one) for m in alone)
    yield from (((), factor, times) for factor, times in factors)
    yield from (((m,), factor, times) for m in alone for factor, times in factors)
    paired = [m for m in alone if m.number is None][: MOST_PAIRED if pairs else 0]
    for pair in combinations(paired, 2):
        both = program(exercise, pair)
        # two mistakes that cancel explain nothing
        if both is not None and not fits(both, which, values[which], one):
            yield pair, None, one


def list_factors(exercise: Exercise, batches: Sequence[Arguments]) -> list[tuple[Any, list[float]]]:
    """The factors that may be mistakes of this loss, each with its value at every batch."""
    summed = "total(" in SOURCES[exercise.loss]
    found = []
    for factor in FACTORS:
        try:
            times = [factor.times(**measure_batch(arguments)) for arguments in batches]
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


def measure(made: Program, told: Told, times: Sequence[float]) -> Iterator[float]:
    """Numbers in a rewritten line that explain one value, by Newton's method: the largest, as a hinge may be 0."""
    place = int(np.argmax([np.max(np.abs(value)) for (value,) in told]))
    arguments = probes(made.exercise)[place].arguments
    wanted = told[place][0].ravel()[0] / times[place]
    for number in STARTS:
        for _ in range(20):
            found = np.ravel(try_answer(made, 0, arguments, number + STEP * 1j)[0])[0]
            slope = np.imag(found) / STEP
            if not np.isfinite(found) or slope == 0:
                break
            step = (np.real(found) - wanted) / slope
            number -= step
            if abs(step) <= 1e-7 * abs(number):  # the next would be below rounding
                yield float(number)
                break


def is_shared(exercise: Exercise, named: Sequence[Named], told: Told) -> bool:
    """Whether the gradients are the right formula of wrong numbers: of those that make the loss wrong."""
    mistakes = tuple(each.entry for each in named if each.entry)
    made = program(exercise, mistakes, held=True) if mistakes else None
    return made is not None and fits(made, 1, told, [1.0] * len(told))
