"""The prediction is drawn to the target, and nothing is negative."""

import numpy as np

from infonce_ref.losses import byol

from .arrangement import ANCHOR, positive, t

FORMULA = "$2t$"
CLAIMS = ("M18",)
SETTINGS = ("", (None,))


def closed(s: np.ndarray, _: None) -> np.ndarray:
    return 2 * t(s)


def pull(s: float, _: None) -> float:
    _, cache = byol.forward(positive(s), ANCHOR)
    return float(np.linalg.norm(byol.backward(cache).prediction))
