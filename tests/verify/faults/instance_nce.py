"""instance_nce wrong on purpose."""

import numpy as np
from scipy.special import logsumexp, softmax

from infonce_ref.losses import instance_nce, nce


class Estimated:
    """instance_nce computed with nce, with Ẑ = factor · (1/m) Σ_k e_{j_k}, held constant or not."""

    def __init__(self, factor=None, held=False):
        self.factor, self.held = factor, held

    def forward(self, v, bank, *, index, noise_index, temperature):
        drawn = np.column_stack([index, noise_index])
        logits = np.einsum("nd,nkd->nk", v, bank[drawn]) / temperature
        m, k = noise_index.shape[1], len(bank)
        u = logits - np.log((self.factor or k) / m) - logsumexp(logits[:, 1:], axis=1, keepdims=True)
        uniform = np.full(u.shape, -np.log(k))
        value, cache = nce.forward(u[:, 0], u[:, 1:], log_noise_data=uniform[:, 0], log_noise=uniform[:, 1:])
        g = np.column_stack(nce.backward(cache))
        if not self.held:
            g[:, 1:] -= softmax(logits[:, 1:], axis=1) * g.sum(axis=1, keepdims=True)
        return value, (v, bank, drawn, g / temperature, temperature)

    @staticmethod
    def backward(cache):
        v, bank, drawn, g, tau = cache
        dv, dbank = np.einsum("nk,nkd->nd", g, bank[drawn]), np.zeros_like(bank)
        np.add.at(dbank, drawn, g[..., None] * v[:, None])
        return instance_nce.Gradients(dv, dbank, -np.sum(v * dv) / tau)

    def planted(self):
        return {"forward": self.forward, "backward": self.backward}


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("drawn_once", "bank")]
FAULTS = [
    # Ẑ = mean of e_{j_k}, not scaled by K [D3.13]
    (Estimated(factor=1).planted(), "v", DIFFERENCES),
    # Ẑ is constant in the backward pass
    (Estimated(held=True).planted(), "v", set()),
]
RIGHT = Estimated().planted()
