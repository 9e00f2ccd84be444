"""Barlow Twins on the cheat sheet."""

from sympy import Integer

from ...symbols import d, loss, redundancy
from . import Card

CARD = Card(
    group="Distances and correlations",
    title="Barlow Twins",
    paper="Zbontar et al. 2021",
    year=2021,
    inputs=("z1",),
    of=loss,
    where=("F25 correlation", "F26 error"),
    when=(
        "Features of the two views alike, and no two features alike. With fewer rows than "
        "features it has a floor above 0 [R4]."
    ),
    rows="of any rows",
    least=Integer(0),
    most=4 * d + redundancy * d * (d - 1),
)
