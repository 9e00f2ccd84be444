"""Mistakes in dhn_nce."""

from .clip import batch as pairs_of
from .entry import ANY, Arguments, Draw, Entry, Form, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    betas = (0.5, 1.0) if draw.small else draw.rng.uniform(0.1, 2, size=2)
    return {**pairs_of(pairs, features, draw), "beta1": float(betas[0]), "beta2": float(betas[1])}


WEIGHTS = "weights = np.log(len(x) - 1) - log_sum(beta * x)[0]"
ROW = "return -np.diag(x) + weights + log_sum((1 + beta) * x)[0]"
LOGITS = "x = image @ text.T / temperature"
LOSS = "return rows(x, beta1).sum() + rows(x.T, beta2).sum()"
SLOPE = "return (1 + beta) * log_sum((1 + beta) * x)[1] - beta * log_sum(beta * x)[1] - np.eye(len(x))"
GRADIENT = "return g @ text / temperature, g.T @ image / temperature"
ENTRY = Entry(
    name="dhn_nce",
    loss="dhn_nce",
    by=("image", "text"),
    batch=batch,
    mistakes=(
        mistake(
            "temperature_multiplied",
            "similarities are multiplied by the temperature, not divided",
            "D4.2 row",
            LOGITS,
            "x = image @ text.T * temperature",
            marks="multiplied by the temperature",
        ),
        mistake(
            "temperature_not_used",
            "the temperature never reaches the loss",
            "D4.2 row",
            LOGITS,
            "x = image @ text.T",
            marks="temperature not used",
        ),
        mistake(
            "temperature_twice",
            "the temperature is applied twice",
            "D4.2 row",
            LOGITS,
            "x = image @ text.T / temperature**2",
            marks="temperature twice",
        ),
        mistake(
            "zero_for_infinity",
            "the softmax of the weights is masked with logits of 0, which count as e⁰ = 1",
            "D4.3 sum",
            WEIGHTS,
            "off = np.where(np.eye(len(x)) == 1, 0, beta * x)\n"
            "    weights = np.log(len(x) - 1) - np.log(np.exp(off).sum(axis=1))",
            links="https://github.com/HealthX-Lab/MedCLIP-SAM/blob/70a7f961f933a0861fee4f79dca607a76972a810/loss/hnl.py",
        ),
        mistake(
            "never_summed",
            "the weighed negatives are never summed: the logarithm is taken of each, and their mean",
            "D4.2 row",
            "log_sum((1 + beta) * x)[0]",
            "((1 + beta) * x * (1 - np.eye(len(x)))).sum(axis=1) / (len(x) - 1)",
        ),
        mistake(
            "negatives_never_summed",
            "the weighed negatives stay a matrix: the logarithm is taken of each entry, and the mean of all",
            "D4.2 row",
            LOSS,
            "def one_way(x, beta):\n        off = x * (1 - np.eye(len(x)))\n"
            "        weights = np.log(len(x) - 1) + beta * off - np.log(np.exp(beta * off).sum(axis=1))\n"
            "        return (weights + off - np.diag(np.diag(x))).mean()\n\n"
            "    return one_way(x, beta1) + one_way(x.T, beta2)",
            links=(
                "https://github.com/HealthX-Lab/MedCLIP-SAM/blob/70a7f961f933a0861fee4f79dca607a76972a810/loss/hnl.py",
                "https://github.com/chingyaoc/DCL/pull/1",
            ),
        ),
        mistake(
            "normaliser_transposed",
            "the weights are divided by a vector of row sums that lies along the columns: keepdims is missing",
            "D4.3 weights",
            LOSS,
            "crossed = log_sum((1 + beta1) * x - log_sum(beta1 * x)[0])[0]\n"
            "    first = -np.diag(x) + np.log(len(x) - 1) + crossed\n"
            "    return first.sum() + rows(x.T, beta2).sum()",
            links="https://github.com/lucas-ventura/CoVR/blob/c04444501cd2b1c7669d08c9f9ffa66af7ddcaa5/src/model/loss.py",
        ),
        mistake(
            "positive_in_its_denominator",
            "the positive stands in its own denominator: no longer decoupled",
            "D4.2 row",
            ROW,
            "return -np.diag(x) + np.logaddexp(weights + log_sum((1 + beta) * x)[0], np.diag(x))",
        ),
        mistake(
            "betas_not_exchanged",
            "the texts' direction has β₁ too, where β₂ belongs",
            "D4.19 text",
            "rows(x.T, beta2)",
            "rows(x.T, beta1)",
        ),
        mistake(
            "betas_exchanged",
            "β₁ and β₂ are swapped",
            "D4.19 text",
            LOSS,
            "return rows(x, beta2).sum() + rows(x.T, beta1).sum()",
        ),
        mistake(
            "weights_scaled_by_b",
            "the weights are B softmax, where (B − 1) softmax has mean 1: a constant that no gradient sees",
            "D4.3 weights",
            "np.log(len(x) - 1)",
            "np.log(len(x))",
            marks="constant added",
        ),
        mistake(
            "weights_not_scaled",
            "the weights sum to 1, where their mean is 1",
            "D4.3 sum",
            "np.log(len(x) - 1) - log_sum",
            "-log_sum",
            marks="constant added",
        ),
        mistake(
            "weights_missing",
            "all negatives weigh the same: there are no weights",
            "D4.3 flat",
            ROW,
            "return -np.diag(x) + log_sum(x)[0]",
        ),
        mistake(
            "hardness_missing_below",
            "β is in the numerator of the weights and not in the denominator, so that their mean is not 1",
            "D4.3 weights",
            "log_sum(beta * x)[0]",
            "log_sum(x)[0]",
            links=(
                "https://github.com/HealthX-Lab/MedCLIP-SAM/blob/70a7f961f933a0861fee4f79dca607a76972a810/loss/hnl.py",
                "https://github.com/joshr17/HCL/issues/1",
            ),
        ),
        mistake(
            "hardness_outside",
            "the weights are multiplied by β, not raised to it",
            "D4.3 weights",
            WEIGHTS,
            "weights = np.log(len(x) - 1) + np.log(beta) - log_sum(x)[0]",
            "log_sum((1 + beta) * x)[0]",
            "log_sum(2 * x)[0]",
            marks="constant added",
            links="https://github.com/joshr17/HCL/issues/5",
        ),
        mistake(
            "hardness_sign_flipped",
            "the exponent is −β times the similarity: the nearest negatives weigh least",
            "D4.3 weights",
            "log_sum(beta * x)[0]",
            "log_sum(-beta * x)[0]",
            "log_sum((1 + beta) * x)[0]",
            "log_sum((1 - beta) * x)[0]",
            links="https://github.com/joshr17/HCL/issues/11",
        ),
        mistake(
            "mask_multiplied",
            "the mask is multiplied into the exponent, so that the diagonal counts as e⁰ = 1 in both sums",
            "D4.3 sum",
            "    x = np.where(np.eye(len(x)) == 1, -np.inf, x)\n",
            "    x = np.where(np.eye(len(x)) == 1, 0, x)\n",
        ),
        mistake(
            "one_direction",
            "images to texts alone: the other direction is missing",
            "D4.1 loss",
            LOSS,
            "return rows(x, beta1).sum()",
            marks="one direction",
        ),
        mistake(
            "weights_held_constant",
            "the weights are held constant in the gradient: here they are differentiated",
            "M20 held row",
            SLOPE,
            "return log_sum((1 + beta) * x)[1] - np.eye(len(x))",
        ),
        mistake(
            "weights_slope_missing",
            "(1 + β) Q is there, and the −β ρ of the weights' normaliser is not",
            "M20 row",
            " - beta * log_sum(beta * x)[1]",
            "",
        ),
        mistake(
            "not_transposed",
            "G I stands for the texts, where Gᵀ I belongs",
            "M20 text",
            GRADIENT,
            "return g @ text / temperature, g @ image / temperature",
        ),
        mistake(
            "columns_not_transposed",
            "the texts' part of G is not transposed back",
            "M20 both",
            "slope(x.T, beta2).T",
            "slope(x.T, beta2)",
        ),
    ),
    reduction="sum",
    inputs="two",
    forms=(
        Form(("other view",), rows=ANY, reductions=("sum", "mean"), head="hard negatives"),
        Form(("other view",), rows=ANY, reductions=("sum", "mean"), head="hard negatives by direction"),
        Form(("other view",), rows=ANY, reductions=("sum", "mean")),
    ),
)
