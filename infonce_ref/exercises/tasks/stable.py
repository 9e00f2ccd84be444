"""Exercise stable."""

from ...mistakes import stable
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=stable.ENTRY,
    lesson="softmax",
    title="the stable form: large scores, and the digits of a small loss",
    equations=("D2.3 odds", "S1 softplus", "S2 others", "D1.7 derivative"),
    hints=(
        "e^1000 overflows. Subtract the largest score of a row from all of them: the softmax does not change.",
        "If the positive's score is far above the others, its probability is 1 − 10⁻²⁰ and rounds to"
        " 1; the loss, about 10⁻²⁰, is lost. Do not compute P of the positive.",
        "With x = log Σ over the others of e^u, less the positive's score, the loss is log(1 + e^x).",
        "log(1 + e^x) keeps its digits as max(x, 0) + log1p(e^−|x|); 1 − P of the positive is the sigmoid of x.",
        "At the positive the gradient is −sigmoid(x); at the others sigmoid(x) times their softmax.",
    ),
    digits=True,
)
