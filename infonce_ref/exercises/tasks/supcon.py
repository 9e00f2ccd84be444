"""Exercise supcon."""

from ...mistakes import supcon
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=supcon.ENTRY,
    lesson="supervised",
    title="SupCon: every other row of the class is a positive",
    equations=("F21 row loss number positives", "D3.3 cosine unit length", "F23 out w"),
    hints=(
        "labels[:, None] == labels says which rows share a class; the anchor is not its own positive.",
        "Each positive's −log P has its own term, and their mean is outside of the logarithm.",
        "The denominator of each row holds all other rows, the other positives among them.",
        "Leave out a row without a positive, both of the sum and of its divisor.",
        "G is P less 1/|P_i| at each positive; then (G + Gᵀ) Z, then the gradient of the normalisation.",
    ),
)
