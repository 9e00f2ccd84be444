"""The few functions that a formula is written with, on float64 and on arrays of decimal.Decimal alike.

A formula is fitted in float64, many temperatures at once; what a loss is then held against has 50 digits.
"""

from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np

Numbers = Any  # an array of float64, or of Decimal
DIGITS = 50
NOTHING: Any = Decimal("-Infinity")  # as a logarithm
TINY = Decimal(10) ** -20  # below it three terms of the series of log(1 + x) have more than 50 digits


def many_digits() -> Any:
    """The context in which Decimals are computed."""
    return localcontext(Context(prec=DIGITS))


def _decimal(x: float) -> Decimal:
    return Decimal(float(x))


def _log1p(x: Decimal) -> Decimal:
    return x - x * x / 2 + x * x * x / 3 if abs(x) < TINY else (1 + x).ln()


decimals = np.frompyfunc(_decimal, 1, 1)  # exactly, digit for digit
_ln = np.frompyfunc(Decimal.ln, 1, 1)
_ln1p = np.frompyfunc(_log1p, 1, 1)


def exact(x: Any) -> bool:
    """Whether these are Decimals."""
    return np.asarray(x).dtype == object


exp, sqrt = np.exp, np.sqrt  # on objects NumPy calls Decimal.exp and Decimal.sqrt


def log(x: Numbers) -> Numbers:
    return _ln(x) if exact(x) else np.log(x)


def log1p(x: Numbers) -> Numbers:
    return _ln1p(x) if exact(x) else np.log1p(x)


def softplus(x: Numbers) -> Numbers:
    """log(1 + eˣ), with full relative accuracy as x → −∞."""
    return np.maximum(x, 0 * x) + log1p(exp(-abs(x)))


def log_sum_exp(x: Numbers, over: np.ndarray, axis: int = -1) -> Numbers:
    """log Σ eˣ over the entries where a mask is true, at least one in each row."""
    counted = np.where(over, x, NOTHING if exact(x) else -np.inf)
    largest = counted.max(axis=axis, keepdims=True)
    total = exp(counted - largest).sum(axis=axis, keepdims=True)
    return np.squeeze(largest + log(total), axis=axis)
