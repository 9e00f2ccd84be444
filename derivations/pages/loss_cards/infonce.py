"""InfoNCE, the anchor kept on the cheat sheet."""

from sympy import exp, log

from ...symbols import N, tau
from ..points import Points, list_shares, list_slopes, one_set
from . import LossCard

CARD = LossCard(
    group="Two views of one batch",
    title="InfoNCE, the anchor kept",
    paper="report D1",
    year=2018,
    inputs=("z",),
    when=(
        "To read, not to train with: aligned pairs keep at least half of their pull, and no loss "
        "falls below log 2 [M1, M3]."
    ),
    rows="of unit rows",
    least=log(2 + (N - 2) * exp(-2 / tau)),
    most=log(1 + (N - 1) * exp(2 / tau)),
    floor=log(2 + (N - 2) * exp(-N / (N - 2) / tau)),
    reached="a regular simplex, both views in one corner [M4]",
    bound=(
        "log of twice the number of images minus the loss is at most the information, if both views"
        " have the same law [P3]"
    ),
)

POINTS = Points(
    "InfoNCE, the anchor in its own denominator",
    one_set("z"),
    sees="everyone",
    shares=list_shares,
    slopes=list_slopes,
)
