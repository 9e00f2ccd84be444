"""The cosine of row i of one array with row i of another, for BYOL and SimSiam."""

from sympy import Expr, IndexedBase, sqrt

from ..prover.notation import Definition, total
from ..prover.sums import Facts
from ..symbols import LENGTHS, UNITS, N, d, f, g, h, i, k

FACTS = Facts(ranges={i: N, k: N, f: d, g: d, h: d})


def definitions(left: IndexedBase, right: IndexedBase, cosine: IndexedBase) -> tuple[Definition, ...]:
    """Define the lengths and unit rows of both arrays, x̄ = x/‖x‖, and the cosines of their rows."""
    lengths, units = zip(*map(_unit, (left, right)), strict=True)
    return (
        *lengths,
        *units,
        Definition(cosine[i], total(UNITS[left][i, h] * UNITS[right][i, h], (h, d))),
    )


def _unit(rows: IndexedBase) -> tuple[Definition, Definition]:
    length = sqrt(total(rows[i, g] ** 2, (g, d)))
    return Definition(LENGTHS[rows][i], length), Definition(UNITS[rows][i, f], rows[i, f] / LENGTHS[rows][i])


def cosine_by(rows: IndexedBase, other: IndexedBase, cosine: IndexedBase, at, feature) -> Expr:
    """∂ cos(x, y)/∂x = (ȳ − cos x̄)/‖x‖: the part of ȳ orthogonal to x̄, divided by the length of x."""
    return (UNITS[other][at, feature] - cosine[at] * UNITS[rows][at, feature]) / LENGTHS[rows][at]


def square(left: IndexedBase, right: IndexedBase, sign: int = -1) -> Expr:
    """‖x̄ − ȳ‖² of two rows, or ‖x̄ + ȳ‖² for sign = 1."""
    return total((UNITS[left][i, f] + sign * UNITS[right][i, f]) ** 2, (f, d))
