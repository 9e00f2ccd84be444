"""Exercise dcl."""

from ...mistakes import dcl
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=dcl.ENTRY,
    lesson="supervised",
    title="decoupled: no denominator contains the positive",
    equations=("F1 row loss", "D3.3 cosine unit length", "D1.5 partners", "F2 row"),
    hints=(
        "NT-Xent with one term fewer in each denominator: without the anchor and without its partner.",
        "The loss of a row may be negative; it is not cut at 0.",
        "The weights of the negatives sum to 1 by themselves, and the derivative by the positive's"
        " logit is always −1.",
    ),
)
