"""Expected: dhn_nce.zero_for_infinity."""

import numpy as np


def one_way(x, beta):
    off = 1 - np.eye(len(x))
    weights = np.exp(beta * x * off)
    weights = (len(x) - 1) * weights / weights.sum(1, keepdims=True)
    return (np.log((weights * off * np.exp(x)).sum(1)) - np.diag(x)).sum()


def loss(image, text, temperature, beta1, beta2):
    x = image @ text.T / temperature
    return one_way(x, beta1) + one_way(x.T, beta2)


def gradient(image, text, temperature, beta1, beta2):
    raise NotImplementedError
