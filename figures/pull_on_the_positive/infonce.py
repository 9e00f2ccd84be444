"""The anchor is among its own candidates: q never falls below ½."""

import numpy as np

from infonce_ref.losses import infonce

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, length, q, t

FORMULA = r"$2√(q^2t^2 + P_n^2 M(1+s))$"
CLAIMS = ("D1.13",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    itself = np.exp(1 / tau)
    negative = 1 / (M + itself + np.exp(s / tau))
    return 2 * np.sqrt((q(s, tau, itself) * t(s)) ** 2 + negative**2 * M * (1 + s))


def pull(s: float, tau: float) -> float:
    views = orthogonal_pairs(M // 2 + 1, s)
    _, cache = infonce.forward(views, temperature=tau, reduction="sum")
    return tau * length(views, infonce.backward(cache).z)
