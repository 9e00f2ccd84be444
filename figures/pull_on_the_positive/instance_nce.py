"""The positive is the first row of the bank, the noise all others."""

import numpy as np

from infonce_ref.losses import instance_nce

from .arrangement import ANCHOR, APARTS, TEMPERATURES, M, length, positive, q, t

FORMULA = "$q\\,t$"
CLAIMS = ("D3.17",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


def pull(s: float, tau: float) -> float:
    bank = np.concatenate([positive(s), APARTS])
    noise = np.arange(1, M + 1)[None, :]
    _, cache = instance_nce.forward(ANCHOR, bank, index=np.array([0]), noise_index=noise, temperature=tau)
    return tau * length(bank, instance_nce.backward(cache).bank)
