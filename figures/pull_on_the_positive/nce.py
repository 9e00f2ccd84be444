"""The scores are s/τ, the noise has density 1, so that m p_n = M."""

import numpy as np

from infonce_ref.losses import nce

from .arrangement import ANCHOR, TEMPERATURES, M, length, positive, q, t

FORMULA = "$q\\,t$"
CLAIMS = ("D3.18",)
SETTINGS = TEMPERATURES


def closed(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


def pull(s: float, tau: float) -> float:
    zeros = np.zeros((1, M))
    _, cache = nce.forward(np.array([s / tau]), zeros, log_noise_data=np.zeros(1), log_noise=zeros)
    return length(positive(s), nce.backward(cache).data_scores[:, None] * ANCHOR)
