"""Uniformity on the cheat sheet."""

from sympy import Integer

from ...symbols import N, closeness, i, j, loss, sharpness
from ..points import Points, one_set
from . import LossCard

CARD = LossCard(
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
    floor=-2 * sharpness * N / (N - 1),
    reached="a regular simplex [R16]",
)

POINTS = Points(
    "uniformity",
    one_set("z"),
    row="",
    matrix="P: each pair's share",
    shares=lambda settings: (closeness[i, j],),
    slopes=lambda settings: (2 * sharpness * closeness[i, j],),
    options=lambda count, settings: {"t": 1 / (2 * settings["temperature"])},
)
