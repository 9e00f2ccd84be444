"""Mistakes in ranknet."""

from .cpc import batch
from .entry import Entry, mistake

LOSS = "return ((1 - own) * np.logaddexp(0, lead)).sum() / len(scores)"
ENTRY = Entry(
    name="ranknet",
    loss="ranknet",
    by=("scores",),
    batch=batch,
    mistakes=(
        mistake(
            "all_at_once",
            "the positive stands against all negatives together: one logarithm of their sum, InfoNCE",
            "T1 gradient",
            LOSS,
            "return np.log(1 + ((1 - own) * np.exp(lead)).sum(axis=1)).mean()",
        ),
        mistake(
            "positive_left_alone",
            "the negatives are pushed, and the positive is not pulled",
            "T1 gradient",
            "push - push.sum(axis=1, keepdims=True) * own",
            "push",
        ),
    ),
    inputs="scores and labels",
)
