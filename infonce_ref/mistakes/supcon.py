"""Mistakes in supcon."""

import numpy as np

from .entry import ACROSS, Arguments, Draw, Entry, Form, mistake
from .families import mixed_axes, projection, temperature, unit_rows
from .ntxent import UNIT


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    """Draw classes of two, three and one rows in turn."""
    n = 2 * pairs
    return {
        "w": draw.rows(n, features),
        "labels": draw.rng.permutation(np.resize([0, 0, 1, 1, 1, 2, 0, 3], n)),
        "temperature": draw.temperature(),
    }


LOSS = "return -(share * log_p).sum(axis=1)[counted].mean()"
SAME = "same = (labels[:, None] == labels) & (np.eye(len(labels)) == 0)"
G = "(g + g.T) @ z / (counted.sum()"
ENTRY = Entry(
    name="supcon",
    loss="supcon",
    by=("w",),
    batch=batch,
    mistakes=(
        *temperature("D3.2 scores", "z @ z.T"),
        *unit_rows("D3.3 cosine unit length", UNIT, "w"),
        mistake(
            "itself_a_positive",
            "the mask of equal labels keeps its diagonal: each row is its own positive",
            "F21 positives",
            SAME,
            "same = labels[:, None] == labels",
            "count[:, 0] > 0",
            "count[:, 0] > 1",
            "log_p = np.where(share > 0, log_softmax(x), 0)",
            "log_p = np.where((share > 0) & np.isfinite(log_softmax(x)), log_softmax(x), 0)",
        ),
        mistake(
            "self_in_denominator",
            "the anchor stands in its own denominator",
            "F21 row",
            "    x = np.where(np.eye(len(x)) == 1, -np.inf, x)\n",
            "",
            marks="self left in the denominator",
        ),
        mistake(
            "itself_a_positive_and_a_candidate",
            "no mask leaves the anchor out: it stands among its positives and in its own denominator",
            "F21 positives",
            SAME,
            "same = labels[:, None] == labels",
            "    x = np.where(np.eye(len(x)) == 1, -np.inf, x)\n",
            "",
        ),
        mixed_axes("F21 row"),
        mistake(
            "mean_inside_the_logarithm",
            "the positives' probabilities are averaged before the logarithm: the other form of the loss",
            "F22 row",
            LOSS,
            "p = np.where(share > 0, np.exp(log_softmax(x)), 0)\n"
            "    return -np.log((share * p).sum(axis=1)[counted]).mean()",
        ),
        mistake(
            "sum_over_the_positives",
            "the positives of a row are summed, where their mean belongs",
            "F21 row",
            LOSS,
            "return -((share > 0) * log_p).sum(axis=1)[counted].mean()",
            marks="cross-entropy, every positive",
        ),
        mistake(
            "mean_over_pairs",
            "the mean over all pairs, so that a large class counts for more",
            "F21 loss",
            LOSS,
            "return -((share > 0) * log_p).sum() / (share > 0).sum()",
            marks="cross-entropy, every positive",
        ),
        mistake(
            "mean_over_all_rows",
            "rows without a positive are counted in the divisor",
            "F21 loss",
            LOSS,
            "return -(share * log_p).sum(axis=1).mean()",
            links="https://github.com/HobbitLong/SupContrast/pull/142",
        ),
        mistake(
            "each_positive_alone",
            "each positive stands against the negatives alone, never against another positive",
            "F21 row",
            LOSS,
            "negative = np.exp(x) * (labels[:, None] != labels)\n"
            "    alone = np.log(np.exp(x) + negative.sum(axis=1, keepdims=True)) - x\n"
            "    return (share * alone).sum(axis=1)[counted].mean()",
            marks="each positive alone",
        ),
        mistake(
            "positives_missing",
            "the denominator sums the negatives alone: the positives belong there too",
            "F21 row",
            LOSS,
            "negative = np.exp(x) * (labels[:, None] != labels)\n"
            "    return (share * (np.log(negative.sum(axis=1, keepdims=True)) - x)).sum(axis=1)[counted].mean()",
            marks="positive missing from the denominator",
            links="https://github.com/HobbitLong/SupContrast/issues/64",
        ),
        mistake(
            "one_positive_alone",
            "only the first row of the class is a positive, not all of them",
            "F21 row",
            LOSS,
            "first = (share > 0).argmax(axis=1)\n    return -log_p[np.arange(len(w)), first][counted].mean()",
        ),
        mistake(
            "transpose_missing",
            "G Z, where (G + Gᵀ) Z belongs: each row is an anchor, and a candidate of all others too",
            "F23 w",
            G,
            "g @ z / (counted.sum()",
            marks="candidates detached",
        ),
        mistake(
            "g_taken_for_symmetric",
            "2 G Z, where (G + Gᵀ) Z belongs: the positives are mutual, the probabilities are not",
            "F23 w",
            G,
            "2 * g @ z / (counted.sum()",
            marks="g taken for symmetric",
        ),
        mistake(
            "pull_reversed",
            "1/|P_i| is added at each positive, where it is subtracted: the positives are pushed away",
            "F23 out",
            "np.exp(log_softmax(x)) - share",
            "np.exp(log_softmax(x)) + share",
        ),
        mistake(
            "pull_not_shared",
            "1 is subtracted at every positive, where 1/|P_i| belongs",
            "F23 out",
            "np.exp(log_softmax(x)) - share",
            "np.exp(log_softmax(x)) - (share > 0)",
        ),
        mistake(
            "rows_alone_not_left_out",
            "rows without a positive push: they are left out of the loss, and of its gradient",
            "F23 out",
            "g = counted[:, None] * (np.exp",
            "g = 1 * (np.exp",
        ),
        *projection("F23 w"),
    ),
    inputs="classes",
    forms=(
        Form(ACROSS, ("classes",), anchors=("first",)),
        Form(ACROSS, ("classes",), anchors=("first",), head="cross-entropy, mean inside"),
        Form(
            ACROSS,
            ("classes",),
            anchors=("first",),
            reductions=("mean over the pairs", "sum"),
            head="each positive alone, every positive",
        ),
    ),
)
