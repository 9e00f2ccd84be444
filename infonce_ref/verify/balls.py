"""The judge's arithmetic: numbers with their bounds, Arb's balls, through python-flint.

A ball is a midpoint and a radius, and every operation's ball holds the exact result: what an error is measured
against is therefore known to lie within bounds that are proved, and a ball too wide for its digits is seen.
"""

from fractions import Fraction
from functools import reduce
from operator import mul
from typing import Any

from flint import arb, fmpq

from .proofs import Functions

DIGITS = 50
FUNCTIONS = Functions(
    exp=lambda x: 1 if x == 0 else arb(x).exp(),  # whole: six ones times 1/6 have then no radius
    log=lambda x: arb(x).log(),
    sqrt=lambda x: arb(x).sqrt(),
    ratio=fmpq,
    power=lambda x, n: reduce(mul, [x] * n),  # a power of a ball that holds 0 is no number in Arb
)


def balls(numbers: Any) -> Any:
    """Numbers in lists and dictionaries as balls, fractions with a radius; whole ones may be indices, and stay."""
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
