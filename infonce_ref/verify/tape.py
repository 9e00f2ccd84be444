"""Reverse-mode differentiation over Arb balls: one pass backwards gives the slopes by every input.

A tape keeps, for each computed number, its parents and the derivative by each; anything that is not a node is
a constant.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flint import arb

from .balls import FUNCTIONS

# for each number: its parents' positions, and its derivative by each
Tape = list[tuple[tuple[int, Any], ...]]


class Node:
    """A number, and its place on the tape."""

    __slots__ = ("place", "tape", "value")

    def __init__(self, tape: Tape, value: Any, *parents: tuple[int, Any]):
        self.tape, self.value, self.place = tape, value, len(tape)
        tape.append(parents)

    def __add__(self, other: Any) -> "Node":
        if isinstance(other, Node):
            return Node(self.tape, self.value + other.value, (self.place, 1), (other.place, 1))
        return Node(self.tape, self.value + other, (self.place, 1))

    def __mul__(self, other: Any) -> "Node":
        if isinstance(other, Node):
            parents = (self.place, other.value), (other.place, self.value)
            return Node(self.tape, self.value * other.value, *parents)
        return Node(self.tape, self.value * other, (self.place, other))

    __radd__, __rmul__ = __add__, __mul__

    def __rtruediv__(self, other: Any) -> "Node":
        value = arb(other) / self.value  # of two integers Python would make a float
        return Node(self.tape, value, (self.place, -value / self.value))

    def __abs__(self) -> Any:
        return abs(self.value)  # the size of a term; it is not differentiated


def differentiable(function: Callable, slope: Callable) -> Callable:
    """Extend a function of numbers to nodes of the tape. slope(x, f(x)): its derivative."""

    def broadcast(x: Any) -> Any:
        if not isinstance(x, Node):
            return function(x)
        value = function(x.value)
        return Node(x.tape, value, (x.place, slope(x.value, value)))

    return broadcast


TAPED = FUNCTIONS._replace(
    exp=differentiable(FUNCTIONS.exp, lambda x, y: y),
    log=differentiable(FUNCTIONS.log, lambda x, y: 1 / x),
    sqrt=differentiable(FUNCTIONS.sqrt, lambda x, y: 1 / (2 * y)),
)


def record(tape: Tape, numbers: Any, keys: Mapping[tuple[int, ...], Any], places: dict[Any, int]) -> Any:
    """Nested lists, or a number for the empty index, with a node at each index that has a key.

    places: receives the place of each key's node.
    """

    def walk(part: Any, at: tuple[int, ...]) -> Any:
        if isinstance(part, list):
            return [walk(x, (*at, i)) for i, x in enumerate(part)]
        if at not in keys:
            return part
        node = Node(tape, part)
        places[keys[at]] = node.place
        return node

    return walk(numbers, ())


def slopes(
    output: Any, places: Mapping[Any, int], weigh: Callable = lambda slope: slope
) -> Iterator[tuple[Any, Any]]:
    """Yield (key, derivative of the output by that key's node), for each key that the output depends on. With
    weigh=abs it is the size of the terms that the chain rule sums.
    """
    if not isinstance(output, Node):
        return
    found: list[Any] = [None] * (output.place + 1)
    found[output.place] = arb(1)
    for place in range(output.place, -1, -1):
        if (slope := found[place]) is not None:
            for parent, partial in output.tape[place]:
                part = slope * weigh(partial)
                found[parent] = part if found[parent] is None else found[parent] + part
    for key, place in places.items():
        if place <= output.place and found[place] is not None:
            yield key, found[place]
