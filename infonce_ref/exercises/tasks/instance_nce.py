"""Exercise instance_nce."""

from ...mistakes import instance_nce
from ..exercise import Exercise

EXERCISE = Exercise(
    entry=instance_nce.ENTRY,
    lesson="nce",
    title="instance discrimination by noise contrast",
    equations=(
        "D3.5 logits",
        "D3.13 mean",
        "D3.16 simple",
        "D3.17 posterior",
        "D3.18 loss",
        "M16 feature bank",
    ),
    hints=(
        "The normaliser is estimated from the noise samples, Ẑ = (K/m) Σ e^L; it cancels in h, which"
        " is e^L / (e^L + Σ over the noise of e^L).",
        "So the log-odds of a row are its logit minus the logarithm of the noise samples' sum.",
        "The noise terms of a feature are summed, the features averaged.",
        "The normaliser depends on v and on the bank too: its gradient is shared among the noise"
        " samples by their softmax.",
        "A row of the bank may be drawn twice: np.add.at adds both, bank[drawn] += does not.",
    ),
)
