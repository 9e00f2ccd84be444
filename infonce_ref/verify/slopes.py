"""Slopes of a textbook function: every number remembers what it was computed from, and one pass backwards gives the
slope of the result by each input, entry by entry, and the size of the terms that it sums. The numbers are floats,
or Arb's balls in arrays of objects.

A loss computes P − 1 as a sum of the other probabilities. So where a number may be added to a row of logits, the
slopes of the row are taken in this way, and their size is that of these sums [S2]; the size in the textbook's own
form, P + 1, is kept beside it.
"""

from collections.abc import Callable
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import numpy as np
from flint import arb

NUMBER = count()
EVEN = 1e-14  # a row of slopes whose sum is below this share of their terms sums to 0


class Node:
    """A number or an array. parents: what it was computed from, each with pull(slope, size), which turns the slope
    by this node into that by the parent; size is `abs` for the size of terms.
    """

    __array_ufunc__ = None  # so that NumPy's arrays leave their operators to this class

    def __init__(self, value: Any, parents: list[tuple["Node", Callable]]):
        self.value, self.parents, self.number = value, parents, next(NUMBER)
        self.softmax, self.added = False, False  # whether it is an argument of a softmax, and of a sum

    def __len__(self) -> int:
        return len(self.value)

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.value)

    @cached_property
    def T(self) -> Any:  # one node, so that the slopes of its rows are balanced whole
        # computed from what this was computed from: the rows of either are balanced by themselves
        parents = self.parents or [(self, keep)]
        return node(self.value.T, *((x, lambda g, size, pull=pull: pull(g.T, size)) for x, pull in parents))

    def __add__(self, other: Any) -> Any:
        for x in (self, other):
            if isinstance(x, Node):
                x.added = True
        return node(plain(self) + plain(other), (self, keep), (other, keep))

    def __mul__(self, other: Any) -> Any:
        if other is self:
            return self**2.0
        x, y = plain(self), plain(other)
        return node(x * y, (self, lambda g, size: g * size(y)), (other, lambda g, size: g * size(x)))

    def __matmul__(self, other: Any) -> Any:
        x, y = plain(self), plain(other)
        parents = (self, lambda g, size: g @ size(y).T), (other, lambda g, size: size(x).T @ g)
        return node(x @ y, *parents)

    def __pow__(self, power: float) -> Any:
        x = self.value
        if power == 2:  # Arb has no power of a ball around 0, but its product with itself
            return node(x * x, (self, lambda g, size: g * size(2.0 * x)))
        with np.errstate(all="ignore"):  # a power of 0 has the slope 0 here, as a distance has where it is 0
            slope = np.where(x == 0, 0, power * x ** (power - 1.0))
        return node(x**power, (self, lambda g, size: g * size(slope)))

    def __getitem__(self, key: Any) -> Any:
        def pull(g: Any, size: Callable) -> Any:
            whole = np.zeros(self.shape, g.dtype)
            np.add.at(whole, key, g)
            return whole

        return node(self.value[key], (self, pull))

    def __neg__(self) -> Any:
        return self * -1.0

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __truediv__(self, other: Any) -> Any:
        return divide(self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return divide(other, self)

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Any:
        return abs(self.value)  # the size of a term, which is not differentiated

    def sum(self, axis: int | None = None, keepdims: bool = False) -> Any:
        def pull(g: Any, size: Callable) -> Any:
            return np.broadcast_to(g if keepdims or axis is None else np.expand_dims(g, axis), self.shape)

        return node(np.sum(self.value, axis=axis, keepdims=keepdims), (self, pull))

    def mean(self, axis: int | None = None) -> Any:
        return self.sum(axis) / (np.size(self.value) if axis is None else self.shape[axis])

    def reshape(self, *shape: int) -> Any:
        return node(self.value.reshape(*shape), (self, lambda g, size: g.reshape(self.shape)))


def node(value: Any, *parents: tuple[Any, Callable]) -> Any:
    """Make a node; return the value itself if it was computed from constants."""
    known = [(x, pull) for x, pull in parents if isinstance(x, Node)]
    return Node(value, known) if known else value


def plain(x: Any) -> Any:
    return x.value if isinstance(x, Node) else x


def divide(x: Any, y: Any) -> Any:
    value, by = plain(x) / plain(y), plain(y)
    # not x / y², which may underflow
    parents = (x, lambda g, size: g / size(by)), (y, lambda g, size: g * size(-value) / size(by))
    return node(value, *parents)


def keep(g: Any, size: Callable) -> Any:
    return g


# --- the textbook's words, of nodes -------------------------------------------------------------------------------


def elementwise(function: Callable, slope: Callable) -> Callable:
    """Return a function of nodes, entry by entry. slope(x, f(x)): its derivative."""

    def word(x: Any) -> Any:
        value = function(plain(x))
        return node(value, (x, lambda g, size: g * size(slope(plain(x), value))))

    return word


def where(chosen: Any, x: Any, y: Any) -> Any:
    parents = (x, lambda g, size: np.where(chosen, g, 0)), (y, lambda g, size: np.where(chosen, 0, g))
    return node(np.where(chosen, plain(x), plain(y)), *parents)


def concatenate(parts: Any, axis: int = 0) -> Any:
    ends = np.cumsum([x.shape[axis] for x in parts])
    parents = [
        (x, lambda g, size, at=slice(end - x.shape[axis], end): g[at] if axis == 0 else g[:, at])
        for x, end in zip(parts, ends)
    ]
    return node(np.concatenate([plain(x) for x in parts], axis=axis), *parents)


def over_rows(exp: Callable, log: Callable) -> Callable:
    """Return the textbook's logsumexp; its slope by a logit is the logit's share of the sum, or 0 if all are 0."""

    def logsumexp(x: Any, over: Any) -> Any:
        if isinstance(x, Node):
            x.softmax = True
        top = np.max(plain(x), axis=1, keepdims=True, where=over, initial=-np.inf)
        parts = np.where(over, exp(np.where(over, plain(x) - top, 0)), 0)
        total = np.sum(parts, axis=1, keepdims=True)
        shares = parts / np.where(total == 0, 1, total)
        return node((top + log(total))[:, 0], (x, lambda g, size: g[:, None] * size(shares)))

    return logsumexp


def collect_words(exp: Callable, log: Callable, sqrt: Callable) -> dict[str, Callable]:
    """Return the textbook's words as functions of nodes."""
    return {
        "exp": elementwise(exp, lambda x, y: y),
        "log": elementwise(log, lambda x, y: 1 / x),
        "sqrt": elementwise(sqrt, lambda x, y: 0.5 / y),
        "where": where,
        "concatenate": concatenate,
        "logsumexp": over_rows(exp, log),
        "stop": plain,
    }


def of_balls(name: str) -> Callable:
    """Return exp, log or sqrt of balls; whole numbers become balls first, so that no logarithm is rounded."""
    return np.frompyfunc(lambda x: getattr(arb(x), name)(), 1, 1)


def log_in(dtype: Any) -> Callable:
    """Return a logarithm that computes whole numbers in this dtype too."""
    return elementwise(lambda x: np.log(np.asarray(x, dtype)), lambda x, y: 1 / x)


WORDS = collect_words(np.exp, np.log, np.sqrt)
BALL_WORDS = collect_words(of_balls("exp"), of_balls("log"), of_balls("sqrt"))

# --- backwards ----------------------------------------------------------------------------------------------------


class Slope(NamedTuple):
    """A slope, the size of the terms that it sums, and their size in the textbook's own form."""

    value: Any
    size: Any
    textbook: Any  # the same array as long as both are the same

    def pulled(self, pull: Callable, shape: tuple[int, ...]) -> "Slope":
        """Return the slope by a parent."""
        size = fit(pull(self.size, np.abs), shape)
        textbook = size if self.textbook is self.size else fit(pull(self.textbook, np.abs), shape)
        return Slope(fit(pull(self.value, np.asarray), shape), size, textbook)

    def plus(self, other: "Slope") -> "Slope":
        """Add the slopes along two ways."""
        size = self.size + other.size
        same = self.size is self.textbook and other.size is other.textbook
        return Slope(self.value + other.value, size, size if same else self.textbook + other.textbook)


def differentiate(result: Any) -> dict[Node, Slope]:
    """Differentiate a result, a number, by everything that it was computed from."""
    if not isinstance(result, Node):
        return {}
    one = np.asarray(result.value * 0 + 1)
    found = {result: Slope(one, one, one)}
    for each in list_before(result):
        here = found[each] = balance(found[each]) if each.softmax and not each.added else found[each]
        for parent, pull in each.parents:
            part = here.pulled(pull, parent.shape)
            found[parent] = found[parent].plus(part) if parent in found else part
    return found


def list_before(result: Node) -> list[Node]:
    """List all nodes that a result was computed from, the last first."""
    known: dict[Node, None] = {}
    rest = [result]
    while rest:
        each = rest.pop()
        if each not in known:
            known[each] = None
            rest += [parent for parent, _ in each.parents]
    return sorted(known, key=lambda each: -each.number)


def fit(g: Any, shape: tuple[int, ...]) -> Any:
    """Sum a slope over the axes along which its number was repeated."""
    g = np.asarray(g)  # NumPy makes a number of an array of one object
    if g.shape == shape:
        return g
    g = np.sum(g, axis=tuple(range(g.ndim - len(shape)))) if g.ndim > len(shape) else g
    axes = tuple(k for k, n in enumerate(shape) if n == 1 != g.shape[k])
    return np.sum(g, axis=axes, keepdims=True) if axes else g


def balance(slope: Slope) -> Slope:
    """The slopes by logits, of rows whose slopes sum to 0: what pushes is Σ_m A_j B_m, what pulls Σ_m B_j A_m, over
    m ≠ j, of their positive terms A and negative terms B, which have the same sum.
    """
    positive, negative = (slope.textbook + slope.value) / 2, (slope.textbook - slope.value) / 2
    total = np.sum(positive, axis=1, keepdims=True)
    even = np.abs(np.sum(slope.value, axis=1, keepdims=True)) <= EVEN * total
    over = np.where(even & (total > 0), total, 1)
    push, pull = positive * sum_others(negative) / over, negative * sum_others(positive) / over
    value, size = np.where(even, push - pull, slope.value), np.where(even, push + pull, slope.size)
    return slope._replace(value=value, size=size)


def sum_others(x: Any) -> Any:
    """Sum, for each entry, the others of its row, accurately even if one entry is nearly the whole sum."""
    top = np.arange(x.shape[1]) == np.argmax(x, axis=1)[:, None]
    rest = np.sum(np.where(top, 0, x), axis=1, keepdims=True)
    return np.where(top, rest, np.sum(x, axis=1, keepdims=True) - x)
