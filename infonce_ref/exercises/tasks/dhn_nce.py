"""Exercise dhn_nce."""

from ...mistakes import dhn_nce
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=dhn_nce.ENTRY,
    lesson="dhn_nce",
    title="DHN-NCE: hard negatives weigh more",
    equations=("D4.1 loss", "D4.2 row", "D4.3 weights", "D4.19 image text", "M20 row both image text"),
    hints=(
        "The positive is not in the sum: both softmaxes exclude the diagonal, whose logits are set to −∞.",
        "The weights of a row are (B − 1) softmax(β L) over its negatives: their mean is 1.",
        "log Σ e^L W is log(B − 1) + LSE((1 + β) L) − LSE(β L), off the diagonal.",
        "From text to image, use the transpose of L, and β₂.",
        "By the logits of a row the slope is (1 + β) Q − β ρ − 1[positive], softmaxes with 1 + β and with β.",
    ),
)
