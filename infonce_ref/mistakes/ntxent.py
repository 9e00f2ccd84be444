"""Mistakes in ntxent."""

from .entry import ALL_BUT_SELF, Arguments, Draw, Entry, Form, Mistake, mistake
from .families import error, mixed_axes, projection, rows_of_g, temperature, unit_rows


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"w": draw.rows(2 * pairs, features), "temperature": draw.temperature()}


UNIT = "z = w / np.linalg.norm(w, axis=1, keepdims=True)"
MASK = "    x = np.where(np.eye(len(x)) == 1, -np.inf, x)\n"
SUM = "np.log(np.exp(x).sum(axis=1, keepdims=True))"
PARTNER = "(np.arange(n) + n // 2) % n"
MEAN = "return -log_softmax(x)[rows, partner(len(w))].mean()"
OF_THE_LOSS: tuple[Mistake, ...] = (
    *temperature("D3.2 scores", "z @ z.T"),
    *unit_rows("D3.3 cosine unit length", UNIT, "w"),
    mistake(
        "squared_distance",
        "rows are compared by −‖a − c‖² as they come, where the cosine belongs",
        "D3.3 cosine unit length",
        "z @ z.T / temperature",
        "-((w[:, None] - w) ** 2).sum(axis=2) / temperature",
        marks=("not normalised", "another similarity"),
    ),
    mistake(
        "self_in_denominator",
        "the anchor stands in its own denominator (it is not masked, or masked after the softmax)",
        "D3.2 loss",
        MASK,
        "",
        marks="self left in the denominator",
        links="https://github.com/Yunfan-Li/Contrastive-Clustering/issues/9",
    ),
    mistake(
        "masked_with_zero",
        "the anchor's logit is set to 0, and e⁰ = 1 is still counted: −∞ belongs there",
        "D3.2 loss",
        "-np.inf, x)",
        "0, x)",
        marks="masked with 0 for −∞",
        links="https://github.com/google-research/simclr/issues/20",
    ),
    mistake(
        "self_subtracted_without_temperature",
        "e is subtracted from the row's sum for the anchor, but its term is e^{1/τ}",
        "D3.2 loss",
        MASK,
        "    top = x.max(axis=1, keepdims=True)\n",
        SUM,
        "np.log(np.exp(x).sum(axis=1, keepdims=True) - np.exp(1 - top))",
        marks=("self left in the denominator", "self term subtracted without temperature"),
        links="https://github.com/Lightning-Universe/lightning-bolts/issues/609",
    ),
    mistake(
        "positive_missing",
        "the denominator sums the negatives alone: the positive belongs there too, or it is no probability",
        "D3.2 loss",
        SUM,
        "np.log((np.exp(x) * (np.arange(len(x)) != partner(len(x))[:, None])).sum(axis=1, keepdims=True))",
        marks="positive missing from the denominator",
    ),
    mistake(
        "same_view_missing",
        "the other rows of the anchor's own view are missing: B − 1 negatives, not 2B − 2",
        "D3.2 negatives",
        "np.where(np.eye(len(x)) == 1, -np.inf, x)",
        "np.where(np.kron(np.eye(2), np.ones([len(x) // 2] * 2)) == 1, -np.inf, x)",
        marks="same view missing",
    ),
    mistake(
        "other_view_missing",
        "the other rows of the other view are missing: B − 1 negatives, not 2B − 2",
        "D3.2 negatives",
        "np.where(np.eye(len(x)) == 1, -np.inf, x)",
        "np.where(np.kron(np.eye(2), np.ones([len(x) // 2] * 2)) + np.eye(len(x))[partner(len(x))]"
        " - np.eye(len(x)) != 1, -np.inf, x)",
        marks="other view missing",
    ),
    mistake(
        "wrong_partner",
        "rows 2k and 2k + 1 are taken for a pair, where i and i + B are",
        "D1.5 partners",
        PARTNER,
        "np.arange(n) ^ 1",
    ),
    mistake(
        "partner_shifted",
        "the positive is the row after the partner: the labels are shifted by one",
        "D1.5 partners",
        PARTNER,
        "(np.arange(n) + n // 2 + 1) % n",
    ),
    mistake(
        "positive_is_the_next",
        "the positive of row i is row i + 1",
        "D1.5 partners",
        PARTNER,
        "(np.arange(n) + 1) % n",
        links=(
            "https://github.com/lightly-ai/lightly/pull/1177",
            "https://github.com/nomewang/M3DM/issues/7",
        ),
    ),
    mistake(
        "self_counted_as_positive",
        "the mask of positives keeps its diagonal: each anchor is a positive of itself, besides the true one",
        "D3.2 loss",
        MEAN,
        "p = np.exp(log_softmax(x)[rows, partner(len(w))])\n"
        "    return -(np.log(p + 1e-8) + np.log(1e-8)).mean() / 2",
        marks=("half", "constant added"),
        links="https://github.com/alinlab/CSI/issues/49",
    ),
    mixed_axes("D3.2 loss"),
    mistake(
        "double_softmax",
        "the logits pass a softmax, and then a cross-entropy that takes another one",
        "D3.2 loss",
        MEAN,
        MEAN.replace("log_softmax(x)", "log_softmax(np.exp(log_softmax(x)))"),
        marks="double softmax",
    ),
    mistake(
        "double_softmax_without_the_mask",
        "the probabilities pass a second softmax, in whose sum the anchor's own, e⁰ = 1, is counted",
        "D3.2 loss",
        "    return x - " + SUM,
        f"    x = np.exp(x - {SUM})\n    return x - {SUM}",
    ),
    mistake(
        "log_of_mean",
        "the probabilities are averaged over the batch before the logarithm",
        "D3.4 mean",
        MEAN,
        "return -np.log(np.exp(log_softmax(x)[rows, partner(len(w))]).mean())",
        marks="log of the mean for mean of the log",
        links="https://github.com/mpatacchiola/self-supervised-relational-reasoning/issues/3",
    ),
    mistake(
        "logarithm_missing",
        "the probability of the positive, without its logarithm",
        "D3.2 loss",
        MEAN,
        "return -np.exp(log_softmax(x)[rows, partner(len(w))]).mean()",
        marks="logarithm missing",
    ),
    mistake(
        "one_view_of_anchors",
        "rows of the first view alone are anchors: half of the loss is left out",
        "D3.4 mean",
        MEAN,
        "return -log_softmax(x)[rows, partner(len(w))][: len(w) // 2].mean()",
        marks="one direction",
        links=(
            "https://github.com/tensorflow/similarity/pull/262",
            "https://github.com/KevinMusgrave/pytorch-metric-learning/issues/630",
        ),
    ),
    mistake(
        "same_view_twice",
        "both views are the first one, so that every positive coincides with its anchor",
        "D3.4 mean",
        UNIT,
        UNIT + "\n    z = np.concatenate([z[: len(z) // 2]] * 2)",
        links=(
            "https://github.com/catalyst-team/catalyst/pull/1278",
            "https://github.com/microsoft/A-CLIP/pull/4",
        ),
    ),
    mistake(
        "epsilon_in_the_denominator",
        "a number is added to the denominator, so that the probabilities do not sum to 1",
        "D3.2 loss",
        MASK,
        MASK + "    top = x.max(axis=1, keepdims=True)\n",
        SUM,
        "np.log(np.exp(x).sum(axis=1, keepdims=True) + 1e-6 * np.exp(-top))",
        marks="number added to the denominator",
        links=(
            "https://github.com/Lightning-Universe/lightning-bolts/issues/681",
            "https://github.com/HKUDS/LightGCL/issues/10",
        ),
    ),
    mistake(
        "epsilon_in_a_shifted_denominator",
        "10⁻⁶ is added to a denominator shifted by the anchor's own logit, and its terms may be smaller",
        "D3.2 loss",
        MASK,
        "    top = x.max(axis=1, keepdims=True)\n" + MASK,
        "    x = x - x.max(axis=1, keepdims=True)\n",
        "    x = x - top\n",
        SUM,
        "np.log(np.exp(x).sum(axis=1, keepdims=True) + 1e-6)",
        marks="number added to the denominator",
        links=(
            "https://github.com/wjun0830/QD-DETR/issues/21",
            "https://github.com/HobbitLong/SupContrast/issues/104",
        ),
    ),
)
ENTRY = Entry(
    name="ntxent",
    loss="ntxent",
    by=("w",),
    batch=batch,
    mistakes=(
        *OF_THE_LOSS,
        *rows_of_g("D1.13 masked"),
        *projection("M5 gradient"),
        *error("D1.11 error", "g[np.arange(len(w)), partner(len(w))] -= 1"),
        mistake(
            "pull_at_a_strangers_place",
            "the partner's entry of G is at another row's place, and that row's entry is lost",
            "D1.5 partners",
            "g[np.arange(len(w)), partner(len(w))] -= 1",
            "own = g[np.arange(len(w)), partner(len(w))] - 1\n"
            "    g[np.arange(len(w)), partner(len(w))] = 0\n"
            "    g[np.arange(len(w)), np.arange(len(w)) ^ 1] += own",
        ),
        mistake(
            "push_missing",
            "nothing pushes the negatives: −1[positive] stands where P − 1[positive] belongs",
            "D1.11 error",
            "g = np.exp(log_softmax(x))",
            "g = np.zeros(x.shape)",
            marks="−1 for P − 1",
        ),
    ),
    inputs="concatenated",
    forms=(Form(ALL_BUT_SELF),),
)
