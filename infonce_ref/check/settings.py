"""What is known of a loss's numbers: those that it was given, and which of them may be its temperature."""

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from .laws import is_near
from .programs import NUMBERS
from .strangers import Stranger
from .target import SCALES, TEMPERATURES, accepts, is_temperature

HINTS = 3  # numbers of its settings that a rewrite may have
ALSO_CALLED = {"alpha": "exponent", "lambd": "weight", "logit_bias": "bias", "tau_plus": "prior"}


class Setting(NamedTuple):
    """A number that the loss was given under the name of a temperature · own: the τ that it means · value: what
    to pass for another τ · logarithmic: whether it is a logarithm · accepted: whether it can be passed."""

    name: str
    given: float
    own: float
    value: Callable[[float], float]
    logarithmic: bool = False
    accepted: bool = True


def invert(x: float) -> float:
    return 1 / x


def list_settings(way: Stranger) -> Iterator[Setting]:
    """Every setting with the name of a temperature: as τ, as 1/τ if it is a scale or may be one, or as the
    logarithm of either.
    """
    own = filter(is_temperature, way.settings)
    for name in dict.fromkeys((*TEMPERATURES, *SCALES, *own)):
        x = way.settings.get(name)
        if isinstance(x, bool) or not isinstance(x, int | float | np.floating):
            continue
        x, passed, scale = float(x), accepts(way.target, name), name in SCALES
        as_tau = Setting(name, x, x, float, accepted=passed)
        if x > 0 and not scale:
            yield as_tau
        if x > 0 and (scale or x > 1):  # a temperature below 1 that multiplies is a mistake
            yield Setting(name, x, 1 / x, invert, accepted=passed)
        if x > 0 and name == "scale":
            yield as_tau
        if abs(x) < 50:
            yield Setting(name, x, math.exp(-x), lambda tau: -math.log(tau), True, passed)
            yield Setting(name, x, math.exp(x), math.log, True, passed)


def find_setting(way: Stranger, tau: float | None, tolerance: float) -> Setting | None:
    """The setting that explains a measured τ, or the first with the name of a temperature."""
    every = [one for one in list_settings(way) if not is_weight(way, one)]
    exact = (one for one in every if tau and is_near(abs(tau), one.own, max(tolerance, 1e-6)))
    plain = (one for one in every if not one.logarithmic)
    return next(exact, None) or next(plain, None)


def is_weight(way: Stranger, setting: Setting) -> bool:
    """Whether the loss is proportional to a setting whose name may be that of a weight."""
    if setting.name not in ("t", "scale") or not setting.accepted:
        return False
    many = way.points(4, each=1)
    try:
        doubled = way.again({setting.name: 2 * setting.given})
        return all(is_near(doubled.value(at), 2 * way.value(at), 1e-6) for at in many)
    except Exception:  # it refuses this number
        return False


def read_numbers(way: Stranger, meant: Mapping[str, Any]) -> list[dict[str, float]]:
    """What may be known of the numbers, the likeliest first: all that it was given, with each meaning of its
    temperature; then all but the temperature; then nothing."""
    known = {n: x for n, x in meant.items() if n in NUMBERS} | way.settings
    given = {n: float(x) for n, x in known.items() if isinstance(x, int | float) and not isinstance(x, bool)}
    named = {ALSO_CALLED.get(n, n): x for n, x in given.items()} | given
    rest = {n: x for n, x in named.items() if n in NUMBERS and n != "temperature"}
    taus = dict.fromkeys(one.own for one in list_settings(way) if not one.logarithmic or one.name in SCALES)
    taus |= {math.exp(-x): None for n, x in way.learned().items() if n in SCALES}
    if isinstance(meant.get("temperature"), int | float):
        taus = {float(meant["temperature"]): None} | taus
    every = [*[{**rest, "temperature": tau} for tau in taus][:3], rest]
    # a number that it was given may be the one that a rewrite measures
    hints = [x for x in dict.fromkeys(given.values()) if x > 0 and x not in taus][:HINTS]
    every = [*[{**t, **every[0], "E": x} for x in hints for t in ({"temperature": 1.0}, {})], *every, {}]
    return [known for k, known in enumerate(every) if known not in every[:k]]
