"""Linear networks: a row of weights for each output. The slopes of a loss by the weights, in two ways."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

import mpmath

from ..evidence.kinds import Finding
from ..evidence.points import Rows
from ..prover.inequality import decimal
from . import rational

DIGITS, TINY = 50, Fraction(1, 10**12)  # a difference neglects the square of its step
TOLERANCE = mpmath.mpf(10) ** -20


def apply(network: Rows, rows: Iterable[rational.Row]) -> Rows:
    return Rows([[rational.dot(weights, row) for weights in network] for row in rows])


def decimals(rows: Iterable[rational.Row]) -> list[list[mpmath.mpf]]:
    return [list(map(decimal, row)) for row in rows]


def compare_slopes(
    name: str,
    loss: Callable[[Rows], mpmath.mpf],
    network: Rows,
    slopes: Sequence[Sequence[mpmath.mpf]],
    seen: Sequence[rational.Row],
) -> Finding:
    """The slope of a loss by each weight, from differences, and by the chain rule. slopes: by the outputs, for each
    row that is seen."""
    farthest = mpmath.mpf(0)
    for c, weights in enumerate(network):
        for e in range(len(weights)):
            chain = sum(slope[c] * decimal(row[e]) for slope, row in zip(slopes, seen, strict=True))
            moved = [[list(row) for row in network] for _ in range(2)]
            moved[0][c][e] += TINY
            moved[1][c][e] -= TINY
            ahead, behind = map(loss, map(Rows, moved))
            farthest = max(farthest, abs((ahead - behind) / (2 * decimal(TINY)) - chain))
    return Finding(farthest, "≈", 0, (f"farthest slope of {name} from the chain rule", ""), TOLERANCE)
