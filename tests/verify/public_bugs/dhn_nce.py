"""The decoupled loss with hardness weights as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import logsumexp, where


def both(image, text, temperature, beta1, beta2, one_way):
    """Both directions, L with one hardness and Lᵀ with the other."""
    x = image @ text.T / temperature
    return one_way(x, beta1) + one_way(x.T, beta2)


def off(x):
    return ~np.eye(len(x.value), dtype=bool)


def diagonal(x):
    here = np.arange(len(x.value))
    return x[here, here]


def textbook(image, text, temperature, beta1, beta2):
    def one_way(x, beta):
        hard, plain = (logsumexp(where(off(x), slope * x, -np.inf), 1) for slope in (1 + beta, beta))
        return (hard - plain - diagonal(x)).sum() + len(x.value) * np.log(len(x.value) - 1)

    return both(image, text, temperature, beta1, beta2, one_way)


@bug(
    "identities",
    "https://github.com/raminnakhli/Decoupled-Contrastive-Learning/issues/14",
    "https://github.com/taesungp/contrastive-unpaired-translation/issues/47",
    "https://github.com/zju3dv/LoFTR/issues/285",
)
def additive_finite_mask(image, text, temperature, beta1, beta2):
    """log 10⁻⁴⁵ = −103.6 is added to masked logits instead of −∞: at a cold temperature the pair reappears."""

    def one_way(x, beta):
        mask = np.log(1e-45) * ~off(x)
        hard, plain = (1 + beta) * x + mask, beta * x + mask
        losses = logsumexp(hard, 1) - logsumexp(plain, 1) - diagonal(x)
        return losses.sum() + len(x.value) * np.log(len(x.value) - 1)

    return both(image, text, temperature, beta1, beta2, one_way)
