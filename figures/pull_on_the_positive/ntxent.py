"""The positive is an anchor too, and a negative of the others."""

import numpy as np

from infonce_ref.losses import ntxent

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, q, t

FORMULA = r"$2q√(t^2 + (1+s)/M)$"
CLAIMS = ("M5",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return 2 * q(s, tau) * np.sqrt(t(s) ** 2 + (1 + s) / M)


def pull(s: float, tau: float) -> float:
    _, cache = ntxent.forward(orthogonal_pairs(M // 2 + 1, s), temperature=tau, reduction="sum")
    return tau * float(np.linalg.norm(ntxent.backward(cache).w[0]))
