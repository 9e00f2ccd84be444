"""Mistakes in instance."""

from .entry import ACROSS, ANY, Arguments, Draw, Entry, Form, mistake
from .families import drop_marks, error, temperature


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    samples = pairs + 1
    return {
        "v": draw.rows(pairs, features),
        "bank": draw.rows(samples, features),
        "index": draw.index(samples, pairs),
        "temperature": draw.temperature(),
    }


LOSS = "return -log_softmax(v, bank, temperature)[np.arange(len(v)), index].sum()"
GRADIENT = "return g @ bank / temperature, g.T @ v / temperature"
ENTRY = Entry(
    name="instance",
    loss="instance",
    by=("v", "bank"),
    batch=batch,
    mistakes=(
        *drop_marks(
            temperature("D3.5 logits", "v @ bank.T"),
            "distance_for_similarity",
            "similarities_clamped",
            "absolute_similarities",
            "squared_similarities",
        ),
        mistake(
            "softmax_over_the_batch",
            "the softmax runs over the batch, not over the classes",
            "D3.5 probability",
            "np.exp(x).sum(axis=1, keepdims=True)",
            "np.exp(x).sum(axis=0, keepdims=True)",
            "x.max(axis=1, keepdims=True)",
            "x.max(axis=0, keepdims=True)",
            links="https://github.com/DonkeyShot21/UNO/issues/4",
        ),
        mistake(
            "diagonal_masked",
            "column i of the bank is masked for row i, but it is another sample",
            "D3.5 probability",
            LOSS,
            "x = v @ bank.T / temperature\n    kept = np.where(np.eye(*x.shape) == 1, -np.inf, x)\n"
            "    return (np.log(np.exp(kept).sum(axis=1)) - x[np.arange(len(v)), index]).sum()",
            links=(
                "https://github.com/tfzhou/ContrastiveSeg/issues/16",
                "https://github.com/tfzhou/ContrastiveSeg/issues/55",
            ),
        ),
        mistake(
            "index_ignored",
            "row i of the bank is used for sample i; the index is ignored",
            "D3.6 row",
            LOSS,
            "return -np.diagonal(log_softmax(v, bank, temperature)).sum()",
        ),
        mistake(
            "own_row_alone",
            "only a feature's own row of the bank has a gradient: the others are pushed too",
            "M16 bank",
            GRADIENT,
            "own = np.eye(len(bank))[index]\n    return g @ bank / temperature, (g * own).T @ v / temperature",
            marks="negatives detached",
        ),
        mistake(
            "bank_held_constant",
            "the bank has no gradient",
            "M16 bank",
            GRADIENT,
            "return g @ bank / temperature, 0 * bank",
            marks="candidates detached",
        ),
        *error("M16 feature", "g[np.arange(len(v)), index] -= 1"),
    ),
    inputs="bank",
    reduction="sum",
    forms=(Form(ACROSS, ("bank",), ANY, ("first",), ("sum", "mean")),),
)
