"""InfoNCE, query and keys on the cheat sheet."""

from sympy import exp, log

from ...symbols import M, tau
from ..points import Points, Rows, Settings
from . import LossCard

CARD = LossCard(
    group="A query and its candidates",
    title="InfoNCE, query and keys",
    paper="He et al. 2020, MoCo",
    year=2020,
    inputs=("query", "positive", "negatives"),
    when="Negatives that are no anchors: a queue of older keys, or mined ones for each query.",
    rows="of unit rows",
    least=log(1 + M * exp(-2 / tau)),
    most=log(1 + M * exp(2 / tau)),
    bound=(
        "as InfoNCE over scores, where the keys are the present encoder's, drawn apart from the "
        "query; old or repeated ones may break it [P5]"
    ),
    calls=("info_nce.InfoNCE",),
)


def _rows(count: int, settings: Settings) -> Rows:
    keys = range(count // 2, count)
    others = [[key for key in keys if key != own] for own in keys]
    return {"query": range(count // 2), "positive": keys, "negatives": others}


POINTS = Points(
    "query-key: the first view asks the other",
    _rows,
    sees="otherView",
    anchors="firstView",
    keys=("positive", "negatives"),
)
