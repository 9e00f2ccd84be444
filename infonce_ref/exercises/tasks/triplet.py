"""Exercise triplet."""

from ...mistakes import triplet
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=triplet.ENTRY,
    lesson="negatives",
    title="the triplet loss",
    equations=("M12 anchor.where ℓ anchor.where 𝓛 anchor positive negative",),
    hints=(
        "Two squared distances for each triplet, summed over the features, axis=1.",
        "h = near − far + margin, and the loss of a triplet is max(0, h): the mean comes after.",
        "If h ≤ 0 the gradient is 0; otherwise it is the sum of the squares' derivatives, 2 (a − p)"
        " and −2 (a − n).",
    ),
)
