"""Spectral contrastive on the cheat sheet."""

from sympy import Integer

from ...symbols import G, i, j, nu
from ..points import Points, two_views
from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="Spectral contrastive",
    paper="HaoChen et al. 2021",
    year=2021,
    inputs=("z1",),
    when=(
        "Polynomial, no temperature: in expectation it factorises the matrix of how often two views"
        " occur as a pair [R11]."
    ),
    rows="of unit rows",
    least=-Integer(2),
    most=Integer(3),
)

POINTS = Points(
    "spectral",
    two_views("z1", "z2"),
    uses=(),
    compared=({},),
    row="squares",
    sees="otherView",
    anchors="firstView",
    keys=("z2",),
    matrix="",
    slopes=lambda settings: (G[i, j] / nu,),
)
