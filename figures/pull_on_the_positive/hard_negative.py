"""The pull of one anchor on its positive, a tenth of all rows being of its class: until the estimate of the
negatives is clamped, and from there on the floor's."""

import numpy as np

from infonce_ref.losses import hard_negative

from ..views import orthogonal_pairs
from .arrangement import TEMPERATURES, M, t

PRIOR = 0.1
FORMULA = r"$P\,t$, clamped $\varphi\,t$"
CLAIMS = ("F30", "R5")
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    own, floor = np.exp(s / tau), np.exp(-1 / tau)
    estimate = (1 - PRIOR * own) / (1 - PRIOR)  # all negatives are orthogonal: e⁰
    pulling = np.where(estimate > floor, M / (1 - PRIOR), M * floor)
    return pulling / (own + M * np.maximum(estimate, floor)) * t(s)


def pull(s: float, tau: float) -> float:
    pairs = M // 2 + 1
    rows = orthogonal_pairs(pairs, s)
    _, cache = hard_negative.forward(rows, temperature=tau, beta=1.0, prior=PRIOR, reduction="none")
    of_one = np.eye(2 * pairs)[0]
    return tau * float(np.linalg.norm(hard_negative.backward(cache, of_one).w[pairs]))
