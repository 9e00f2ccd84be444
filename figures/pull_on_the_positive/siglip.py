"""At the bias −log M the positive's sigmoid is the softmax's q; the text is a negative of the other images too."""

import numpy as np

from infonce_ref.losses import siglip

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, length, q, t

FORMULA = r"$√(q^2 t^2 + M/(M+1)^2)$"
CLAIMS = ("F10",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return np.sqrt((q(s, tau) * t(s)) ** 2 + M / (M + 1) ** 2)


def pull(s: float, tau: float) -> float:
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    _, cache = siglip.forward(image, text, temperature=tau, bias=-np.log(M), reduction="sum")
    return tau * length(text, siglip.backward(cache).text)
