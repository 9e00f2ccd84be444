"""spectral wrong on purpose."""

from infonce_ref.losses import spectral


def mean_over_all(cache):
    """Divide the squares by B², as a mean over the whole matrix does."""
    count = len(cache.z1)
    return spectral.backward(cache._replace(pushes=cache.pushes * (count - 1) / count))


TEXTS = [
    ("square_not_differentiated", "z2"),
    ("not_transposed", "z2"),
    ("pull_by_own_row", "z1"),
    ("pairs_among_the_squares", "z1"),
]
FAULTS = [
    ({"backward": mean_over_all}, "z1", set()),
]
