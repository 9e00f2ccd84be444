"""Show a mistake at the smallest batch of small integers at which a file is wrong."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from .exercise import Arguments, Arrays, Draw, Exercise, Probe, find_right

SIZES = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (3, 2), (4, 2))
DRAWS = 40
SEEN = (1e-3, 1e-8)  # prefer a difference visible in four digits; otherwise one that exceeds rounding


@cache
def batches(exercise: Exercise) -> tuple[Probe, ...]:
    """Small batches with their right results, those with the fewest and smallest numbers first."""
    draw = Draw(np.random.default_rng(0), small=True)
    drawn = [exercise.draw(*size, draw) for size in SIZES for _ in range(DRAWS)]
    return tuple(sorted(find_right(exercise, drawn), key=lambda probe: measure_size(probe.arguments)))


def measure_size(arguments: Arguments) -> tuple[int, float]:
    arrays = [x for x in arguments.values() if isinstance(x, np.ndarray)]
    return sum(x.size for x in arrays), float(sum(np.sum(np.abs(x)) for x in arrays))


def show(exercise: Exercise, which: int, ask: Callable[[Arguments], Arrays]) -> tuple[str, ...]:
    """The first batch at which a file's loss (which = 0) or gradient (1) is wrong, line by line, and what is wrong;
    no lines if there is none.
    """
    function = exercise.functions[which]
    names = [f"your {function} by {name}" for name in exercise.by] if which else [f"your {function}"]
    for least in SEEN:
        for arguments, right in batches(exercise):
            for name, got, wanted in zip(names, ask(arguments), right[which]):
                apart = np.abs(got - wanted)
                if np.all(apart <= least * (1 + np.abs(wanted))):
                    continue
                at = np.unravel_index(int(np.argmax(np.where(np.isnan(apart), np.inf, apart))), wanted.shape)
                entry = f"[{', '.join(map(str, map(int, at)))}]" if at else ""
                yours, exact = write_apart(float(got[at]), float(wanted[at]))
                lines = [f"{argument} = {write(x)}" for argument, x in arguments.items()]
                return *lines, f"{name}{entry} is {yours}; right is {exact}"
    return ()


def write(x: Any) -> str:
    """An array as nested lists, a number as a fraction if it is a simple one."""
    if isinstance(x, np.ndarray) and x.ndim:
        return f"[{', '.join(write(row) for row in x)}]"
    fraction = Fraction(float(x)).limit_denominator(8)
    return str(fraction) if float(fraction) == float(x) else f"{float(x):.4g}"


def write_apart(a: float, b: float) -> tuple[str, str]:
    """Write both numbers with enough digits to show that they differ."""
    for count in range(4, 17):
        one, other = f"{a:.{count}g}", f"{b:.{count}g}"
        if one != other:
            break
    return one, other
