"""Mistakes in hard_negative."""

from . import ntxent
from .entry import Arguments, Draw, Entry, Form, mistake
from .families import drop_marks, projection, temperature, unit_rows


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    arguments = ntxent.batch(max(pairs, 2), features, draw)
    beta, prior = (2.0, 0.25) if draw.small else (draw.rng.uniform(0.1, 2), draw.rng.uniform(0.05, 0.3))
    return {**arguments, "beta": float(beta), "prior": float(prior)}


WEIGHTS = "mean = (softmax(beta * x) * np.exp(x)).sum(axis=1)"
NEGATIVES = "1 - np.eye(n) - np.eye(n)[partner(n)]"
MEAN_WEIGHTS = "np.exp(x) * (1 - np.eye(len(x)) - np.eye(len(x))[partner(len(x))])"
SLOPE = "slope = (1 + beta) * softmax((1 + beta) * x) - beta * softmax(beta * x)"
ENTRY = Entry(
    name="hard_negative",
    loss="hard_negative",
    by=("w", "temperature"),
    batch=batch,
    mistakes=(
        *drop_marks(temperature("D3.2 scores", "z @ z.T")),
        *drop_marks(unit_rows("D3.3 cosine unit length", ntxent.UNIT, "w")),
        mistake(
            "prior_missing",
            "no correction for negatives of the anchor's own class",
            "F29 open",
            "(mean - prior * own) / (1 - prior)",
            "mean",
        ),
        mistake(
            "prior_not_divided",
            "the estimate is not divided by 1 − τ⁺, the share of true negatives",
            "F29 open",
            "(mean - prior * own) / (1 - prior)",
            "mean - prior * own",
        ),
        mistake(
            "clamped_at_0",
            "the estimate is clamped at 0; its lower bound is e^{−1/τ}",
            "F29 shut",
            "floor = np.exp(-1 / temperature)",
            "floor = 1e-300",
        ),
        mistake(
            "weights_missing",
            "all negatives weigh the same: β is not used",
            "F29 weights",
            WEIGHTS,
            "mean = (softmax(0 * x) * np.exp(x)).sum(axis=1)",
        ),
        mistake(
            "weights_over_the_mean",
            "the weights e^{βL} are divided by the mean of e^L, so that they do not average to 1",
            "F29 weights",
            WEIGHTS,
            f"off = {MEAN_WEIGHTS}\n    mean = (off * np.exp(beta * x)).sum(axis=1) / off.sum(axis=1)",
            links="https://github.com/joshr17/HCL/issues/1",
        ),
        mistake(
            "hardness_outside",
            "β multiplies e^L, but it is an exponent",
            "F29 weights",
            WEIGHTS,
            f"off = {MEAN_WEIGHTS}\n    mean = beta * (off**2).sum(axis=1) / off.sum(axis=1)",
            links="https://github.com/joshr17/HCL/issues/5",
        ),
        mistake(
            "positive_missing",
            "the denominator sums the negatives alone: the positive belongs there too",
            "F29 row",
            "np.log(1 + (len(w) - 2) * g / own)",
            "np.log((len(w) - 2) * g / own)",
        ),
        mistake(
            "negatives_averaged",
            "the estimate is not multiplied by the number of negatives",
            "F29 row",
            "np.log(1 + (len(w) - 2) * g / own)",
            "np.log(1 + g / own)",
        ),
        mistake(
            "weights_held_constant",
            "the weights are held constant in the gradient: here they are differentiated",
            "F30 w",
            SLOPE,
            "slope = softmax((1 + beta) * x)",
        ),
        mistake(
            "transpose_missing",
            "G Z, where (G + Gᵀ) Z belongs: each row is an anchor, and a candidate of all others too",
            "F30 w",
            "dz = (e + e.T) @ z",
            "dz = e @ z",
        ),
        mistake(
            "no_pull_at_the_clamp",
            "if the estimate is clamped, the positive gets no gradient; it must still be pulled",
            "F30 w",
            "pull = rest * (g",
            "pull = rest * is_open * (g",
        ),
        mistake(
            "floor_held_constant",
            "the gradient by the temperature treats e^{−1/τ} as a constant",
            "F30 temperature",
            "(of_floor - (e * x).sum())",
            "-(e * x).sum()",
        ),
        *drop_marks(projection("F30 w")),
    ),
    inputs="concatenated",
    forms=(Form(("same view", "other view"), head="hard and debiased"),),
)
