"""The stable elementary functions that every loss is written with.

A framework that computes a second derivative differentiates these functions, so their branches are smooth and
finite, even at ties and at 0.
"""

import math
from collections.abc import Callable

from array_api_compat import is_cupy_namespace, is_numpy_namespace

from .arrays import Array, array_namespace, detach, device, is_recorded


def minus_abs(x: Array) -> Array:
    """−|x|, with the slope 1 below 0 and −1 from 0 on; a framework's own |x| has the slope 0 at 0."""
    xp = array_namespace(x)
    return -xp.abs(x) if is_numpy_namespace(xp) or is_cupy_namespace(xp) else xp.where(x < 0, x, -x)


def identity_mask(x: Array, n: int) -> Array:
    """The n × n identity as booleans, on x's device."""
    xp = array_namespace(x)
    return xp.eye(n, dtype=xp.bool, device=device(x))


def one_hot(index: Array, size: int) -> Array:
    """Booleans with one more axis of that size, true at the index."""
    xp = array_namespace(index)
    return index[..., None] == xp.arange(size, dtype=index.dtype, device=device(index))


def mask_logits(logits: Array, mask: Array) -> Array:
    """Logits with −∞, whose weight e^−∞ is 0, wherever the mask is true (a logit of 0 would weigh 1)."""
    xp = array_namespace(logits)
    return xp.where(mask, -xp.inf, logits)


def mask_in_place(logits: Array, mask: Array) -> Array:
    """Like `mask_logits`, but overwrites an array that nothing else uses, if the library allows, because new
    memory costs time.
    """
    xp = array_namespace(logits)
    if not (is_numpy_namespace(xp) or is_cupy_namespace(xp)):
        return mask_logits(logits, mask)
    xp.copyto(logits, -xp.inf, where=mask)
    return logits


def compute_into(space: Array, function: Callable[..., Array], *arrays: Array) -> Array:
    """function(*arrays), written into the array `space`, which may be one of them, if the library allows."""
    xp = array_namespace(space)
    return (
        function(*arrays, out=space) if is_numpy_namespace(xp) or is_cupy_namespace(xp) else function(*arrays)
    )


BLOCK = 128  # this many numbers are added sequentially


def stable_sum(x: Array, axis: int = -1) -> Array:
    """Σ along one axis, with an error that does not grow with its length.

    NumPy adds numbers that are not adjacent in memory one by one, as on the last axis of a transposed view. So they
    are added in blocks first, then the blocks. Other libraries add in blocks along any axis.
    """
    xp = array_namespace(x)
    n = x.shape[axis]
    if not is_numpy_namespace(xp) or n <= BLOCK or x.strides[axis] == x.itemsize:
        return xp.sum(x, axis=axis)
    before = (slice(None),) * (axis % x.ndim)
    parts = [xp.sum(x[(*before, slice(k, k + BLOCK))], axis=axis) for k in range(0, n, BLOCK)]
    return stable_sum(xp.stack(parts, axis=axis), axis)


def softmax_in_place(logits: Array, origin: Array | float = 0.0) -> tuple[Array, Array]:
    """Softmax over the last axis, written over an array that nothing else uses if the library allows, and
    log-sum-exp minus an origin, a number for each row.

    One pass of exponentials, none of a positive number. A logit of −∞ has no weight; a row of −∞ alone has the
    softmax 0 and the log-sum-exp −∞ of an empty sum. The origin is subtracted before the logarithm is added, so
    that logits far from 0 cost no digits.
    """
    xp = array_namespace(logits)
    if logits.shape[-1] == 0:
        return logits, xp.sum(logits, axis=-1) - xp.inf
    largest, recorded = find_largest(logits), is_recorded(logits)
    if recorded:
        softmax = xp.exp(logits - largest)
    else:
        logits -= largest
        softmax = compute_into(logits, xp.exp, logits)
    total = stable_sum(softmax)
    none = total == 0
    total = xp.where(none, xp.ones_like(total), total)
    if recorded:  # the slope of eˣ is eˣ, which must not be overwritten
        softmax = softmax / total[..., None]
    else:
        softmax /= total[..., None]
    return softmax, xp.where(none, -xp.inf, (largest[..., 0] - origin) + xp.log(total))


def find_largest(logits: Array) -> Array:
    """Return the largest logit of each row (…, 1), to be subtracted from it; 0 if all are −∞."""
    xp = array_namespace(logits)
    largest = detach(xp.max(logits, axis=-1, keepdims=True))
    return xp.where(largest == -xp.inf, xp.zeros_like(largest), largest)


def power_of_two(x: Array) -> Array:
    """The largest power of 2 that is at most each of these positive numbers: division by it is exact."""
    x = detach(x)
    xp = array_namespace(x)
    if hasattr(xp, "frexp"):
        return x / (2 * xp.frexp(x)[0])
    # frexp is not in the standard; the logarithm may round up, but not above the largest power of 2 of the
    # dtype
    _, exponent = math.frexp(xp.finfo(x.dtype).max)
    power = xp.minimum(xp.floor(xp.log2(x)), xp.full_like(x, exponent - 1))
    return xp.pow(xp.full_like(x, 2), power)


def softplus(x: Array) -> Array:
    """log(1 + eˣ), with full relative accuracy as x → −∞."""
    xp = array_namespace(x)
    return xp.where(x < 0, xp.zeros_like(x), x) + xp.log1p(xp.exp(minus_abs(x)))


def sigmoid(x: Array) -> Array:
    """1/(1 + e⁻ˣ), with full relative accuracy as x → −∞."""
    xp = array_namespace(x)
    small = xp.exp(minus_abs(x))
    return xp.where(x < 0, small, xp.ones_like(x)) / (1 + small)
