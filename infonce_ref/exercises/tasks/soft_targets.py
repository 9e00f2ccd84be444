"""Exercise soft_targets."""

from ...mistakes import soft_targets
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=soft_targets.ENTRY,
    lesson="supervised",
    title="several positives: cross-entropy against a distribution",
    equations=("F4 row loss", "F5 scores error"),
    hints=(
        "−Σ t log P along each row, axis=1, and the mean over the rows.",
        "The gradient of a row is P − t.",
    ),
)
