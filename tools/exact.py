"""The exact value of a loss at a point and the gradient by every entry of every input, from the definition.

The judge's witness of precision carries a slope for each of a few entries through the evaluation. Here the chain
rule goes backwards over what was evaluated, so that all entries cost one evaluation more, and rows of hundreds of
features are within reach.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref.verify.balls import FUNCTIONS
from infonce_ref.verify.case import Case
from infonce_ref.verify.proofs import evaluator
from infonce_ref.verify.symbolic import bind, statement_of

ONE = arb(1)


class Exact(NamedTuple):
    """value, 0-d, and the gradient by each differentiable input: arrays of balls in the input's shape, exactly 0
    where a ball holds 0, as digits enough tell nothing else from it."""

    value: np.ndarray
    gradients: dict[str, np.ndarray]


class Node:
    """A number on the tape: its value, what it was made of, and its slope by each of these."""

    __slots__ = ("parents", "slope", "tape", "value")

    def __init__(self, tape: list["Node"], value: Any, parents: tuple[tuple["Node", Any], ...] = ()):
        self.tape, self.value, self.parents, self.slope = tape, value, parents, 0
        tape.append(self)

    def __add__(self, other: Any) -> "Node":
        if isinstance(other, Node):
            return Node(self.tape, self.value + other.value, ((self, 1), (other, 1)))
        return Node(self.tape, self.value + other, ((self, 1),))

    def __mul__(self, other: Any) -> "Node":
        if isinstance(other, Node):
            return Node(self.tape, self.value * other.value, ((self, other.value), (other, self.value)))
        return Node(self.tape, self.value * other, ((self, other),))

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: Any) -> "Node":
        value = other / self.value
        return Node(self.tape, value, ((self, -value / self.value),))

    def __abs__(self) -> Any:
        return ONE  # for the sizes of terms, which nobody asks for here


def lifted(function: Callable, slope: Callable) -> Callable:
    """A function of numbers as one of numbers and nodes. slope(x, f(x)): its derivative."""

    def of_either(x: Any) -> Any:
        if not isinstance(x, Node):
            return function(x)
        value = function(x.value)
        return Node(x.tape, value, ((x, slope(x.value, value)),))

    return of_either


LIFTED = FUNCTIONS._replace(
    exp=lifted(FUNCTIONS.exp, lambda x, y: y),
    log=lifted(FUNCTIONS.log, lambda x, y: 1 / x),
    sqrt=lifted(FUNCTIONS.sqrt, lambda x, y: 1 / (2 * y)),
)


def exact(case: Case, digits: int) -> Exact:
    """The definition at a case's arguments, with so many decimal digits."""
    with ctx.workdps(digits):
        statement, environment, tape = statement_of(case), bind(case), []
        leaves = {}
        for name in case.loss.differentiable:
            variable = statement.gradients[name].variable
            leaves[name] = environment[variable] = on_tape(tape, environment[variable])
        loss, _ = evaluator(statement.form, environment, LIFTED, statement.names)({})
        if isinstance(loss, Node):
            loss.slope = 1
        for node in reversed(tape):
            for parent, slope in node.parents:
                parent.slope = node.slope * slope + parent.slope
        found = Exact(
            array_of(getattr(loss, "value", loss)),
            {name: array_of(numbers) for name, numbers in leaves.items()},
        )
        tape.clear()  # a circle, which would wait for the collector
        return found


def on_tape(tape: list[Node], numbers: Any) -> Any:
    """Nested lists, or a number, with a node for each number."""
    return [on_tape(tape, x) for x in numbers] if isinstance(numbers, list) else Node(tape, numbers)


def array_of(numbers: Any) -> np.ndarray:
    """The slopes of nodes in nested lists, or a number, as an array of balls."""
    if isinstance(numbers, list):
        return np.array([array_of(x) for x in numbers], dtype=object)
    ball = arb(numbers.slope if isinstance(numbers, Node) else numbers)
    return np.array(arb(0) if ball.contains(0) else ball, dtype=object)
