"""Exercise query_key."""

from ...mistakes import query_key
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=query_key.ENTRY,
    lesson="moco",
    title="queries, keys and MoCo's queue",
    equations=("D3.34 loss own others", "D2.7 loss", "D2.9 gradient"),
    hints=(
        "The positive's logits are products row by row, (query * positive).sum(axis=1); the queue's "
        "query @ negatives.T.",
        "Put the positive in column 0, the queue beside it: (n, 1 + M). The softmax runs along each row.",
        "The loss is −log P of column 0, the mean over the queries.",
        "A query is pulled by (P₀ − 1) k⁺ and pushed by Σ P_m k_m; a key of the queue gets a sum over the queries.",
    ),
)
