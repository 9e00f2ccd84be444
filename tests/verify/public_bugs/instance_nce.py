"""Instance discrimination by noise contrast as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import concat, detach, exp, log, logsumexp, softplus


def log_weights(v, bank, index, noise_index, temperature):
    """log e_j of each feature's own row (n, 1), and of its noise (n, m)."""
    x = v @ bank.T / temperature
    rows = np.arange(len(index))[:, None]
    return x[rows, index[:, None]], x[rows, noise_index]


def textbook(v, bank, index, noise_index, temperature):
    own, noise = log_weights(v, bank, index, noise_index, temperature)
    total = logsumexp(noise, 1)[:, None]
    return (softplus(total - own)[:, 0] + softplus(noise - total).sum(1)).mean()


@bug("finite differences", of="normaliser_held_constant", named=("normaliser held constant",))
def normaliser_held_constant(v, bank, index, noise_index, temperature):
    """Z is estimated once and then held constant; here at its first step, where its value is still right and only
    its gradient is missing."""
    own, noise = log_weights(v, bank, index, noise_index, temperature)
    total = detach(exp(noise).sum(1, keepdims=True))
    share = exp(own) / (exp(own) + total), exp(noise) / (exp(noise) + total)
    return (-log(share[0])[:, 0] - log(1 - share[1]).sum(1)).mean()


@bug("symbolic", of="noise_missing", named=("noise missing",))
def noise_terms_left_out(v, bank, index, noise_index, temperature):
    """Only the data's term is computed, the sum over the noise samples is missing."""
    own, noise = log_weights(v, bank, index, noise_index, temperature)
    return (logsumexp(concat(own, noise, axis=1), 1) - own[:, 0]).mean()
