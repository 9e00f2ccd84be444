"""byol wrong on purpose."""

import numpy as np

from infonce_ref.losses import byol


def projection_missing(cache):
    """−(2/‖q‖) z̄', the radial part left in [M18]."""
    q, chord = cache.prediction.z, cache.chord  # ±q̄ − z̄', by the sign of the cosine
    z = np.copysign(1, np.sum(q * chord, axis=1, keepdims=True)) * q - chord
    weight = 1 / len(z) if cache.reduction == "mean" else 1.0
    return byol.Gradients(-2 * weight * z / cache.prediction.norm)


def norm_missing(cache):
    g = byol.backward(cache)
    return byol.Gradients(g.prediction * cache.prediction.norm)


def not_normalised(prediction, target, *, reduction="mean"):
    """‖q − z'‖², as if the rows had length 1 [D3.43]."""
    difference = prediction - target
    return np.sum(difference**2) / len(prediction), 2 * difference / len(prediction)


def of_not_normalised(cache):
    return byol.Gradients(cache)


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"backward": projection_missing}, "prediction", set()),
    ({"backward": norm_missing}, "prediction", set()),
    ({"forward": not_normalised, "backward": of_not_normalised}, "prediction", DIFFERENCES),
]
