"""alignment wrong on purpose."""

import numpy as np

from infonce_ref.losses import alignment


def half_the_exponent(z1, z2, *, exponent, reduction="mean"):
    """‖Δ‖² to the power α: the square root is missing."""
    return alignment.forward(z1, z2, exponent=2 * exponent, reduction=reduction)


def mean_over_entries(cache):
    """Divide by the number of entries, as the mean of an array does."""
    return times(cache, 1 / cache.direction.shape[1])


def times(cache, factor):
    return alignment.Gradients(*(factor * g for g in alignment.backward(cache)))


def by_the_parallelogram(z1, z2, *, exponent, reduction="mean"):
    """‖x‖² + ‖y‖² − 2 x·y, which loses all digits if a pair nearly coincides."""
    _, cache = alignment.forward(z1, z2, exponent=exponent, reduction=reduction)
    squared = np.sum(z1 * z1, axis=1) + np.sum(z2 * z2, axis=1) - 2 * np.sum(z1 * z2, axis=1)
    return np.mean(squared ** (exponent / 2)), cache


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [
    ("exponent_missing_in_gradient", "z2"),
    ("distance_for_direction", "z1"),
    ("second_view_held_constant", "z2"),
]
FAULTS = [
    ({"forward": half_the_exponent}, "z1", DIFFERENCES),
    ({"backward": mean_over_entries}, "z1", set()),
    ({"forward": by_the_parallelogram}, "z1", {"symbolic", "finite differences", "identities"}),
]
ALSO = ("noise 0.001",)  # points at which losing digits near 0 shows
