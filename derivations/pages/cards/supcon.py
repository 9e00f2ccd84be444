"""SupCon on the cheat sheet."""

from sympy import exp, log

from ...symbols import N, i, number, tau
from . import Card

CARD = Card(
    group="Two views of one batch",
    title="SupCon",
    paper="Khosla et al. 2020",
    year=2020,
    inputs=("w",),
    option="out",
    where=("F23 out",),
    when=(
        "Labels at hand: every other row of the class is a positive. One that has more than its "
        "share of the probability is repelled [R6]."
    ),
    rows="of unit rows",
    least=log(number[i] + (N - 1 - number[i]) * exp(-2 / tau)),
    bound=(
        "log of one more than the negatives, less it, is at most the information of one positive; "
        "with the mean within the log, that of all together [R3]"
    ),
    calls=("pytorch_metric_learning.losses.SupConLoss",),
)
