"""Compute the exact value of a loss at a point and its gradient by every entry of every input, from the
definition.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref.verify import precision
from infonce_ref.verify.case import Case
from infonce_ref.verify.proofs import FUNCTIONS, VALUE, bind, closed_forms, evaluators, statement_of
from infonce_ref.verify.slopes import BALL_WORDS, Node, Slope, differentiate

OF_NODES = FUNCTIONS._replace(**{name: BALL_WORDS[name] for name in ("exp", "log", "sqrt")})
NOTHING = Slope(*[np.asarray(arb(0))] * 3)


class Exact(NamedTuple):
    """value: a 0-d array; gradients: an array of balls for each differentiable input, in its shape.

    A ball that contains 0 is written as 0: no other number is that close to it at enough digits.
    """

    value: np.ndarray
    gradients: dict[str, np.ndarray]


def exact(case: Case, digits: int) -> Exact:
    """Evaluate the definition at a case's arguments with this many decimal digits."""
    with ctx.workdps(digits):
        (value,), _ = closed_forms(case, {VALUE: [()]})[VALUE]
        slopes = precision.slopes_of(case)
        return Exact(zero_if_around(value), {name: zero_if_around(x) for name, x in slopes.items()})


def record_inputs(case: Case, names: Iterable[str]) -> tuple[dict, dict[str, np.ndarray]]:
    """Return the case's arguments as balls, with a node for each entry of these inputs, and arrays of the nodes."""
    environment, gradients, nodes = bind(case), statement_of(case).gradients, {}
    for name in names:
        variable = gradients[name].variable
        balls = np.asarray(environment[variable], dtype=object)
        nodes[name] = np.asarray(np.frompyfunc(lambda x: Node(x, []), 1, 1)(balls))
        environment[variable] = nodes[name].tolist()
    return environment, nodes


def slopes_by(
    output: Any, nodes: dict[str, np.ndarray]
) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the derivatives of an output by each node, and the sizes of their terms."""
    found = differentiate(output)

    def collect(part: str) -> dict[str, np.ndarray]:
        read = np.frompyfunc(lambda x: arb(np.asarray(getattr(found.get(x, NOTHING), part))[()]), 1, 1)
        return {name: np.asarray(read(x)) for name, x in nodes.items()}

    return collect("value"), collect("size")


def second(case: Case, digits: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Return the derivatives of ∂𝓛/∂τ by every entry of every input, and the sizes of their terms, by the chain
    rule from the proved ∂𝓛/∂τ.
    """
    slope = statement_of(case).gradients["temperature"]
    with ctx.workdps(digits):
        environment, nodes = record_inputs(case, case.loss.differentiable)
        (at,) = evaluators([slope.form], environment, OF_NODES, slope.names)
        output, _ = at({})
        slopes, sizes = slopes_by(output, nodes)
        return {n: zero_if_around(x) for n, x in slopes.items()}, {
            n: zero_if_around(x) for n, x in sizes.items()
        }


def zero_if_around(balls: Any) -> np.ndarray:
    """Return the balls, with 0 for a ball that contains 0."""
    return np.asarray(np.frompyfunc(lambda x: arb(0) if x.contains(0) else x, 1, 1)(balls))
