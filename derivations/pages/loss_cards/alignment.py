"""Alignment on the cheat sheet."""

from sympy import Integer

from ...symbols import exponent
from ..points import Points, Rows, Settings, two_views
from . import LossCard

CARD = LossCard(
    group="Distances and correlations",
    title="Alignment",
    paper="Wang and Isola 2020",
    year=2020,
    inputs=("z1",),
    where=("F12 log",),
    when=(
        "To measure how near the views are, or to train beside uniformity: alone it is minimal if"
        " all rows are equal."
    ),
    rows="of unit rows",
    least=Integer(0),
    most=2**exponent,
)


def _rows(count: int, settings: Settings) -> Rows:
    """Return the two views, or a chain in which each point's partner is the next one."""
    if settings.get("chain"):
        return {"z1": range(count), "z2": [(row + 1) % count for row in range(count)]}
    return two_views("z1", "z2")(count, settings)


POINTS = Points(
    "alignment, and λ times uniformity",
    _rows,
    uses=("uniformity", "chain"),
    compared=({"uniformity": 0.5, "chain": True}, {"uniformity": 0.0, "chain": False}),
    row="distance",
    sees="nobody",
    anchors="firstViewOrChain",
    positives="partnerOrNext",
    matrix="P: each pair's share in uniformity",
    options=lambda count, settings: {"exponent": 2},
)
