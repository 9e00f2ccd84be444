"""Losses of a few rows in exact fractions.

The rows are fractions, among them unit rows such as (3/5, 4/5). If e^{1/(25τ)} = b is a fraction, then so is every
e^{s/τ} = b^{25 s} with whole 25 s, and every probability.
"""

from collections.abc import Sequence
from fractions import Fraction

from sympy import Expr, Symbol

from ..prover.evaluate import Functions, evaluator
from ..prover.notation import Definition
from ..symbols import N, d, f, p, tau
from ..symbols import z as rows_of

Row = Sequence[Fraction]


def rows(*pairs: Sequence[int], by: int = 5) -> list[list[Fraction]]:
    """Return rows of whole numbers divided by their lengths: rows((3, 4)) is the unit row (3/5, 4/5)."""
    return [[Fraction(x, by) for x in pair] for pair in pairs]


def dot(left: Row, right: Row) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def exp(similarity: Fraction, b: Fraction) -> Fraction:
    """e^{s/τ} = b^{25 s}."""
    if (25 * similarity).denominator != 1:
        raise ValueError(f"exact: 25 s must be whole, got s = {similarity}; choose other rows")
    return Fraction(b) ** int(25 * similarity)


def table(
    entry: Expr,
    indices: tuple[Symbol, Symbol],
    names: tuple[Definition, ...],
    z: Sequence[Row],
    b: Fraction,
    partner: Sequence[int] = (),
) -> list[list[Fraction]]:
    """Return a table of an entry at all values of its two indices, by these definitions; the second index runs over
    features if it is f, else over rows.
    """
    numbers = {N: len(z), d: len(z[0]), rows_of: z, tau: Fraction(1, 25), p: partner}
    functions = Functions(lambda exponent: exp(exponent / 25, b), _refuse, _refuse)
    run = evaluator(entry, numbers, functions, names)
    row, column = indices
    columns = range(len(z[0] if column == f else z))
    return [[Fraction(run({row: x, column: y})[0]) for y in columns] for x in range(len(z))]


def _refuse(number: Fraction) -> Fraction:
    raise ValueError(
        f"exact: no logarithm and no root of {number} is a fraction; evaluate a form without them"
    )


def tangent(z: Row, x: Row) -> list[Fraction]:
    """(I − z zᵀ) x."""
    along = dot(z, x)
    return [b - along * a for a, b in zip(z, x, strict=True)]
