"""All the force of the hinge, or nothing."""

import numpy as np

from infonce_ref.losses import triplet

from .arrangement import ANCHOR, APART, length, positive, t

FORMULA = "$2t$, if $s < m/2$"
CLAIMS = ("M12",)
SETTINGS = ("m", (0.0, 0.5, 1.0))


def closed(s: np.ndarray, margin: float) -> np.ndarray:
    return np.where(s < margin / 2, 2 * t(s), 0.0)


def pull(s: float, margin: float) -> float:
    _, cache = triplet.forward(ANCHOR, positive(s), APART, margin=margin)
    return length(positive(s), triplet.backward(cache).positive)
