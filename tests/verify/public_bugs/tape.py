"""Reverse mode in a few lines: the gradient that an autograd library would give, stop-gradients included.

A wrong loss has only a forward pass. Its backward is then the true gradient of the wrong value or, if `detach` cuts
the graph as the library's code did, the gradient that the library used.
"""

import numpy as np


class Node:
    """A value, and for each parent the function from the derivative by the value to the derivative by the
    parent.
    """

    __array_ufunc__ = None  # so that NumPy leaves an operation with an array on the left to this class

    def __init__(self, value, *parents):
        self.value, self.parents = np.asarray(value), parents

    shape = property(lambda self: self.value.shape)

    def __add__(self, other):
        x, y = pair(self, other)
        return Node(x.value + y.value, (x, lambda g: fit(g, x)), (y, lambda g: fit(g, y)))

    def __mul__(self, other):
        x, y = pair(self, other)
        return Node(x.value * y.value, (x, lambda g: fit(g * y.value, x)), (y, lambda g: fit(g * x.value, y)))

    def __matmul__(self, other):
        return Node(
            self.value @ other.value,
            (self, lambda g: g @ other.value.T),
            (other, lambda g: self.value.T @ g),
        )

    def __pow__(self, n):
        return Node(self.value**n, (self, lambda g: g * n * self.value ** (n - 1)))

    def __getitem__(self, index):
        def scattered(g):
            whole = np.zeros_like(self.value)
            np.add.at(whole, index, g)
            return whole

        return Node(self.value[index], (self, scattered))

    def __truediv__(self, other):
        return self * (other**-1 if isinstance(other, Node) else 1 / other)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return self * -1.0

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return other + -self

    def __rtruediv__(self, other):
        return other * self**-1

    @property
    def T(self):
        return Node(self.value.T, (self, lambda g: g.T))

    def sum(self, axis=None, keepdims=False):
        def spread(g):
            return np.broadcast_to(g if axis is None or keepdims else np.expand_dims(g, axis), self.shape)

        return Node(self.value.sum(axis, keepdims=keepdims), (self, spread))

    def mean(self, axis=None):
        count = self.value.size if axis is None else self.shape[axis]
        return self.sum(axis) / count


def pair(*both):
    """Convert both to nodes of one dtype; a number or a mask takes the dtype of the other."""
    dtype = next(x.value.dtype for x in both if isinstance(x, Node))
    return [x if isinstance(x, Node) else Node(np.asarray(x, dtype)) for x in both]


def fit(g, node):
    """Sum a gradient over the axes along which the node was broadcast."""
    g = g.sum(tuple(range(g.ndim - node.value.ndim)))
    return g.sum(tuple(i for i, n in enumerate(node.shape) if n == 1 and g.shape[i] != 1), keepdims=True)


def gradients(output, leaves):
    """Return the gradients of a scalar node by these leaves; 0 for leaves on which it does not depend."""
    order, seen = [], set()

    def visit(node):
        if id(node) not in seen:
            seen.add(id(node))
            for parent, _ in node.parents:
                visit(parent)
            order.append(node)

    visit(output)
    slopes = {id(output): np.ones_like(output.value)}
    for node in reversed(order):
        for parent, back in node.parents:
            slope = back(slopes[id(node)])
            slopes[id(parent)] = slopes[id(parent)] + slope if id(parent) in slopes else slope
    return [np.array(slopes.get(id(leaf), np.zeros_like(leaf.value))) for leaf in leaves]


def detach(x):
    return Node(x.value)


def exp(x):
    y = np.exp(x.value)
    return Node(y, (x, lambda g: g * y))


def log(x):
    return Node(np.log(x.value), (x, lambda g: g / x.value))


def where(mask, x, other):
    """x where the mask is true; elsewhere a number without gradient."""
    return Node(
        np.where(mask, x.value, np.asarray(other, x.value.dtype)), (x, lambda g: np.where(mask, g, 0))
    )


def at_least(x, bound):
    return where(x.value > bound, x, bound)


def at_most(x, bound):
    return where(x.value < bound, x, bound)


def maximum(x, axis):
    """The largest along an axis, kept as an axis of length 1; its gradient goes to that entry."""
    largest = np.expand_dims(np.argmax(x.value, axis), axis)
    index = tuple(largest if i == axis else j for i, j in enumerate(np.indices(largest.shape)))
    return x[index]


def logsumexp(x, axis):
    """logsumexp, shifted by a detached maximum as in the libraries' own functions."""
    top = detach(maximum(x, axis))
    return (log(exp(x - top).sum(axis, keepdims=True)) + top).sum(axis)


def unit(x, axis=1):
    return x / (x * x).sum(axis, keepdims=True) ** 0.5
