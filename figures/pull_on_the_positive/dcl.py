"""NT-Xent's without q, for the positive is not in its own denominator: no q, and no τ."""

import numpy as np

from infonce_ref.losses import dcl

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, t

FORMULA = r"$2√(t^2 + (1+s)/M)$"
CLAIMS = ("F2",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return 2 * np.sqrt(t(s) ** 2 + (1 + s) / M)


def pull(s: float, tau: float) -> float:
    _, cache = dcl.forward(orthogonal_pairs(M // 2 + 1, s), temperature=tau, reduction="sum")
    return tau * float(np.linalg.norm(dcl.backward(cache).w[0]))
