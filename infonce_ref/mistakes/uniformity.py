"""Mistakes in uniformity."""

from .entry import ALL_BUT_SELF, ANY, Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    t = draw.rng.choice([0.5, 2.0]) if draw.small else draw.rng.uniform(0.5, 3)
    return {"z": draw.rows(2 * pairs, features), "t": float(t)}


LOSS = "return np.log(kernel(z, t).sum() / (len(z) * (len(z) - 1)))"
GRADIENT = "return 4 * t * (share @ z - share.sum(axis=1, keepdims=True) * z)"
KERNEL = "return np.exp(-t * square) * (1 - np.eye(len(z)))"
ENTRY = Entry(
    name="uniformity",
    loss="uniformity",
    by=("z",),
    batch=batch,
    mistakes=(
        mistake(
            "self_left_in",
            "each row is paired with itself too, with the kernel 1: the mean is over all N² entries",
            "F19 loss",
            LOSS,
            "return np.log((kernel(z, t).sum() + len(z)) / len(z) ** 2)",
            marks="self left in the denominator",
        ),
        mistake(
            "sum_for_mean",
            "the logarithm is of the kernel's sum, where its mean belongs",
            "F19 loss",
            LOSS,
            "return np.log(kernel(z, t).sum())",
            marks="constant added",
        ),
        mistake(
            "mean_of_logarithms",
            "the logarithm is taken of each pair, and their mean: no pair weighs more than another",
            "F19 loss",
            LOSS,
            "return -t * ((z[:, None] - z) ** 2).sum() / (len(z) * (len(z) - 1))",
        ),
        mistake(
            "logarithm_of_each_row",
            "each row has its own logarithm, not one of the mean over all pairs",
            "F19 loss",
            LOSS,
            "return np.log(kernel(z, t).sum(axis=1) / (len(z) - 1)).mean()",
            "share = kernel(z, t) / kernel(z, t).sum()",
            "share = kernel(z, t) / kernel(z, t).sum(axis=1, keepdims=True) / len(z)\n"
            "    share = (share + share.T) / 2",
        ),
        mistake(
            "distance_not_squared",
            "the kernel is of the distance, where its square belongs",
            "F19 loss",
            KERNEL,
            "return np.exp(-t * square**0.5) * (1 - np.eye(len(z)))",
        ),
        mistake(
            "each_pair_once",
            "2t stands where 4t belongs: each pair occurs twice, and each time both its rows have a gradient",
            "F20 z",
            GRADIENT,
            GRADIENT.replace("4 * t", "2 * t"),
        ),
        mistake(
            "attracting",
            "the sign is flipped: rows are pulled to each other",
            "F20 z",
            GRADIENT,
            GRADIENT.replace("4 * t", "-4 * t"),
        ),
        mistake(
            "softmax_of_each_row",
            "the weights of each row sum to 1, as in InfoNCE; those of all pairs must",
            "F20 shares",
            "share = kernel(z, t) / kernel(z, t).sum()\n",
            "share = kernel(z, t) / kernel(z, t).sum(axis=1, keepdims=True) / len(z)\n"
            "    share = (share + share.T) / 2\n",
        ),
    ),
    inputs="concatenated",
    reduction="none",
    forms=(
        Form(
            ALL_BUT_SELF,
            rows=ANY,
            reductions=("mean",),
            similarity="squared distance",
            head="log of the mean kernel",
        ),
    ),
)
