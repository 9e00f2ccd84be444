"""Barlow Twins on the cheat sheet."""

from sympy import Integer

from ...symbols import d, loss, redundancy
from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="Barlow Twins",
    paper="Zbontar et al. 2021",
    year=2021,
    inputs=("z1",),
    of=loss,
    where=("F25 correlation", "F26 error"),
    when=(
        "Each feature equal in both views, and no two features correlated. With fewer rows than "
        "features it has a floor above 0 [R4]."
    ),
    rows="of any rows",
    least=Integer(0),
    most=4 * d + redundancy * d * (d - 1),
    calls=("lightly.loss.BarlowTwinsLoss",),
)
