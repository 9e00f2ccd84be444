"""The scores are s/τ; each of the M negatives adds its own softplus."""

import numpy as np

from infonce_ref.losses import ranknet

from .arrangement import ANCHOR, TEMPERATURES, M, length, positive, t

FORMULA = r"$M\sigma(-s/\tau)\,t$"
CLAIMS = ("T1",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return M / (1 + np.exp(s / tau)) * t(s)


def pull(s: float, tau: float) -> float:
    _, cache = ranknet.forward(np.array([[s] + [0.0] * M]) / tau, positive=np.array([0]))
    return length(positive(s), ranknet.backward(cache).scores[:, :1] * ANCHOR)
