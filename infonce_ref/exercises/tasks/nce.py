"""Exercise nce."""

from ...mistakes import nce
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=nce.ENTRY,
    lesson="nce",
    title="noise-contrastive estimation",
    equations=("D3.18 loss datum noise", "D3.18 short noise short", "D3.10 posterior"),
    hints=(
        "λ is the logarithm of the noise's probability, M the number of noise samples for each datum.",
        "h = e^u / (e^u + M e^λ) is the sigmoid of a = u − λ − log M.",
        "−log h is log(1 + e^−a), and −log(1 − h) is log(1 + e^a): np.logaddexp(0, ·) keeps the digits.",
        "The noise terms of a datum are summed, not averaged; then the mean over the data.",
        "By a datum's score the slope is −(1 − h), by a noise sample's it is h, over the number of data.",
    ),
)
