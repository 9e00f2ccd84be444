"""Products and sums with twice the digits, for the few sums that cancel in working precision.

    a b     = p + e    p rounded, e its rounding error, exactly         (Dekker 1971)
    Σ_f x_f = h + l    h exact, l the sum of the rest, far below h      (Rump, Ogita and Oishi 2008)

Rounding errors are constants for autograd; the rounded part carries the whole gradient.

Every line needs each operation to be rounded separately, as NumPy, CuPy, PyTorch and JAX do when called line by
line. If a compiler fuses a product with a sum, the result has about the digits of working precision.
"""

import math
from collections.abc import Sequence

from array_api_compat import is_numpy_namespace

from .arrays import Array, array_namespace, detach


def is_single(x: Array) -> bool:
    """Whether x is NumPy's and of float32: then float64 has twice the digits, in a tenth of the time."""
    return is_numpy_namespace(array_namespace(x)) and x.dtype == "float32"


def halves(x: Array) -> tuple[Array, Array]:
    """Split x into two parts of half its digits, whose products are exact."""
    lower = (2 - math.log2(array_namespace(x).finfo(x.dtype).eps)) // 2  # 12 of 24 digits, 27 of 53
    stretched = x * (2.0**lower + 1)
    high = stretched - (stretched - x)
    return high, x - high


def product(a: Array, b: Array) -> tuple[Array, Array]:
    """a b rounded, and its rounding error."""
    if is_single(a):
        exact = array_namespace(a).multiply(a, b, dtype="float64")
        p = exact.astype("float32")
        return p, (exact - p).astype("float32")
    p = a * b
    (a1, a2), (b1, b2) = halves(detach(a)), halves(detach(b))
    return p, ((a1 * b1 - detach(p)) + a1 * b2 + a2 * b1) + a2 * b2


def difference(a: Array, b: Array) -> tuple[Array, Array]:
    """a − b rounded, and its rounding error, exactly.    (Knuth 1969)"""
    rounded = a - b
    a, b, d = detach(a), detach(b), detach(rounded)
    taken = a - d
    return rounded, (a - (d + taken)) + (taken - b)


def total(x: Array) -> tuple[Array, Array]:
    """The sum over the last axis, in two parts: the terms rounded to a grid so coarse that their sum is exact, and
    the remainders.
    """
    xp = array_namespace(x)
    largest = detach(xp.max(xp.abs(x), axis=-1, keepdims=True))
    grid = 4 * x.shape[-1] * largest
    on_grid = (x + grid) - grid
    return order(xp.sum(on_grid, axis=-1), xp.sum(x - on_grid, axis=-1))


def order(high: Array, low: Array) -> tuple[Array, Array]:
    """Return the same sum as (rounded sum, remainder)."""
    both = high + low
    return both, (high - both) + low


def times(a: Sequence[Array], b: Sequence[Array]) -> tuple[Array, Array]:
    """Multiply two numbers of two parts each; the result has two parts."""
    p, e = product(a[0], b[0])
    return p, e + (a[0] * b[1] + a[1] * b[0])


def dot(a: Array, b: Array, more: Array) -> Array:
    """Σ_f a_f (b_f + more_f) over the last axis, where `more` is far below b. The sum keeps full accuracy even if
    it cancels.

    >>> import numpy as np
    >>> from infonce_ref import double_length
    >>> a, b = np.array([1e9, 1.0, 1e9]), np.array([1e9, 3.0, -1e9])
    >>> print(double_length.dot(a, b, 0 * b))
    3.0
    """
    xp = array_namespace(a)
    if is_single(a):
        return xp.vecdot(xp.astype(a, xp.float64), xp.add(b, more, dtype="float64")).astype("float32")
    p, e = product(a, b)
    high, low = total(p)
    return high + (low + xp.sum(e + a * more, axis=-1))
