"""Exercise vicreg."""

from ...mistakes import vicreg
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=vicreg.ENTRY,
    lesson="without_negatives",
    title="VICReg: alike, spread out, uncorrelated",
    equations=("F27 loss covariance spread", "F28 z1 z2"),
    hints=(
        "Three terms: the squared distance of pairs, the amount by which deviations miss the margin,"
        " the squared covariances.",
        "Deviations and covariances are over B − 1, epsilon is within the root, and each view has both terms.",
        "If the deviation is at least the margin, the hinge is 0 and has no gradient.",
        "A covariance enters twice, above and below the diagonal, and squared: hence the 4.",
    ),
)
