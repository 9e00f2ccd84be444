"""Uniformity on the cheat sheet."""

from sympy import Integer

from ...symbols import loss, sharpness
from . import Card

CARD = Card(
    group="Distances and correlations",
    title="Uniformity",
    paper="Wang and Isola 2020",
    year=2020,
    inputs=("z",),
    of=loss,
    when="To measure how evenly rows fill the sphere, or to train beside alignment [R16].",
    rows="of unit rows",
    least=-4 * sharpness,
    most=Integer(0),
)
