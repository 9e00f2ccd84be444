"""Triplet on the cheat sheet."""

from sympy import Integer

from . import Card

CARD = Card(
    group="Distances and correlations",
    title="Triplet",
    paper="Schroff et al. 2015, FaceNet",
    year=2015,
    inputs=("anchor", "positive", "negative"),
    when=(
        "One negative, a margin, no temperature: the limit of a cold softmax over two, with a margin [M13]."
    ),
    rows="of any rows",
    least=Integer(0),
)
