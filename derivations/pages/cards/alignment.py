"""Alignment on the cheat sheet."""

from sympy import Integer

from ...symbols import exponent
from . import Card

CARD = Card(
    group="Distances and correlations",
    title="Alignment",
    paper="Wang and Isola 2020",
    year=2020,
    inputs=("z1",),
    where=("F12 log",),
    when=(
        "To measure how near the views are, or to train beside uniformity: alone it is least "
        "where all rows are one."
    ),
    rows="of unit rows",
    least=Integer(0),
    most=2**exponent,
)
