"""Exercise barlow_twins."""

from ...mistakes import barlow_twins
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=barlow_twins.ENTRY,
    lesson="without_negatives",
    title="Barlow Twins: the columns correlated",
    equations=("F25 loss correlation mean variance", "F26 z1 z2 error"),
    hints=(
        "Each column, over the batch, is centred and divided by its deviation.",
        "The deviation is the root of the mean square, over B: then a column's correlation with itself is 1.",
        "C is d × d, the mean over the rows of the products of one view's columns with the other's.",
        "G is −2(1 − C) on the diagonal and twice the weight times C off it.",
        "Then the gradient of the standardisation: subtract the part along each column, and divide"
        " the rest by its deviation.",
    ),
)
