"""Mistakes in dcl."""

from .entry import Entry, Form, mistake
from .families import projection, rows_of_g, temperature, unit_rows
from .ntxent import PARTNER, UNIT, batch

MEAN = "return (log_sum(x)[0][:, 0] - x[rows, partner(len(w))]).mean()"
NEGATIVES = "return ~itself & ~itself[partner(n)]"
ENTRY = Entry(
    name="dcl",
    loss="dcl",
    by=("w",),
    batch=batch,
    mistakes=(
        *temperature("F1 row", "z @ z.T"),
        *unit_rows("D3.3 cosine unit length", UNIT, "w"),
        mistake(
            "positive_kept",
            "the positive is in the denominator: that is NT-Xent, and its pull fades as a pair gets near",
            "F1 row",
            NEGATIVES,
            "return ~itself",
            marks="positive in the denominator",
        ),
        mistake(
            "self_in_denominator",
            "the anchor stands in its own denominator",
            "F1 row",
            NEGATIVES,
            "return ~itself[partner(n)]",
            marks="self left in the denominator",
        ),
        mistake(
            "clamped_at_0",
            "the loss of each anchor is clamped at 0, but it may be negative",
            "F1 negative",
            MEAN,
            "return np.maximum(log_sum(x)[0][:, 0] - x[rows, partner(len(w))], 0).mean()",
            marks="loss clamped at 0",
        ),
        mistake(
            "a_logarithm_for_each_view",
            "the negatives of each view have a logarithm of their own; one sum holds them all",
            "F1 row",
            MEAN,
            "first = rows < len(w) // 2\n"
            "    own = first[:, None] == first\n"
            "    views = [np.where(view, x, -np.inf) for view in (own, ~own)]\n"
            "    return (sum(log_sum(v)[0][:, 0] for v in views) - x[rows, partner(len(w))]).mean()",
            links="https://github.com/lightly-ai/lightly/pull/1826",
        ),
        mistake(
            "wrong_partner",
            "rows 2k and 2k + 1 are taken for a pair, where i and i + B are",
            "D1.5 partners",
            PARTNER,
            "np.arange(n) ^ 1",
        ),
        *rows_of_g("F2 row"),
        *projection("F2 row"),
        mistake(
            "pull_missing",
            "nothing pulls the positives: their −1 is missing",
            "F2 row",
            "    g[np.arange(len(w)), partner(len(w))] -= 1\n",
            "",
            marks="pull missing",
        ),
    ),
    inputs="concatenated",
    forms=(
        Form(("same view", "other view")),
        Form(("same view", "other view"), head="positives weighed"),
    ),
)
