"""The positive is not in its own denominator: no q, and no τ."""

import numpy as np

from infonce_ref.losses import dhn_nce

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, length, t

FORMULA = r"$2√(t^2 + 1/M)$"
CLAIMS = ("M20",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return 2 * np.sqrt(t(s) ** 2 + 1 / M)


def pull(s: float, tau: float) -> float:
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    _, cache = dhn_nce.forward(image, text, temperature=tau, beta1=0.5, beta2=0.5)
    return tau * length(text, dhn_nce.backward(cache).text)
