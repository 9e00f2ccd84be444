"""The pull of one anchor on a positive, of two that it has: none where P is ½, and beyond it pushes."""

import numpy as np

from infonce_ref.losses import supcon

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, q, t

FORMULA = r"$|q - \frac{1}{2}|\,t$"
CLAIMS = ("F23",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return np.abs(q(s, tau) - 0.5) * t(s)


def pull(s: float, tau: float) -> float:
    pairs = M // 2 + 1
    labels = np.tile(np.arange(pairs), 2)
    labels[1] = labels[0]  # the other positive, orthogonal as the negatives are
    _, cache = supcon.forward(orthogonal_pairs(pairs, s), labels=labels, temperature=tau, reduction="none")
    of_one = np.eye(2 * pairs)[0]
    return tau * float(np.linalg.norm(supcon.backward(cache, of_one).w[pairs]))
