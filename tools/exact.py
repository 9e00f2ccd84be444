"""Compute the exact value of a loss at a point and its gradient by every entry of every input, from the
definition.
"""

from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref.verify.case import Case
from infonce_ref.verify.precision import oracles


class Exact(NamedTuple):
    """value: a 0-d array; gradients: an array of balls for each differentiable input, in its shape.

    A ball that contains 0 is written as 0: no other number is that close to it at enough digits.
    """

    value: np.ndarray
    gradients: dict[str, np.ndarray]


def exact(case: Case, digits: int) -> Exact:
    """Evaluate the definition at a case's arguments with this many decimal digits."""
    shapes = {name: np.shape(case.arguments[name]) for name in case.loss.differentiable}
    with ctx.workdps(digits):
        value, _, slopes = oracles(case, {name: list(np.ndindex(shape)) for name, shape in shapes.items()})
        gradients = {name: array_of(slopes[name]).reshape(shape) for name, shape in shapes.items()}
        return Exact(array_of([value]).reshape(()), gradients)


def array_of(balls: list[Any]) -> np.ndarray:
    """Convert balls to an array, with 0 for a ball that contains 0."""
    return np.array([arb(0) if ball.contains(0) else ball for ball in balls], dtype=object)
