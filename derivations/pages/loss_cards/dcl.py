"""DCL, decoupled on the cheat sheet."""

from sympy import log

from ...symbols import N, tau
from ..points import Points, list_shares, list_slopes, one_set
from . import LossCard

CARD = LossCard(
    group="Two views of one batch",
    title="DCL, decoupled",
    paper="Yeh et al. 2022",
    year=2022,
    inputs=("w",),
    when=(
        "Small batches: a positive keeps its whole pull however near it is, where NT-Xent's fades [F3, R7]."
    ),
    rows="of unit rows",
    least=log(N - 2) - 2 / tau,
    most=log(N - 2) + 2 / tau,
    floor=log(N - 2) - N / (N - 2) / tau,
    reached="a regular simplex, both views in one corner [M31]",
    bound="none: it may be negative, and passes any bound [P4]",
    calls=("lightly.loss.DCLLoss",),
)

POINTS = Points(
    "DCL",
    one_set("w"),
    row="decoupled",
    matrix="P of the negatives",
    shares=list_shares,
    slopes=list_slopes,
)
