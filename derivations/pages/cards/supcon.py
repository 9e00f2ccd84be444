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
        "Labels at hand: every other row of the class is a positive. Those that fit better than "
        "the mean are repelled [R6]."
    ),
    rows="of unit rows",
    least=log(number[i] + (N - 1 - number[i]) * exp(-2 / tau)),
    bound=(
        "never below the log of the number of positives [R6]; the mean within the log bounds the "
        "information [R13]"
    ),
    calls=("pytorch_metric_learning.losses.SupConLoss",),
)
