"""SupCon on the cheat sheet."""

from typing import Any

from sympy import exp, log

from ...symbols import N, i, number, tau
from ..points import Points, Settings, list_shares, list_slopes, one_set
from . import LossCard

CARD = LossCard(
    group="Two views of one batch",
    title="SupCon",
    paper="Khosla et al. 2020",
    year=2020,
    inputs=("w",),
    option="out",
    where=("F23 out",),
    when=(
        "With labels: every other row of the class is a positive. A positive with more than its"
        " share of the probability is repelled [R6]."
    ),
    rows="of unit rows",
    least=log(number[i] + (N - 1 - number[i]) * exp(-2 / tau)),
    bound=(
        "log of (number of negatives + 1) minus the loss is at most the information of one positive;"
        " with the mean inside the log, that of all together [R3]"
    ),
    calls=("pytorch_metric_learning.losses.SupConLoss",),
)


def _options(count: int, settings: Settings) -> dict[str, Any]:
    labels = [row % (count // 2) % settings["classes"] for row in range(count)]
    form = "in" if settings["inside"] else "out"
    return {"temperature": settings["temperature"], "labels": labels, "form": form}


POINTS = Points(
    "SupCon, classes by colour",
    one_set("w"),
    uses=("temperature", "classes", "inside"),
    compared=(
        {"temperature": 0.2, "classes": 2, "inside": False},
        {"temperature": 0.5, "classes": 2, "inside": True},
    ),
    row="severalPositives",
    positives="sameClass",
    shares=list_shares,
    slopes=list_slopes,
    options=_options,
)
