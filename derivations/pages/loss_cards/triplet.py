"""Triplet on the cheat sheet."""

from itertools import product

from sympy import Integer

from ..points import Points, Rows, Settings
from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="Triplet",
    paper="Schroff et al. 2015, FaceNet",
    year=2015,
    inputs=("anchor", "positive", "negative"),
    when=(
        "One negative, a margin, no temperature: the limit of a softmax over two candidates as τ → 0"
        " [M13], plus a margin."
    ),
    rows="of any rows",
    least=Integer(0),
)


def _rows(count: int, settings: Settings) -> Rows:
    """Return each pair with the second view of every other pair."""
    pairs = count // 2
    chosen = [(row, other) for row, other in product(range(pairs), repeat=2) if row != other]
    return {
        "anchor": [row for row, _ in chosen],
        "positive": [row + pairs for row, _ in chosen],
        "negative": [other + pairs for _, other in chosen],
    }


POINTS = Points(
    "triplet, every negative",
    _rows,
    uses=("margin",),
    compared=({"margin": 1.5},),
    row="hinges",
    sees="otherView",
    anchors="firstView",
    keys=("positive", "negative"),
    matrix="P: 1 where a hinge is open",
)
