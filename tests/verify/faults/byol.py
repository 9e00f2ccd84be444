"""byol wrong on purpose."""

import numpy as np

from infonce_ref.losses import byol


def not_normalised(prediction, target, *, reduction="mean"):
    """‖q − z'‖², as if the rows had length 1 [D3.43]."""
    difference = prediction - target
    return np.sum(difference**2) / len(prediction), 2 * difference / len(prediction)


def of_not_normalised(cache):
    return byol.Gradients(cache)


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("projection_missing", "prediction"), ("norm_missing", "prediction")]
FAULTS = [
    ({"forward": not_normalised, "backward": of_not_normalised}, "prediction", DIFFERENCES),
]
