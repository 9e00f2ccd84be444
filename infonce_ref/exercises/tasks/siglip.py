"""Exercise siglip."""

from ...mistakes import siglip
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=siglip.ENTRY,
    lesson="temperature",
    title="SigLIP: a sigmoid for each image and each text",
    equations=("F9 row loss", "F10 image text temperature bias error"),
    hints=(
        "One matrix of scores, image i and text j; the bias is added to each of them.",
        "A pair adds log(1 + e^−(L + b)), any other text log(1 + e^(L + b)): a matrix of signs tells them apart.",
        "All texts of an image are summed; the mean is over the images.",
        "G is the sigmoid of L + b, less 1 at the pairs, over B: each entry depends only on its own score.",
        "The temperature divides L alone, not the bias.",
    ),
)
