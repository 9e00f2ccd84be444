"""barlow_twins wrong on purpose."""

import numpy as np

from infonce_ref.losses import barlow_twins


def sample_variance(z1, z2, *, weight):
    """Columns divided by the deviation over B − 1, products by B: every correlation is multiplied by (B − 1)/B."""
    _, cache = barlow_twins.forward(z1, z2, weight=weight)
    shrunk = (len(z1) - 1) / len(z1)
    off = cache.redundancy * shrunk
    diagonal = 1 - shrunk * (1 - cache.shortfall)
    squares = np.sum(off**2) / weight
    return np.sum(diagonal**2) + squares, cache._replace(shortfall=shrunk * diagonal, redundancy=off * shrunk)


def through_a_constant_deviation(cache):
    """Treat mean and deviation of the columns as constants."""
    pull = 2 * cache.shortfall[:, None] * cache.apart
    du = 2 * cache.redundancy @ cache.second.z + pull
    dv = 2 * cache.redundancy.T @ cache.first.z - pull
    return barlow_twins.Gradients((du / cache.first.norm).T, (dv / cache.second.norm).T)


def weight_twice(cache):
    """Multiply by λ again in the backward pass; the example has λ = 0.005."""
    return barlow_twins.backward(cache._replace(redundancy=0.005 * cache.redundancy))


def by_subtraction(z1, z2, *, weight):
    """Compute 1 − C by subtraction from a correlation that is nearly 1."""
    _, cache = barlow_twins.forward(z1, z2, weight=weight)
    short = 1 - np.sum(cache.first.z * cache.second.z, axis=1)
    off = cache.first.z @ cache.second.z.T
    np.fill_diagonal(off, 0)
    return np.sum(short**2) + weight * np.sum(off**2), cache


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("not_transposed", "z2")]
FAULTS = [
    ({"forward": sample_variance}, "z1", DIFFERENCES),
    ({"backward": through_a_constant_deviation}, "z1", set()),
    ({"backward": weight_twice}, "z1", set()),
    (
        {"forward": by_subtraction, "variants": ({"weight": 0.0},)},
        "z1",
        {*DIFFERENCES, "symbolic", "precision"},
    ),
]
