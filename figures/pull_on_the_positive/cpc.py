"""The scores are s/τ; from their gradient to the row by the chain rule."""

import numpy as np

from infonce_ref.losses import cpc

from .arrangement import ANCHOR, TEMPERATURES, M, length, positive, q, t

FORMULA = "$q\\,t$"
CLAIMS = ("D1.7",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


def pull(s: float, tau: float) -> float:
    scores = np.array([[s] + [0.0] * M]) / tau
    _, cache = cpc.forward(scores, positive=np.array([0]))
    return length(positive(s), cpc.backward(cache).scores[:, :1] * ANCHOR)
