"""One view's prediction is drawn to the other view's projection."""

import numpy as np

from infonce_ref.losses import simsiam

from .arrangement import ANCHOR, positive, t

FORMULA = "$t/2$"
CLAIMS = ("M19",)
SETTINGS = ("", (None,))


def closed(s: np.ndarray, _: None) -> np.ndarray:
    return t(s) / 2


def pull(s: float, _: None) -> float:
    _, cache = simsiam.forward(positive(s), ANCHOR, positive(s), ANCHOR)
    return float(np.linalg.norm(simsiam.backward(cache).p1))
