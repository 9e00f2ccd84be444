"""Exercise stable."""

from ..exercise import Exercise, mistake
from .softmax import batch

EXERCISE = Exercise(
    name="stable",
    lesson="softmax",
    title="the stable form: large scores, and the digits of a small loss",
    loss="cpc",
    by=("scores",),
    equations=("D2.3 odds", "S1 softplus", "S2 others", "D1.7 derivative"),
    hints=(
        "e^1000 is no number. Take the largest score of a row off all of them: the softmax stays as it is.",
        "When the positive wins, its probability is 1 − 10⁻²⁰ and rounds to 1; the loss, about 10⁻²⁰, is lost. "
        "Do not form P of the positive.",
        "With x = log Σ over the others of e^u, less the positive's score, the loss is log(1 + e^x).",
        "log(1 + e^x) keeps its digits as max(x, 0) + log1p(e^−|x|); 1 − P of the positive is the sigmoid of x.",
        "At the positive the gradient is −sigmoid(x); at the others sigmoid(x) times their softmax.",
    ),
    batch=batch,
    mistakes=(
        mistake(
            "positive_among_the_others",
            "the positive stands among the others in x: its term is counted twice",
            "S1 softplus",
            "    others[rows, positive] = -np.inf\n",
            "",
        ),
        mistake(
            "sign_of_odds",
            "x has the wrong sign: it is the log-odds against the positive that belong there",
            "S1 softplus",
            "return softplus(x).mean()",
            "return softplus(-x).mean()",
        ),
        mistake(
            "softplus_linear",
            "max(x, 0) stands where log(1 + eˣ) belongs: its second term is missing",
            "S1 softplus",
            "return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))",
            "return np.maximum(x, 0)",
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
    digits=True,
)
