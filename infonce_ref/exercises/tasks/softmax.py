"""Exercise softmax."""

from ...mistakes import cpc
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=cpc.ENTRY,
    lesson="softmax",
    title="softmax cross-entropy",
    equations=("D2.3 right", "D1.3 softmax", "D1.11 error", "D1.7 derivative"),
    hints=(
        "The loss is a mean over rows; take one row. Its softmax is e^u over their sum along it, axis 1.",
        "scores[np.arange(n), positive] is the positive of each row.",
        "−log P of the positive is the logarithm of the row's sum of exponentials minus the positive's score.",
        "The gradient is P − 1[positive], an array like the scores, over the number of rows.",
    ),
)
