"""dhn_nce wrong on purpose, after the document's own mistakes and those of published code."""

import numpy as np
from scipy.special import logsumexp, softmax

from infonce_ref.losses import dhn_nce


def of_one_direction(direction):
    """Make dhn_nce from one direction's Σ_i (ℓ_i + L_ii) and its slope, as functions of L and β."""

    def forward(image, text, *, temperature, beta1, beta2, weights="differentiated", reduction="sum"):
        logits = image @ text.T / temperature
        (there, slope), (back, slope_back) = direction(logits, beta1), direction(logits.T, beta2)
        forth, back_again = (dhn_nce.Direction(x, x, 0.0) for x in (slope, slope_back))
        cache = dhn_nce.Cache(image, text, forth, back_again, weights, temperature, 1.0)
        return there + back - 2 * np.trace(logits), cache

    return {"forward": forward, "held": None}


def log_sum(logits, diagonal=-np.inf):
    """LSE_{j≠i} and its softmax; a diagonal other than −∞ is included in the sum."""
    off = np.where(np.eye(len(logits)) == 1, diagonal, logits)
    return logsumexp(off, axis=1), softmax(off, axis=1) * (1 - np.eye(len(logits)))


def right(logits, beta):
    (hard, r), (plain, r_weights) = log_sum((1 + beta) * logits), log_sum(beta * logits)
    return np.sum(np.log(len(logits) - 1) + hard - plain), (1 + beta) * r - beta * r_weights


def zero_for_infinity(logits, beta):
    """W's softmax is masked by a logit of 0, whose weight is e⁰ = 1 [D4.12]."""
    (hard, r), (plain, r_weights) = log_sum((1 + beta) * logits), log_sum(beta * logits, diagonal=0.0)
    return np.sum(np.log(len(logits) - 1) + hard - plain), (1 + beta) * r - beta * r_weights


def never_summed(logits, beta):
    """The mean of log(W_ij e^{L_ij}) over the negatives, instead of the logarithm of their sum [D4.2]."""
    others = (1 - np.eye(len(logits))) / (len(logits) - 1)
    plain, r_weights = log_sum(beta * logits)
    value = np.sum(np.log(len(logits) - 1) - plain) + np.sum(others * (1 + beta) * logits)
    return value, (1 + beta) * others - beta * r_weights


def positive_in_its_denominator(logits, beta):
    """Σ_j over all j with W_ii = 1, which is not decoupled [D4.9]."""
    (plain, r_weights), others = log_sum(beta * logits), 1 - np.eye(len(logits))
    log_w = np.where(others == 1, np.log(len(logits) - 1) + beta * logits - plain[:, None], 0)
    p = softmax(logits + log_w, axis=1)
    slope = p + beta * (p * others - np.sum(p * others, axis=1, keepdims=True) * r_weights)
    return np.sum(logsumexp(logits + log_w, axis=1)), slope


def betas_not_exchanged(image, text, **options):
    """g(Aᵀ) with β1, as the document's "vice versa" says literally [D4.19]."""
    return dhn_nce.forward(image, text, **options | {"beta2": options["beta1"]})


def weights_scaled_by_b(image, text, **options):
    """B softmax instead of (B − 1) softmax: a constant that does not change the gradient [D4.3]."""
    value, cache = dhn_nce.forward(image, text, **options)
    return value + 2 * len(image) * np.log(len(image) / (len(image) - 1)), cache


def gradient_of_weights_dropped(image, text, **options):
    return dhn_nce.forward(image, text, **options | {"weights": "constant"})


def gradient_of_weights_kept(image, text, **options):
    return dhn_nce.forward(image, text, **options | {"weights": "differentiated"})


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("not_transposed", "text")]
FAULTS = [
    (of_one_direction(zero_for_infinity), "image", DIFFERENCES),
    (of_one_direction(never_summed), "image", DIFFERENCES),
    (of_one_direction(positive_in_its_denominator), "text", DIFFERENCES),
    ({"forward": betas_not_exchanged, "held": None}, "text", DIFFERENCES),
    ({"forward": weights_scaled_by_b}, "image", {"symbolic", "finite differences"}),
    ({"forward": gradient_of_weights_dropped}, "image", set()),
    ({"forward": gradient_of_weights_kept, "variants": ({"weights": "constant"},)}, "temperature", set()),
]
RIGHT = of_one_direction(right)
