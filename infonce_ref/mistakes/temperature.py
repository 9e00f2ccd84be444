"""Mistakes in temperature."""

from .entry import Entry, mistake
from .ntxent import OF_THE_LOSS, batch

SLOPE = "return -(g * x).sum() / (len(w) * temperature)"
ENTRY = Entry(
    name="temperature",
    loss="ntxent",
    by=("temperature",),
    batch=batch,
    mistakes=(
        *OF_THE_LOSS,
        mistake(
            "by_inverse_temperature",
            "it is the slope by 1/τ, not by τ: the factor −1/τ² of the chain rule is missing",
            "M7 slope",
            SLOPE,
            "return (g * x).sum() * temperature / len(w)",
        ),
        mistake(
            "by_log_temperature",
            "it is the slope by log τ, not by τ",
            "M7 batch",
            SLOPE,
            "return -(g * x).sum() / len(w)",
        ),
        mistake(
            "by_log_scale",
            "it is the slope by the logarithm of 1/τ, not by τ",
            "M7 batch",
            SLOPE,
            "return (g * x).sum() / len(w)",
        ),
        mistake(
            "self_subtracted_as_constant",
            "e^{1/τ} is subtracted from the row's sum as a constant, but it depends on τ",
            "S4",
            SLOPE,
            "e = np.exp(x)\n    rest = e.sum(axis=1) - np.exp(1 / temperature)\n"
            "    return -((g * x).sum() + (np.exp(1 / temperature) / temperature / rest).sum())"
            " / (len(w) * temperature)",
        ),
        mistake(
            "positives_alone",
            "only the positives' part of the sum is there, not the mean of s under P",
            "M7 by temperature",
            "g = np.exp(log_softmax(x))",
            "g = np.zeros(x.shape)",
        ),
        mistake(
            "pull_missing",
            "P stands where P − 1[positive] belongs",
            "D1.11 error",
            "    g[np.arange(len(w)), partner(len(w))] -= 1\n",
            "",
        ),
    ),
    inputs="concatenated",
)
