"""Mistakes in cpc."""

from .entry import ACROSS, ANY, SCORES, Arguments, Draw, Entry, Form, mistake
from .families import error


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    return {"scores": draw.numbers(pairs, features + 1), "positive": draw.index(features + 1, pairs)}


LOSS = "return -log_softmax(scores)[rows, positive].mean()"
MISTAKES = (
    mistake(
        "softmax_over_contexts",
        "the softmax runs over the contexts for each candidate: rows and columns are exchanged",
        "D2.3 right",
        "u = u - u.max(axis=1, keepdims=True)",
        "u = u - u.max(axis=0, keepdims=True)",
        "np.exp(u).sum(axis=1, keepdims=True)",
        "np.exp(u).sum(axis=0, keepdims=True)",
        marks="softmax over the wrong axis",
        links=(
            "https://github.com/jefflai108/Contrastive-Predictive-Coding-PyTorch/issues/19",
            "https://github.com/YuanGongND/ssast/issues/13",
            "https://github.com/emadeldeen24/TS-TCC/issues/42",
        ),
    ),
    mistake(
        "summed_down_the_columns",
        "the denominators are sums down the columns, axis 0: each row has its own, over axis 1",
        "D2.3 right",
        "np.exp(u).sum(axis=1, keepdims=True)",
        "np.exp(u).sum(axis=0)",
    ),
    mistake(
        "largest_of_the_columns",
        "the largest of each column is subtracted, axis 0: only that of a whole row leaves its softmax as it is",
        "D2.3 right",
        "u.max(axis=1, keepdims=True)",
        "u.max(axis=0)",
    ),
    mistake(
        "softmax_over_the_whole_matrix",
        "one softmax over the whole matrix, where each row should have its own",
        "D2.3 right",
        "np.log(np.exp(u).sum(axis=1, keepdims=True))",
        "np.log((np.exp(u) * np.exp(top)).sum()) + top",
        "    u = u - u.max(axis=1, keepdims=True)\n",
        "    top = u.max(axis=1, keepdims=True)\n    u = u - top\n",
        marks="softmax over the whole matrix",
    ),
    mistake(
        "positive_missing",
        "the denominator sums the negatives alone: the positive belongs there too, or it is no probability",
        "D2.3 right",
        LOSS,
        "others = np.exp(scores)\n    others[rows, positive] = 0\n"
        "    return (np.log(others.sum(axis=1)) - scores[rows, positive]).mean()",
        marks="positive missing from the denominator",
    ),
    mistake(
        "positive_twice",
        "the positive enters the denominator twice: a perfect row still costs log 2",
        "D2.3 right",
        LOSS,
        "own = scores[rows, positive]\n    e = np.exp(scores - own[:, None]).sum(axis=1)\n"
        "    return np.log(1 + e).mean()",
        marks="positive counted twice",
        links="https://github.com/antoine77340/MIL-NCE_HowTo100M/issues/4",
    ),
    mistake(
        "negative_left_out",
        "the column after the positive is left out, and the positive stands among the negatives in its place",
        "D2.3 right",
        LOSS,
        "x = scores.copy()\n    x[rows, (positive + 1) % scores.shape[1]] = scores[rows, positive]\n"
        "    return -log_softmax(x)[rows, positive].mean()",
        links="https://github.com/facebookresearch/fairseq/issues/3189",
    ),
    mistake(
        "double_softmax",
        "the scores pass a softmax, and then a cross-entropy that takes another one",
        "D2.3 right",
        LOSS,
        "return -log_softmax(np.exp(log_softmax(scores)))[rows, positive].mean()",
        marks="double softmax",
    ),
    mistake(
        "logarithm_missing",
        "the probability of the positive, without its logarithm",
        "D2.3 right",
        LOSS,
        "return -np.exp(log_softmax(scores)[rows, positive]).mean()",
        marks="logarithm missing",
    ),
    mistake(
        "exponential_of_mean_probability",
        "probabilities stand where logarithms belong, and an exponential on top",
        "D2.3 right",
        LOSS,
        "return np.exp(-np.exp(log_softmax(scores)[rows, positive]).mean())",
    ),
    mistake(
        "log_of_mean",
        "the probabilities are averaged over the rows before the logarithm",
        "D2.3 right",
        LOSS,
        "return -np.log(np.exp(log_softmax(scores)[rows, positive]).mean())",
        marks="log of the mean for mean of the log",
    ),
    mistake(
        "every_label_0",
        "column 0 is every row's positive: the labels are not used",
        "D2.3 right",
        LOSS,
        "return -log_softmax(scores)[:, 0].mean()",
        marks="every label 0",
    ),
    mistake(
        "labels_shifted",
        "the positive is the next column: the labels are shifted by one",
        "D2.3 right",
        LOSS,
        "return -log_softmax(scores)[rows, (positive + 1) % scores.shape[1]].mean()",
        marks="labels shifted",
    ),
    mistake(
        "score_for_loss",
        "the positive's score itself: nothing is divided by the sum",
        "D2.3 right",
        LOSS,
        "return -scores[rows, positive].mean()",
        marks=("other view missing", "no negatives"),
    ),
    mistake(
        "epsilon_in_the_logarithm",
        "a number is added inside the logarithm: a row that is badly wrong exerts no force",
        "D2.3 right",
        LOSS,
        "return -np.log(np.exp(log_softmax(scores)[rows, positive]) + 1e-3).mean()",
        marks="number added inside the logarithm",
    ),
    mistake(
        "sigmoids_for_softmax",
        "every score passes a sigmoid of its own: nothing couples a row",
        "D2.3 right",
        LOSS,
        "sign = np.ones(scores.shape)\n    sign[rows, positive] = -1\n"
        "    return np.logaddexp(0, sign * scores).sum(axis=1).mean()",
        marks="sigmoid for softmax",
    ),
    *error("D1.7 derivative", "g[np.arange(len(scores)), positive] -= 1"),
    mistake(
        "push_missing",
        "−1[positive] stands where P − 1[positive] belongs: nothing pushes the negatives",
        "D1.7 derivative",
        "g = np.exp(log_softmax(scores))",
        "g = np.zeros(scores.shape)",
        marks="−1 for P − 1",
    ),
    mistake(
        "negatives_without_force",
        "only the positive's entry has a gradient, P − 1; those of the negatives are missing",
        "D1.7 derivative",
        "    g[np.arange(len(scores)), positive] -= 1\n",
        "    own = np.zeros(g.shape)\n    own[np.arange(len(scores)), positive] = 1\n    g = (g - 1) * own\n",
        marks="push missing",
    ),
    mistake(
        "positives_without_force",
        "the positive's own entry has no gradient: nothing pulls it",
        "D1.7 derivative",
        "    g[np.arange(len(scores)), positive] -= 1\n",
        "    g[np.arange(len(scores)), positive] = 0\n",
        marks="pull missing",
    ),
    mistake(
        "one_off_in_every_column",
        "1 is subtracted from every entry, not only from the positive's",
        "D1.7 derivative",
        "g[np.arange(len(scores)), positive] -= 1",
        "g -= 1",
    ),
)
ENTRY = Entry(
    name="cpc",
    loss="cpc",
    by=("scores",),
    batch=batch,
    mistakes=MISTAKES,
    inputs="scores and labels",
    forms=(Form(ACROSS, ("views", *SCORES), ANY, ("first", "second")),),
)
