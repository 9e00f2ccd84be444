"""Exercise dcl."""

from ...mistakes import dcl
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=dcl.ENTRY,
    name="dcl",
    lesson="supervised",
    title="decoupled: the positive in no denominator",
    equations=("F1 row loss", "D3.3 cosine unit length", "D1.5 partners", "F2 row"),
    hints=(
        "NT-Xent with one term fewer in each denominator: neither the anchor nor its partner stands there.",
        "The loss of a row may be negative; it is not cut at 0.",
        "The weights of the negatives sum to 1 by themselves, and the positive's slope is −1, however near it is.",
    ),
)
