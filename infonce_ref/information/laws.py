"""Mutual information and entropies of a discrete joint law (D3).

    I(X;Y) = Σ_xy p(x,y) log p(x,y)/(p(x) p(y))                         [D3.21, D3.22]
           = Σ_xy p(x,y) log p(x|y)/p(x)                                [D3.19, D3.24]
           = H(X) − H(X|Y) = H(Y) − H(Y|X)                              [D3.25]

    p(x,y)     joint law: row x, column y                                       (K, M), ≥ 0, sum 1
    I, H       nats; 0 ≤ I ≤ min(H(X), H(Y))                            [D3.26, D3.27]

A cell of probability 0 contributes 0, the limit of p log p.
"""

from typing import Any

from .. import double_length
from ..arrays import Array, array_namespace
from ..checks import check, is_broken, nan_if_broken
from ..elementary import stable_sum


@nan_if_broken
def mutual_information(joint: Array) -> Array:
    """I(X;Y) in nats, a 0-d array, of a joint law (K, M).

    The rounding error is a few eps relative to I, even for nearly independent X and Y.
    Raises ValueError for a negative cell, or a sum that is not 1. Source: D3, Mutual Information.

    >>> import numpy as np
    >>> from infonce_ref import information
    >>> print(f"{information.mutual_information(np.array([[0.4, 0.1], [0.1, 0.4]])):.6f} nats")
    0.192745 nats
    """
    xp, p, _ = check_law("joint", joint, "K M")
    rows, columns = double_length.total(p), double_length.total(xp.matrix_transpose(p))
    high, low = double_length.total(rows[0])
    total = double_length.order(high, low + xp.sum(rows[1]))
    # p − p(x) p(y) of the law p/total, with full accuracy
    of_law = double_length.times((p, xp.zeros_like(p)), total)
    of_product = double_length.times([x[:, None] for x in rows], columns)
    excess, q = (of_law[0] - of_product[0]) + (of_law[1] - of_product[1]), of_product[0]
    # both sum to 1, so I = Σ p log(p/q) = Σ q (ρ log ρ − ρ + 1), ρ = p/q, with no negative term     [D3.22]
    ratio = xp.where(q > 0, excess, 0.0) / xp.where(q > 0, q, 1.0)  # ρ − 1
    return xp.sum(q * _log_excess(ratio)) / total[0] ** 2


@nan_if_broken
def entropy(probabilities: Array) -> Array:
    """H = −Σ p log p in nats, a 0-d array, of a law (K,). Raises as `mutual_information`.

    >>> import numpy as np
    >>> from infonce_ref import information
    >>> print(f"{information.entropy(np.array([0.5, 0.25, 0.25])) / np.log(2):.2f} bits")
    1.50 bits
    """
    xp, p = _law("probabilities", probabilities, "K")
    return -xp.sum(_times_log(p))


@nan_if_broken
def conditional_entropy(joint: Array) -> Array:
    """H(X|Y) = −Σ p(x,y) log p(x|y) in nats, a 0-d array, of a joint law (K, M); H(Y|X) is its transpose's.

    Raises as `mutual_information`.

    >>> import numpy as np
    >>> from infonce_ref import information
    >>> print(f"{information.conditional_entropy(np.array([[0.4, 0.1], [0.1, 0.4]])):.6f} nats")
    0.500402 nats
    """
    xp, p = _law("joint", joint, "K M")
    given = stable_sum(p, axis=0)
    # Σ_y p(y) H(X|Y=y)                                                       [D3.25]
    return -xp.sum(given * _times_log(p / xp.where(given > 0, given, 1.0)))


def _law(name: str, probabilities: Array, axes: str) -> tuple[Any, Array]:
    """Return the namespace, and the law divided by its sum."""
    xp, p, total = check_law(name, probabilities, axes)
    return xp, p / total


def check_law(name: str, probabilities: Array, axes: str) -> tuple[Any, Array, Array]:
    """Return the namespace, the law, and its sum, which must be 1 to half the digits of the dtype."""
    xp, _ = check(**{name: (probabilities, axes)})
    if is_broken(xp.all(probabilities >= 0)):
        raise ValueError(f"{name} must not be negative; its least cell is {float(xp.min(probabilities))}")
    total = xp.sum(probabilities)
    if is_broken(xp.abs(total - 1) <= xp.finfo(probabilities.dtype).eps ** 0.5):
        raise ValueError(f"{name} must sum to 1; got {float(total)}: divide the counts by their total")
    return xp, probabilities, total


def _times_log(x: Array) -> Array:
    """x log x, 0 at 0."""
    xp = array_namespace(x)
    return x * xp.log(xp.where(x > 0, x, 1.0))


def _log_excess(x: Array) -> Array:
    """(1 + x) log(1 + x) − x, about x²/2 near 0, where it keeps its digits."""
    xp = array_namespace(x)
    near = xp.abs(x) < 0.5
    # with s = x/(2 + x): log(1 + x) = 2 artanh s, so it is 2 (s² + (1 + s)(artanh s − s))/(1 − s)
    s = xp.where(near, x, 0.0) / (2 + xp.where(near, x, 0.0))
    square, tail = s * s, xp.zeros_like(s)
    for k in range(37, 2, -2):  # artanh s − s = s³/3 + s⁵/5 + …, |s| ≤ 1/3
        tail = tail * square + 1 / k
    return xp.where(near, 2 * (square + (1 + s) * (s * square * tail)) / (1 - s), _times_log(1 + x) - x)
