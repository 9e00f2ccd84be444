"""Where the value of a loss jumps: at a threshold, or at a comparison that rounding decides."""

from collections.abc import Mapping

import numpy as np

from . import gradient, inputs
from .asking import Way

ROUNDING = 1e-13  # relative: a few roundings of float64
SEEN = 1e-6  # relative: a larger change is no rounding of the value
TRIES = 4
ASKS = "does rounding decide a comparison, such as < 1 of a row's cosine with itself?"


def describe_rounding(way: Way) -> str:
    """Say that the value jumps if its arrays change by their rounding; "" if it does not."""
    noise = np.random.default_rng(8)
    for arrays in inputs.points(way.world, 4, each=1):
        here = way.value(arrays)
        for _ in range(TRIES):
            there = way.value(
                {
                    n: x * (1 + ROUNDING * noise.standard_normal(x.shape)) if x.dtype.kind == "f" else x
                    for n, x in arrays.items()
                }
            )
            if abs(there - here) > SEEN * (1 + abs(here)):
                return (
                    f"the value jumps at ordinary rows, as from {here:.6g} to {there:.6g} by rounding: {ASKS}"
                )
    return ""


def describe_step(
    way: Way,
    arrays: inputs.Arrays,
    own: Mapping[str, np.ndarray],
    slopes: Mapping[str, np.ndarray],
    precision: str,
) -> str:
    """Say that the value jumps, or has a kink, where its differences are furthest from its own gradient; "" if they
    are as far over a smaller step.
    """
    name = max(slopes, key=lambda n: np.max(np.abs(slopes[n] - own[n])))
    place = np.unravel_index(np.argmax(np.abs(slopes[name] - own[name])), own[name].shape)
    step = gradient.STEPS[precision]
    ahead, behind = (arrays[name].copy() for _ in range(2))
    ahead[place] += step / 8
    behind[place] -= step / 8
    near = (way.value({**arrays, name: ahead}) - way.value({**arrays, name: behind})) / (step / 4)
    gap, smaller = abs(slopes[name][place] - own[name][place]), abs(near - own[name][place])
    if gap / 4 < smaller < 4 * gap:
        return ""
    jumps = gap > 10 * max(float(np.max(np.abs(slope))) for slope in own.values())
    where = f"{name}{[int(i) for i in place]}"
    return (
        f"the value jumps at {where}, by {2 * step * gap:.3g}: is there a threshold?"
        if jumps
        else f"the value has a kink at {where}"
    )
