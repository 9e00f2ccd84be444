"""Exercise byol."""

from ...mistakes import byol
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=byol.ENTRY,
    name="byol",
    lesson="byol",
    title="BYOL, and its stop-gradient",
    equations=("D3.43 distance", "M18 gradient"),
    hints=(
        "Both are divided by their rows' lengths; the loss of a row is the squared distance, 2 − 2 cos.",
        "The target is held constant: its gradient is 0, an array of its shape.",
        "By the unit prediction the slope is −2 z; the part along the prediction goes, and its length divides.",
    ),
)
