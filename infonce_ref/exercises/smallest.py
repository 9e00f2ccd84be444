"""Find the smallest batch of small integers that shows a mistake."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .exercise import Arguments, Draw, Exercise, Probe, find_right

SIZES = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (4, 2))
DRAWS = 40
SEEN = (1e-3, 1e-8)  # prefer a difference visible in four digits; otherwise one that exceeds rounding


class Seen(NamedTuple):
    """The batch · the entry of the result that is wrong, "" for the loss · the file's number, and the right one."""

    arguments: Arguments
    entry: str
    yours: float
    right: float


@cache
def batches(exercise: Exercise) -> tuple[Probe, ...]:
    """Small batches with their right results, those with the fewest and smallest numbers first."""
    rng = np.random.default_rng(0)
    drawn = [exercise.batch(*size, Draw(rng, small=True)) for size in SIZES for _ in range(DRAWS)]
    return tuple(sorted(find_right(exercise, drawn), key=lambda probe: size(probe.arguments)))


def size(arguments: Arguments) -> tuple[int, float]:
    arrays = [x for x in arguments.values() if isinstance(x, np.ndarray)]
    return sum(x.size for x in arrays), float(sum(np.sum(np.abs(x)) for x in arrays))


def find_smallest(
    exercise: Exercise, which: int, ask: Callable[[Arguments], tuple[np.ndarray, ...]]
) -> Seen | None:
    """Return the first batch at which `ask` returns a wrong loss (which = 0) or gradient (1)."""
    for least in SEEN:
        for arguments, value, gradients in batches(exercise):
            wanted = gradients if which else (value,)
            got = ask(arguments)
            if len(got) != len(wanted) or any(a.shape != b.shape for a, b in zip(got, wanted)):
                continue
            for name, a, b in zip(exercise.by if which else ("",), got, wanted):
                apart = np.abs(a - b)
                if not np.all(apart <= least * (1 + np.abs(b))):
                    at = np.unravel_index(int(np.argmax(np.where(np.isnan(apart), np.inf, apart))), b.shape)
                    return Seen(arguments, place(name, at), float(a[at]), float(b[at]))
    return None


def place(name: str, at: tuple[Any, ...]) -> str:
    index = f"[{', '.join(str(int(i)) for i in at)}]" if at else ""
    return f"{name}{index}"


def format_batch(arguments: Arguments) -> list[str]:
    """The arguments, one on a line."""
    return [f"{name} = {number(x)}" for name, x in arguments.items()]


def number(x: Any) -> str:
    """An array as nested lists, a number as a fraction if it is a simple one."""
    if isinstance(x, np.ndarray) and x.ndim:
        return f"[{', '.join(number(row) for row in x)}]"
    fraction = Fraction(float(x)).limit_denominator(8)
    return str(fraction) if float(fraction) == float(x) else f"{float(x):.4g}"


def digits(a: float, b: float) -> tuple[str, str]:
    """Format both numbers with enough digits to show that they differ."""
    for count in range(4, 17):
        one, other = f"{a:.{count}g}", f"{b:.{count}g}"
        if one != other:
            break
    return one, other
