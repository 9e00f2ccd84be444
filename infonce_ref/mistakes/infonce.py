"""Mistakes in infonce."""

from .entry import ALL_BUT_SELF, ANY, Arguments, Draw, Entry, Form, mistake
from .families import error, mixed_axes, rows_of_g, temperature


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"z": draw.rows(2 * pairs, features), "temperature": draw.temperature()}


ROW = "return -log_softmax(z @ z.T / temperature)[rows, partner(len(z))].mean()"
ENTRY = Entry(
    name="infonce",
    loss="infonce",
    by=("z",),
    batch=batch,
    mistakes=(
        *temperature("D1.2 logits", "z @ z.T"),
        mistake(
            "rows_normalised",
            "rows are divided by their length: this loss takes them as they come",
            "D1.2 logits",
            ROW,
            "z = z / np.linalg.norm(z, axis=1, keepdims=True)\n    " + ROW,
        ),
        mistake(
            "self_masked",
            "the anchor does not stand in its own denominator: here it does, k = i included",
            "D1.3 softmax",
            "    x = x - x.max(axis=1, keepdims=True)\n",
            "    x = np.where(np.eye(len(x)) == 1, -np.inf, x)\n    x = x - x.max(axis=1, keepdims=True)\n",
            marks="self missing from the denominator",
        ),
        mistake(
            "wrong_partner",
            "rows 2k and 2k + 1 are taken for a pair, where i and i + B are",
            "D1.5 partners",
            "(np.arange(n) + n // 2) % n",
            "np.arange(n) ^ 1",
        ),
        mistake(
            "positive_is_itself",
            "each anchor's positive is itself: the labels point at the diagonal",
            "D1.5 partners",
            "(np.arange(n) + n // 2) % n",
            "np.arange(n)",
            marks=("self missing from the denominator", "positive is the anchor itself"),
        ),
        mistake(
            "positive_is_the_next",
            "the positive of row i is row i + 1",
            "D1.5 partners",
            "(np.arange(n) + n // 2) % n",
            "(np.arange(n) + 1) % n",
        ),
        mistake(
            "one_view_of_anchors",
            "rows of the first view alone are anchors: half of the loss is left out",
            "D1.4 loss",
            "[rows, partner(len(z))].mean()",
            "[rows, partner(len(z))][: len(z) // 2].mean()",
            marks="one direction",
        ),
        mistake(
            "log_of_mean",
            "the probabilities are averaged over the batch before the logarithm",
            "D1.4 loss",
            ROW,
            "return -np.log(np.exp(log_softmax(z @ z.T / temperature)[rows, partner(len(z))]).mean())",
            marks="log of the mean for mean of the log",
        ),
        *rows_of_g("D1.13 gradient"),
        mistake(
            "diagonal_once",
            "the anchor's own term is differentiated by one z_k only; L_kk contains z_k twice",
            "D1.9 diagonal",
            "(g + g.T) @ z",
            "(g + g.T - np.diag(np.diag(g))) @ z",
        ),
        mixed_axes("D1.3 softmax"),
        *error("D1.11 error", "g[np.arange(len(z)), partner(len(z))] -= 1"),
    ),
    inputs="concatenated",
    forms=(Form(("self", *ALL_BUT_SELF), rows=ANY),),
)
