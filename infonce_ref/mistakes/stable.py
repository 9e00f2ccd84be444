"""Mistakes in stable."""

from .cpc import batch
from .entry import Entry, mistake

ENTRY = Entry(
    name="stable",
    loss="cpc",
    by=("scores",),
    batch=batch,
    mistakes=(
        mistake(
            "positive_among_the_others",
            "the positive stands among the others in x: its term is counted twice",
            "S1 softplus",
            "    others[rows, positive] = -np.inf\n",
            "",
            marks="positive counted twice",
        ),
        mistake(
            "sign_of_odds",
            "x has the wrong sign: it is the log-odds against the positive that belong there",
            "S1 softplus",
            "return softplus(x).mean()",
            "return softplus(-x).mean()",
            marks=(
                "positive missing from the denominator",
                "number added inside the logarithm",
                "sign flipped",
            ),
        ),
        mistake(
            "softplus_linear",
            "max(x, 0) stands where log(1 + eˣ) belongs: its second term is missing",
            "S1 softplus",
            "return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))",
            "return np.maximum(x, 0)",
            marks=("positive missing from the denominator", "loss clamped at 0"),
        ),
        mistake(
            "one_not_shifted",
            "log(1 + Σ e^x) is shifted by the largest x, and the 1 is not",
            "S1 softplus",
            "    top = others.max(axis=1, keepdims=True)\n    e = np.exp(others - top)\n",
            "    top = others.max(axis=1, keepdims=True)\n    e = np.exp(others - top)\n",
            "return softplus(x).mean()",
            "others = np.array(scores)\n    rows = np.arange(len(scores))\n    others[rows, positive] = -np.inf\n"
            "    own = scores[rows, positive]\n    top = others.max(axis=1) - own\n"
            "    return (top + np.log(1 + np.exp(others - (top + own)[:, None]).sum(axis=1))).mean()",
        ),
        mistake(
            "others_not_shared",
            "each of the others gets all of 1 − P: it is shared among them by their softmax",
            "S2 others",
            "g = q[:, None] * r",
            "g = q[:, None] * np.ones(r.shape)",
        ),
        mistake(
            "probability_for_rest",
            "P of the positive stands where 1 − P belongs",
            "S2 others",
            "q = sigmoid(x)",
            "q = sigmoid(-x)",
        ),
    ),
    inputs="scores and labels",
)
