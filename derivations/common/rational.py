"""Losses of a few rows in exact fractions.

The rows are fractions, among them unit rows such as (3/5, 4/5). If e^{1/(25τ)} = b is a fraction, then so is every
e^{s/τ} = b^{25 s} with whole 25 s, and every probability.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

Row = Sequence[Fraction]


def rows(*pairs: Sequence[int], by: int = 5) -> list[list[Fraction]]:
    """Divide rows of whole numbers: rows((3, 4)) is the unit row (3/5, 4/5)."""
    return [[Fraction(x, by) for x in pair] for pair in pairs]


def dot(left: Row, right: Row) -> Fraction:
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def exp(similarity: Fraction, b: Fraction) -> Fraction:
    """e^{s/τ} = b^{25 s}."""
    if (25 * similarity).denominator != 1:
        raise ValueError(
            f"exact: 25 s must be whole, got s = {similarity}; take rows whose products allow it"
        )
    return Fraction(b) ** int(25 * similarity)


def everyone(row: int, column: int) -> bool:
    return True


def all_but_itself(row: int, column: int) -> bool:
    return row != column


def probabilities(
    z: Sequence[Row], b: Fraction, candidate: Callable[[int, int], bool] = everyone
) -> list[list[Fraction]]:
    """P_ij over the candidates of each row [D1.3]; candidate=all_but_itself masks the row itself [D3.2]."""
    table = []
    for i, row in enumerate(z):
        weights = [exp(dot(row, other), b) if candidate(i, j) else Fraction(0) for j, other in enumerate(z)]
        table.append([weight / sum(weights) for weight in weights])
    return table


def error(P: Sequence[Row], p: Sequence[int]) -> list[list[Fraction]]:
    """G = P − 1[positive] [D1.11]."""
    return [[x - (j == p[i]) for j, x in enumerate(row)] for i, row in enumerate(P)]


def gradient(G: Sequence[Row], z: Sequence[Row]) -> list[list[Fraction]]:
    """(G + Gᵀ) Z, which is Nτ times the gradient [D1.13]."""
    both = [[G[k][j] + G[j][k] for j in range(len(z))] for k in range(len(z))]
    return [[dot(row, column) for column in zip(*z, strict=True)] for row in both]


def tangent(z: Row, x: Row) -> list[Fraction]:
    """(I − z zᵀ) x."""
    along = dot(z, x)
    return [b - along * a for a, b in zip(z, x, strict=True)]
