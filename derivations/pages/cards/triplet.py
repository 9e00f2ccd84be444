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
        "One negative, a margin, no temperature: what a cold softmax over two becomes [M13], and a margin."
    ),
    rows="of any rows",
    least=Integer(0),
)
