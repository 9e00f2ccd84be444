"""Exercise simsiam."""

from ...mistakes import simsiam
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=simsiam.ENTRY,
    lesson="byol",
    title="SimSiam: each view's prediction and the other's projection",
    equations=("D3.44 distance", "D3.46 excess", "M19 p1 z1 p2 z2"),
    hints=(
        "p1 goes with z2 and p2 with z1: each prediction with the other view's projection.",
        "Each term is −cos, and each counts half.",
        "The projections are held constant: zeros, of their shapes.",
    ),
)
