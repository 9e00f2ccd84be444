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


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
TEXTS = [("square_not_differentiated", "z2"), ("not_transposed", "z2"), ("pull_by_own_row", "z1")]
FAULTS = [
    ({"forward": with_the_pairs}, "z1", DIFFERENCES),
    ({"backward": mean_over_all}, "z1", set()),
]
