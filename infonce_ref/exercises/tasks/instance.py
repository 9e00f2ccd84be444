"""Exercise instance."""

from ...mistakes import instance
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=instance.ENTRY,
    lesson="nce",
    title="instance discrimination: the bank holds the classes",
    equations=("D3.5 probability logits", "D3.6 row loss", "M16 feature bank"),
    hints=(
        "v @ bank.T / temperature is (n, K); the softmax runs over the bank.",
        "index[i] is the row of the bank that belongs to sample i; the loss is a sum, not a mean.",
        "With G = P − 1[own], the features get G b / τ and the bank Gᵀ v / τ.",
    ),
)
