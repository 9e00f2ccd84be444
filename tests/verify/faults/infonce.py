"""infonce wrong on purpose."""

import numpy as np

from infonce_ref.losses import infonce
from infonce_ref.pairs import partner


def weight(cache):
    """Of each anchor in the mean or the sum."""
    return 1 / len(cache.z) if cache.reduction == "mean" else 1.0


def grads(cache, dz):
    """By the right way from ∂𝓛/∂z on."""
    return infonce.Gradients(dz, -np.sum(cache.z * dz) / (2 * cache.temperature))


def probabilities(cache):
    """P of all candidates but the positive."""
    return cache.rows.others[:, None] * cache.r + np.diag(cache.rows.own)


def right(cache):
    z, p = cache.z, probabilities(cache)
    q = np.sum(p, axis=1, keepdims=True)
    return weight(cache) / cache.temperature * ((p + p.T) @ z - (q + partner(q)) * partner(z))


def without_transpose(cache):
    """G Z, where (G + Gᵀ) Z is right [D1.13]."""
    p = probabilities(cache)
    slope = p @ cache.z - np.sum(p, axis=1, keepdims=True) * partner(cache.z)
    return grads(cache, weight(cache) / cache.temperature * slope)


def temperature_twice(cache):
    return grads(cache, right(cache) / cache.temperature)


def diagonal_once(cache):
    """The diagonal counted once, though L_ii depends on z_i twice."""
    diagonal = cache.rows.own[:, None] * cache.z
    return grads(cache, right(cache) - weight(cache) / cache.temperature * diagonal)


FAULTS = [
    ({"backward": without_transpose}, "z", set()),
    ({"backward": temperature_twice}, "z", set()),
    ({"backward": diagonal_once}, "z", set()),
]
RIGHT = {"backward": lambda cache: grads(cache, right(cache))}
ALSO = ("noise 0.001, temperature 0.01",)  # where digits that are lost near 0 are seen
