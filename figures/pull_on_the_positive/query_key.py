"""One query, one positive, M other keys."""

import numpy as np

from infonce_ref.losses import query_key

from .arrangement import ANCHOR, APARTS, TEMPERATURES, length, positive, q, t

FORMULA = "$q\\,t$"
CLAIMS = ("D2.9", "D2.14", "M14")
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


def pull(s: float, tau: float) -> float:
    _, cache = query_key.forward(ANCHOR, positive(s), APARTS, temperature=tau)
    return tau * length(positive(s), query_key.backward(cache).positive)
