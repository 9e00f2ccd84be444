"""The text is the positive of its image, and a negative of the others."""

import numpy as np

from infonce_ref.losses import clip

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, length, q, t

FORMULA = r"$q√(t^2 + 1/M)$"
CLAIMS = ("M17",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * np.sqrt(t(s) ** 2 + 1 / M)


def pull(s: float, tau: float) -> float:
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    _, cache = clip.forward(image, text, temperature=tau)
    return tau * len(text) * length(text, clip.backward(cache).text)
