"""alignment wrong on purpose."""

import numpy as np

from infonce_ref.losses import alignment


def half_the_exponent(z1, z2, *, exponent, reduction="mean"):
    """‖Δ‖² to the power α: the root forgotten."""
    return alignment.forward(z1, z2, exponent=2 * exponent, reduction=reduction)


def mean_over_entries(cache):
    """Divided by the number of entries, as a mean over an array is."""
    return times(cache, 1 / cache.direction.shape[1])


def exponent_forgotten(cache):
    """The factor α left out."""
    return times(cache, 0.5)


def not_a_direction(cache):
    """α ‖Δ‖^{α−1} Δ: the difference, not divided by its length."""
    length = np.abs(cache.slope) / 2  # at α = 2
    return alignment.backward(cache._replace(direction=cache.direction * length[:, None]))


def second_view_held(cache):
    """The second view taken for a target."""
    g = alignment.backward(cache)
    return g._replace(z2=0 * g.z2)


def times(cache, factor):
    return alignment.Gradients(*(factor * g for g in alignment.backward(cache)))


def by_the_parallelogram(z1, z2, *, exponent, reduction="mean"):
    """‖x‖² + ‖y‖² − 2 x·y, of which no digit is left where a pair nearly coincides."""
    _, cache = alignment.forward(z1, z2, exponent=exponent, reduction=reduction)
    squared = np.sum(z1 * z1, axis=1) + np.sum(z2 * z2, axis=1) - 2 * np.sum(z1 * z2, axis=1)
    return np.mean(squared ** (exponent / 2)), cache


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"forward": half_the_exponent}, "z1", DIFFERENCES),
    ({"backward": mean_over_entries}, "z1", set()),
    ({"backward": exponent_forgotten}, "z2", set()),
    ({"backward": not_a_direction}, "z1", set()),
    ({"backward": second_view_held}, "z2", set()),
    ({"forward": by_the_parallelogram}, "z1", {"symbolic", "finite differences", "identities"}),
]
ALSO = ("noise 0.001",)  # where digits that are lost near 0 are seen
