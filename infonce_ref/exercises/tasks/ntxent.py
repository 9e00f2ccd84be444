"""Exercise ntxent."""

from ...mistakes import ntxent
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=ntxent.ENTRY,
    lesson="ntxent",
    title="NT-Xent, the loss of SimCLR",
    equations=(
        "D3.2 loss scores",
        "D3.3 cosine unit length",
        "D1.5 partners",
        "D3.4 mean",
        "D1.11 error",
        "M5 gradient",
    ),
    hints=(
        "First unit rows: z = w over the length of each row. Then s = z zᵀ and L = s / τ.",
        "The anchor is no candidate of its own: its logit is −∞ before the softmax, not 0.",
        "The positive of row i is row (i + B) mod 2B.",
        "By the unit rows the gradient is (G + Gᵀ) Z / (N τ), with G = P − 1[positive].",
        "Then the gradient of the normalisation: subtract the part along each row, and divide by the row's length.",
    ),
)
