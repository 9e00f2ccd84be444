"""spectral wrong on purpose."""

import numpy as np

from infonce_ref.losses import spectral


def with_the_pairs(z1, z2, *, reduction="mean"):
    """The positives among the squares, as a mean over the whole matrix has them."""
    value, cache = spectral.forward(z1, z2, reduction=reduction)
    pairs = np.sum(z1 * z2, axis=1)
    value = value + np.mean(pairs**2) / (len(z1) - 1)
    return value, cache._replace(pushes=cache.pushes + np.diag(pairs) / (len(z1) - 1))


def mean_over_all(cache):
    """Squares divided by B², as the mean over the whole matrix divides them."""
    count = len(cache.z1)
    return spectral.backward(cache._replace(pushes=cache.pushes * (count - 1) / count))


def square_not_differentiated(cache):
    """The factor 2 of the square forgotten."""
    return spectral.backward(cache._replace(pushes=cache.pushes / 2))


def not_transposed(cache):
    """The second view pushed by its rows' scores instead of its columns'."""
    other = spectral.backward(cache._replace(pushes=cache.pushes.T))
    return spectral.backward(cache)._replace(z2=other.z2)


def pull_by_own_row(cache):
    """∂(z·z')/∂z taken for z."""
    g, shift = spectral.backward(cache), 2 / len(cache.z1) * (cache.z2 - cache.z1)
    return g._replace(z1=g.z1 + shift)


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"forward": with_the_pairs}, "z1", DIFFERENCES),
    ({"backward": mean_over_all}, "z1", set()),
    ({"backward": square_not_differentiated}, "z2", set()),
    ({"backward": not_transposed}, "z2", set()),
    ({"backward": pull_by_own_row}, "z1", set()),
]
