"""Debiased, hard negatives on the cheat sheet."""

from sympy import exp, log

from ...symbols import N, prior_of_class, tau
from ..points import Points, list_shares, list_slopes, one_set
from . import LossCard

CARD = LossCard(
    group="Two views of one batch",
    title="Debiased, hard negatives",
    paper="Chuang et al. 2020; Robinson et al. 2021",
    year=2021,
    inputs=("w",),
    when=(
        "Few classes, so that many negatives are of the anchor's own: subtracts them, and gives near"
        " ones more weight. At the clamp no negative is pushed [R5]."
    ),
    rows="of unit rows",
    least=log(1 + (N - 2) * exp(-2 / tau)),
    most=log(1 + (N - 2) * (exp(2 / tau) - prior_of_class) / (1 - prior_of_class)),
)

POINTS = Points(
    "hard and debiased negatives",
    one_set("w"),
    uses=("temperature", "beta", "prior"),
    compared=(
        {"temperature": 0.5, "beta": 1.0, "prior": 0.1},
        {"temperature": 0.25, "beta": 0.0, "prior": 0.25},
    ),
    row="debiased",
    matrix="P of the negatives",
    shares=list_shares,
    slopes=list_slopes,
)
