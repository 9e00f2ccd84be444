"""infonce wrong on purpose."""

import numpy as np

from infonce_ref.losses import infonce
from infonce_ref.pairs import partner


def weight(cache):
    """The weight of each anchor in the mean or the sum."""
    return 1 / len(cache.z) if cache.reduction == "mean" else 1.0


def grads(cache, dz):
    """Compute all gradients correctly from a given ∂𝓛/∂z."""
    return infonce.Gradients(dz, -np.sum(cache.z * dz) / (2 * cache.temperature))


def probabilities(cache):
    """P of all candidates but the positive."""
    return cache.rows.others[:, None] * cache.r + np.diag(cache.rows.own)


def right(cache):
    z, p = cache.z, probabilities(cache)
    q = np.sum(p, axis=1, keepdims=True)
    return weight(cache) / cache.temperature * ((p + p.T) @ z - (q + partner(q)) * partner(z))


def temperature_twice(cache):
    return grads(cache, right(cache) / cache.temperature)


def mask_ignored(z, *, keep=None, **options):
    """All rows are candidates, whatever the mask says."""
    return infonce.forward(z, **options)


TEXTS = [("transpose_missing", "z"), ("diagonal_once", "z")]
FAULTS = [
    ({"backward": temperature_twice}, "z", set()),
    ({"forward": mask_ignored, "variants": ({"left_out": 0.5},)}, "z", {"finite differences"}),
]
RIGHT = {"backward": lambda cache: grads(cache, right(cache))}
ALSO = ("noise 0.001, temperature 0.01",)  # points at which losing digits near 0 shows
