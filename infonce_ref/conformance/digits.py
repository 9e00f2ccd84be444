"""The few functions in which a formula is written, both for float64 and for arrays of Arb's balls.

A formula is fitted in float64, at many temperatures at once; the loss is then compared with it at 50 digits.
"""

from typing import Any

import numpy as np

try:
    from flint import arb, ctx
except ModuleNotFoundError as error:
    needed = "exact numbers need python-flint: pip install 'infonce_ref[verify]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

Numbers = Any  # an array of float64, or of balls
DIGITS = 50
NOTHING: Any = arb("-inf")  # the logarithm of a sum without terms

balls = np.frompyfunc(lambda x: arb(float(x)), 1, 1)  # exactly
_log = np.frompyfunc(arb.log, 1, 1)
_log1p = np.frompyfunc(arb.log1p, 1, 1)


def many_digits() -> Any:
    """The context in which balls are computed."""
    return ctx.workdps(DIGITS)


def exact(x: Any) -> bool:
    """Return whether these are Arb's balls."""
    return np.asarray(x).dtype == object


exp, sqrt = np.exp, np.sqrt  # on objects NumPy calls arb.exp and arb.sqrt


def log(x: Numbers) -> Numbers:
    return _log(x) if exact(x) else np.log(x)


def log1p(x: Numbers) -> Numbers:
    return _log1p(x) if exact(x) else np.log1p(x)


def softplus(x: Numbers) -> Numbers:
    """log(1 + eˣ), with full relative accuracy as x → −∞."""
    return np.maximum(x, 0 * x) + log1p(exp(-abs(x)))


def log_sum_exp(x: Numbers, over: np.ndarray, axis: int = -1) -> Numbers:
    """log Σ eˣ over the entries where a mask is true, at least one in each row."""
    counted = np.where(over, x, NOTHING if exact(x) else -np.inf)
    largest = counted.max(axis=axis, keepdims=True)
    total = exp(counted - largest).sum(axis=axis, keepdims=True)
    return np.squeeze(largest + log(total), axis=axis)
