"""Compute the exact value of a loss at a point and its gradient by every entry of every input, from the
definition.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref.verify.case import Case
from infonce_ref.verify.precision import oracles
from infonce_ref.verify.proofs import evaluator
from infonce_ref.verify.symbolic import bind, statement_of
from infonce_ref.verify.tape import TAPED, record, slopes


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


def record_inputs(case: Case, names: Iterable[str]) -> tuple[dict, dict[tuple[str, tuple], int]]:
    """Return the case's arguments as balls, these inputs on a tape, and the place of each entry, (name, index)."""
    environment, gradients, tape, places = bind(case), statement_of(case).gradients, [], {}
    for name in names:
        variable = gradients[name].variable
        keys = {index: (name, index) for index in np.ndindex(np.shape(case.arguments[name]))}
        environment[variable] = record(tape, environment[variable], keys, places)
    return environment, places


def second(case: Case, digits: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the derivatives of ∂𝓛/∂τ by every entry of every input, and the sizes of their terms, by the chain
    rule from the proved ∂𝓛/∂τ.
    """
    shapes = {name: np.shape(case.arguments[name]) for name in case.loss.differentiable}
    slope = statement_of(case).gradients["temperature"]
    with ctx.workdps(digits):
        environment, places = record_inputs(case, shapes)
        output, _ = evaluator(slope.form, environment, TAPED, slope.names)({})

        def by_input(of_entries: dict[tuple, arb]) -> dict[str, np.ndarray]:
            return {
                name: array_of([arb(of_entries.get((name, k), 0)) for k in np.ndindex(shape)]).reshape(shape)
                for name, shape in shapes.items()
            }

        return by_input(dict(slopes(output, places))), by_input(dict(slopes(output, places, abs)))


def array_of(balls: list[Any]) -> np.ndarray:
    """Convert balls to an array, with 0 for a ball that contains 0."""
    return np.array([arb(0) if ball.contains(0) else ball for ball in balls], dtype=object)
