"""Exercise vicreg."""

from ...mistakes import vicreg
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=vicreg.ENTRY,
    name="vicreg",
    lesson="without_negatives",
    title="VICReg: alike, spread out, uncorrelated",
    equations=("F27 loss covariance spread", "F28 z1 z2"),
    hints=(
        "Three terms: how far pairs are apart, by how much deviations fall short of the margin, the covariances "
        "squared.",
        "Deviations and covariances are over B − 1, epsilon is within the root, and each view has both terms.",
        "The hinge is shut where the deviation is at the margin or above: then it has no gradient.",
        "A covariance enters twice, above the diagonal and below, and squared: hence the 4.",
    ),
)
