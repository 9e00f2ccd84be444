"""The positive is the first row of the bank."""

import numpy as np

from infonce_ref.losses import instance

from .arrangement import ANCHOR, APARTS, TEMPERATURES, length, positive, q, t

FORMULA = "$q\\,t$"
CLAIMS = ("M16",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


def pull(s: float, tau: float) -> float:
    bank = np.concatenate([positive(s), APARTS])
    _, cache = instance.forward(ANCHOR, bank, index=np.array([0]), temperature=tau)
    return tau * length(bank, instance.backward(cache).bank)
