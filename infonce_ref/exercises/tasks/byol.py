"""Exercise byol."""

from ...mistakes import byol
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=byol.ENTRY,
    lesson="byol",
    title="BYOL, and its stop-gradient",
    equations=("D3.43 distance", "M18 gradient"),
    hints=(
        "The rows of both are divided by their lengths; the loss of a row is the squared distance, 2 − 2 cos.",
        "The target is held constant: its gradient is 0, an array of its shape.",
        "The gradient by the unit prediction is −2 z; subtract its part along the prediction, and"
        " divide by the prediction's length.",
    ),
)
