"""Which setting of a loss is its temperature, and how the loss takes it."""

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from . import inputs, names
from .heads import HEADS, KERNEL
from .identification import SIZES, Nearest
from .names import Found
from .target import SCALES, TEMPERATURES, accepts, collect_settings

AMBIGUOUS = ("t", "scale")  # names of a temperature that others give to a weight or a count


class Setting(NamedTuple):
    """A number that the loss was given · own: the τ that it means · value: the number to pass for another τ ·
    logarithmic: whether it is a logarithm · accepted: whether it can be passed, and is not only stored.
    """

    name: str
    given: float
    own: float
    value: Callable[[float], float]
    logarithmic: bool = False
    accepted: bool = True


def find_setting(nearest: Nearest) -> Setting | None:
    """Return the setting with the name of a temperature that explains the temperature of the formula, or the first
    with such a name that does not only multiply the loss, or None.
    """
    found = nearest.found
    if found is None or not found.temperature:
        return None
    every = list(list_settings(nearest, found))
    tolerance = max(found.tolerance, 1e-6)
    exact = (one for one in every if names.is_near(abs(found.temperature), one.own, tolerance))
    plain = (one for one in every if not one.logarithmic and not is_weight(nearest, one))
    return next(exact, None) or next(plain, None)


def is_weight(nearest: Nearest, setting: Setting) -> bool:
    """Whether the loss is proportional to a setting whose name may be that of a weight."""
    if setting.name not in AMBIGUOUS or not setting.accepted:
        return False
    many = inputs.points(nearest.way.world, SIZES[0])
    before = np.array([nearest.way.value(point) for point in many])
    try:
        doubled = nearest.way.given({setting.name: 2 * setting.given})
        after = np.array([doubled.value(point) for point in many])
    except Exception:  # it refuses this number
        return False
    return bool(np.allclose(after, 2 * before, rtol=1e-6, atol=0))  # of float32, with some digits to spare


def list_settings(nearest: Nearest, found: Found) -> Iterator[Setting]:
    """Every setting with the name of a temperature: as τ, or as 1/τ if it is a scale or the t of a kernel; then as
    the logarithm of either.
    """
    session = nearest.way.session
    given = collect_settings(session.target, session.function)
    of_kernel = HEADS[found.formula.head].base == KERNEL
    for name in (*TEMPERATURES, *SCALES):
        x = given.get(name)
        if not isinstance(x, int | float):
            continue
        passed = accepts(session.target, name)
        if x > 0:
            inverse = name in SCALES or (name == "t" and of_kernel)
            yield Setting(name, x, 1 / x if inverse else x, invert if inverse else float, accepted=passed)
        if abs(x) < 50:
            yield Setting(name, x, math.exp(-x), lambda tau: -math.log(tau), True, passed)
            yield Setting(name, x, math.exp(x), math.log, True, passed)


def invert(x: float) -> float:
    return 1 / x
