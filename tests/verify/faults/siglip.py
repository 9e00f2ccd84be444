"""siglip wrong on purpose."""

import numpy as np
from scipy.special import expit

from infonce_ref.losses import siglip


def as_printed(image, text, *, temperature, bias, reduction="mean"):
    """The bias of the printed formula, whose sign differs from the algorithm's [F9]."""
    return siglip.forward(image, text, temperature=temperature, bias=-bias, reduction=reduction)


def of_printed(cache):
    g = siglip.backward(cache)
    return g._replace(bias=-g.bias)


def rows_of_pairs(image, text, *, temperature, bias, reduction="mean"):
    """The mean over all pairs instead of images."""
    value, cache = siglip.forward(image, text, temperature=temperature, bias=bias, reduction=reduction)
    return value / len(image), cache


def of_pairs(cache):
    return siglip.Gradients(*(x / len(cache.image) for x in siglip.backward(cache)))


def by_subtraction(cache):
    """σ − 1 by subtraction, which loses all digits if σ is near 1."""
    n = len(cache.logits)
    g = np.where(np.eye(n), expit(-cache.logits) - 1, expit(cache.logits))
    return siglip.backward(cache)._replace(
        image=g @ cache.text / cache.temperature / (n if cache.reduction == "mean" else 1)
    )


def naive(image, text, *, temperature, bias, reduction="mean"):
    """log(1 + eˣ) computed literally, which loses all digits for x far below 0."""
    _, cache = siglip.forward(image, text, temperature=temperature, bias=bias, reduction=reduction)
    rows = np.sum(np.log(1 + np.exp(np.minimum(cache.logits, 700))), axis=1)
    return np.mean(rows) if reduction == "mean" else rows if reduction == "none" else np.sum(rows), cache


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
LEARNED = ({"bias": -86.0},)  # half way between the pairs' logits and the others', at τ = 0.01
TEXTS = [("not_transposed", "text"), ("bias_divided_too", "temperature"), ("bias_of_negatives_alone", "bias")]
FAULTS = [
    ({"forward": as_printed, "backward": of_printed}, "image", DIFFERENCES),
    ({"forward": rows_of_pairs, "backward": of_pairs}, "bias", DIFFERENCES),
    (
        {"backward": by_subtraction, "variants": LEARNED},
        "image",
        {"symbolic", "finite differences", "identities"},
    ),
    ({"forward": naive, "variants": LEARNED}, "image", {"symbolic", "finite differences"}),
]
ALSO = ("noise 0.001, bias -86.0, temperature 0.01",)  # points at which losing digits near 0 shows
