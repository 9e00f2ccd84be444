"""Measure the gradients by the numbers that a PyTorch module learns, such as its temperature and bias."""

import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from . import asking, inputs
from .identification import Nearest
from .session import Session

FAR = 3e-3  # the step of a difference, in the number's own unit: a logarithm, a temperature, a bias
STEPS = {"float16": 30, "bfloat16": 100}  # times this in a coarse dtype, which would not notice it
ROUNDING = {"float64": 1e-9, "float16": 0.0, "bfloat16": 0.0}  # relative: a smaller change is none


class Learned(NamedTuple):
    """own: the module's gradient by this number, None if it has none · slopes: differences of the value at
    two steps · effective: whether a step of the number changes the value at any point.
    """

    name: str
    own: float | None
    slopes: tuple[float, float]
    effective: bool


def list_learned(session: Session) -> list[tuple[str, Any]]:
    """The numbers that a PyTorch module learns, by name."""
    if session.library != "torch" or not hasattr(session.function, "named_parameters"):
        return []
    return [(n, x) for n, x in session.function.named_parameters() if x.numel() == 1 and x.requires_grad]


def measure_learned(nearest: Nearest) -> Iterator[Learned]:
    """The gradients by each number that the module learns."""
    session, way = nearest.way.session, nearest.way
    if session.target.restored or session.target.backward is not None:
        return
    arrays = asking.example(way.world, 4)
    for name, number in list_learned(session):
        torch = sys.modules["torch"]
        packed = tuple(torch.tensor(x) for x in way.pack(arrays))
        kept = number.data
        try:
            number.data = kept.double()
            value = session.compute(inputs.WAYS[way.name].arrange(packed))
            slopes = (
                torch.autograd.grad(value, [number], allow_unused=True) if value.requires_grad else [None]
            )
            own = None if slopes[0] is None else float(slopes[0])
            near, far = (
                differentiate(way, number, arrays, step * STEPS.get(nearest.precision, 1))
                for step in (FAR / 3, FAR)
            )
            yield Learned(name, own, (near, far), has_effect(nearest, number))
        finally:
            number.data = kept


def has_effect(nearest: Nearest, number: Any) -> bool:
    """Return whether a step of the number changes the value at any point."""
    way, here = nearest.way, number.data
    many = inputs.points(way.world, 4, each=1)
    step, rounding = FAR * STEPS.get(nearest.precision, 1), ROUNDING.get(nearest.precision, 1e-6)

    def values(x: Any) -> list[float]:
        number.data = x
        return [way.value(arrays) for arrays in many]

    ahead, behind, before = values(here + step), values(here - step), values(here)
    return not all(np.allclose(moved, before, rtol=rounding, atol=0) for moved in (ahead, behind))


def differentiate(way: asking.Way, number: Any, arrays: inputs.Arrays, step: float) -> float:
    """Differentiate the value by that number, by a finite difference of fourth order."""
    here = number.data
    found = []
    for k in (-2, -1, 1, 2):
        number.data = here + k * step
        found.append(way.value(arrays))
    number.data = here
    low, near, ahead, high = found
    return (8 * (ahead - near) - (high - low)) / (12 * step)
