"""The arithmetic of `verify`: Arb's balls, numbers with rigorous error bounds, through python-flint.

A ball is a midpoint and a radius, and the ball of every operation contains the exact result. So errors are measured
against proved bounds, and a ball that is too wide is detected.
"""

from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

from flint import arb, fmpq

from .proofs import Functions

DIGITS = 50
FUNCTIONS = Functions(
    exp=lambda x: 1 if x == 0 else arb(x).exp(),  # an integer, so that six ones times 1/6 have no radius
    log=lambda x: arb(x).log(),
    sqrt=lambda x: arb(x).sqrt(),
    ratio=fmpq,
    power=lambda x, n: reduce(mul, [x] * n),  # Arb returns NaN for a power of a ball that contains 0
)


def balls(numbers: Any) -> Any:
    """Convert numbers in nested lists and dictionaries to balls, fractions with a radius. Keep integers, which
    may be indices."""
    match numbers:
        case dict():
            return {key: balls(value) for key, value in numbers.items()}
        case list() | tuple():
            return [balls(x) for x in numbers]
        case int():
            return numbers
        case Fraction():
            return arb(fmpq(numbers.numerator, numbers.denominator))
    return arb(numbers)
