"""Which mistakes a value or a gradient is made with: those of the exercise, alone and in pairs, and plain factors.

What a function returned at the probes is compared with what the solution returns there with each mistake in it, and
with multiples of that.
"""

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from .exercise import Arguments, Exercise, Mistake, edited, facts, functions, probes

RIGHT = 1e-8  # relative: what is left of sixteen digits after a loss of any form, at probes that are warm
SAME = 1e-6  # a mistake is known for what it is even with a number such as 1e-8 added somewhere

Arrays = tuple[np.ndarray, ...]


class Factor(NamedTuple):
    """A multiple of what is right: name · sentence · times, as a function of the batch's facts."""

    name: str
    sentence: str
    times: Callable[[dict[str, float]], float]


FACTORS = (
    Factor("sign_flipped", "the sign is flipped", lambda f: -1.0),
    Factor("zero", "it is 0 everywhere: nothing is trained", lambda f: 0.0),
    Factor("sum_for_mean", "the sum over the rows, where the mean belongs", lambda f: f["rows"]),
    Factor("mean_for_sum", "the mean over the rows, where the sum belongs", lambda f: 1 / f["rows"]),
    Factor("twice", "twice what is right", lambda f: 2.0),
    Factor("half", "half of what is right", lambda f: 0.5),
    Factor("times_temperature", "multiplied by the temperature", lambda f: f["temperature"]),
    Factor("over_temperature", "divided by the temperature once more", lambda f: 1 / f["temperature"]),
    Factor(
        "undivided",
        "neither divided by the number of rows nor by the temperature",
        lambda f: f["rows"] * f["temperature"],
    ),
    Factor(
        "base_temperature",
        "multiplied by τ over a temperature of 0.07 that stays where it is",
        lambda f: f["temperature"] / 0.07,
    ),
    Factor(
        "mean_over_2b_minus_2",
        "the sum over 2B rows is divided by 2(B − 1)",
        lambda f: f["rows"] / (f["rows"] - 2) if f["rows"] > 2 else math.nan,
    ),
    Factor("mean_twice", "divided by the number of rows twice", lambda f: 1 / f["rows"]),
    Factor("bits", "in bits, where nats belong: the logarithm is to base 2", lambda f: 1 / math.log(2)),
    Factor(
        "mean_over_features",
        "the mean over the features, where their sum belongs",
        lambda f: 1 / f["features"],
    ),
)
ANY = (
    Factor("constant_factor", "it is {:.6g} times what is right, at every batch", lambda f: math.nan),
    Factor("constant_added", "it differs from what is right by {:+.6g}, at every batch", lambda f: math.nan),
)


class Named(NamedTuple):
    """A mistake that was found: its name, a sentence, and the claim to read."""

    name: str
    sentence: str
    claim: str


def called(function: Callable[..., Any], arguments: Arguments) -> list[Any]:
    """The arguments that a function takes, in its order."""
    return [arguments[name] for name in inspect.signature(function).parameters]


def returned(result: Any) -> Arrays:
    return tuple(np.asarray(x, dtype=float) for x in (result if isinstance(result, tuple) else (result,)))


@cache
def with_mistakes(exercise: Exercise, which: int, mistakes: tuple[Mistake, ...]) -> tuple[Arrays, ...] | None:
    """What the solution with these mistakes returns at each probe: its loss (which = 0) or gradient (1)."""
    text = edited(exercise.text, [edit for mistake in mistakes for edit in mistake.edits])
    if text is None:
        return None
    function = functions(text, exercise.functions)[which]
    right = functions(exercise.text, exercise.functions)[which]
    try:
        with np.errstate(all="ignore"):
            return tuple(returned(function(*called(right, probe.arguments))) for probe in probes(exercise))
    except Exception:  # two mistakes at once may make nothing that runs
        return None


def alike(got: Sequence[Arrays], wanted: Sequence[Arrays], times: Sequence[float], tolerance: float) -> bool:
    """Whether at each probe all that came is `times` what is wanted."""
    for here, there, factor in zip(got, wanted, times, strict=True):
        if math.isnan(factor) or len(here) != len(there):
            return False
        for a, b in zip(here, there):
            scale = 1e-3 + np.max(np.abs(factor * b), initial=0)
            if (
                a.shape != b.shape
                or not np.all(np.isfinite(b))
                or not np.all(np.abs(a - factor * b) <= tolerance * scale)
            ):
                return False
    return True


def right(exercise: Exercise, which: int, got: Sequence[Arrays]) -> bool:
    """Whether it is right at every probe."""
    return alike(got, wanted(exercise, which), [1.0] * len(got), RIGHT)


def wanted(exercise: Exercise, which: int) -> list[Arrays]:
    return [(probe.value,) if which == 0 else probe.gradients for probe in probes(exercise)]


def factors(exercise: Exercise) -> list[Factor]:
    """Those that can be a mistake of this exercise: without a temperature, none of the temperature's."""
    other = {
        "mean": ("mean_for_sum",),
        "sum": ("sum_for_mean", "undivided", "mean_twice", "mean_over_2b_minus_2"),
    }
    unfit = set(other.get(exercise.reduction, ("sum_for_mean", "mean_for_sum", "mean_twice")))
    if all("temperature" not in probe.arguments for probe in probes(exercise)):
        unfit |= {"times_temperature", "over_temperature", "base_temperature", "undivided"}
    if any("scores" in name for name in probes(exercise)[0].arguments):  # which have no features
        unfit |= {"mean_over_features"}
    return [factor for factor in FACTORS if factor.name not in unfit]


def live(exercise: Exercise, which: int) -> list[tuple[Mistake, tuple[Arrays, ...]]]:
    """The mistakes that change this function, each with what the solution then returns."""
    clean = wanted(exercise, which)
    made = ((mistake, with_mistakes(exercise, which, (mistake,))) for mistake in exercise.mistakes)
    return [(m, x) for m, x in made if x is not None and not alike(x, clean, [1.0] * len(clean), RIGHT)]


class Attempt(NamedTuple):
    """Mistakes, a multiple, and what comes of them at each probe."""

    mistakes: tuple[Mistake, ...]
    factor: Factor | None
    made: Sequence[Arrays]
    times: Sequence[float]


def attempts(exercise: Exercise, which: int) -> Iterator[Attempt]:
    """What may have been done: one mistake; a multiple; a multiple of one mistake; two mistakes."""
    clean, batches = wanted(exercise, which), [facts(probe.arguments) for probe in probes(exercise)]
    ones = [1.0] * len(clean)
    alone = live(exercise, which)
    scales = [(factor, [factor.times(f) for f in batches]) for factor in factors(exercise)]
    yield from (Attempt((m,), None, made, ones) for m, made in alone)
    yield from (Attempt((), factor, clean, times) for factor, times in scales)
    for mistake, made in alone:
        yield from (Attempt((mistake,), f, made, times) for f, times in scales if f.name != "zero")
    for pair in combinations([mistake for mistake, _ in alone], 2):
        both = with_mistakes(exercise, which, pair)
        if both is not None:
            yield Attempt(pair, None, both, ones)


def named(exercise: Exercise, which: int, got: Sequence[Arrays]) -> list[Named]:
    """The mistakes with which the loss (0) or the gradient (1) was made, the fewest that explain all probes; none
    where no known ones do."""
    clean = wanted(exercise, which)

    def of_factor(factor: Factor) -> Named:
        if which:
            return of_gradient(exercise, factor)
        return Named(factor.name, factor.sentence, about(exercise, 0))

    for tolerance in (RIGHT, SAME):
        for mistakes, factor, made, times in attempts(exercise, which):
            told = not mistakes or not alike(made, clean, [1.0] * len(clean), 10 * tolerance)
            if told and alike(got, made, times, tolerance):
                found = [Named(m.name, m.sentence, m.claim) for m in mistakes]
                return [*found, of_factor(factor)] if factor else found
    return [of_factor(factor) for factor in constant(got, clean)]


def about(exercise: Exercise, which: int) -> str:
    """The claim to read on the loss (0) or the gradient (1) where no mistake names one: the first, or the last."""
    id, *pieces = exercise.equations[-1 if which else 0].split()
    return f"{id} {pieces[-1 if which else 0]}"


def of_gradient(exercise: Exercise, factor: Factor) -> Named:
    """A gradient that is a multiple."""
    return Named(f"gradient_{factor.name}", f"the gradient: {factor.sentence}", about(exercise, 1))


def constant(got: Sequence[Arrays], clean: Sequence[Arrays]) -> list[Factor]:
    """A factor, or for a lone number something added, that is the same at every probe."""
    a = np.concatenate([x.ravel() for here in got for x in here])
    b = np.concatenate([x.ravel() for here in clean for x in here])
    if a.shape != b.shape or not np.all(np.isfinite(a)):
        return []
    c = float(a @ b / (b @ b)) if b @ b > 0 else 0.0
    if (
        abs(c) > SAME
        and abs(c - 1) > 10 * SAME
        and np.allclose(a, c * b, rtol=SAME, atol=SAME * np.max(np.abs(b)))
    ):
        return [ANY[0]._replace(sentence=ANY[0].sentence.format(c))]
    shift = float(np.mean(a - b))
    if len(a) == len(got) and abs(shift) > 10 * SAME and np.allclose(a - b, shift, rtol=SAME, atol=SAME):
        return [ANY[1]._replace(sentence=ANY[1].sentence.format(shift))]
    return []
