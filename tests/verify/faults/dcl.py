"""dcl wrong on purpose."""

import numpy as np
from scipy.special import expit, logsumexp

from infonce_ref import sphere
from infonce_ref.losses import dcl
from infonce_ref.pairs import partner


def grads(cache, each=1.0, transposed=True):
    """The document's gradients; each: the factor of each anchor; transposed: whether Gᵀ is included."""
    z, r = cache.sphere.z, cache.r
    weight = each * np.ones((len(z), 1)) / (len(z) if cache.reduction == "mean" else 1)
    dz = weight * (r @ z - partner(z, cache.layout))
    if transposed:
        dz = dz + r.T @ (weight * z) - partner(weight * z, cache.layout)
    dz = dz / cache.temperature
    return dcl.Gradients(sphere.backward(cache.sphere, dz), -np.sum(z * dz) / (2 * cache.temperature))


def coupled(cache):
    """NT-Xent's factor q, which this loss has dropped."""
    logits = cache.sphere.z @ cache.sphere.z.T / cache.temperature
    positive = np.sum(cache.sphere.z * partner(cache.sphere.z, cache.layout), axis=1) / cache.temperature
    margin = logsumexp(np.where(cache.r > 0, logits, -np.inf), axis=1) - positive
    return grads(cache, expit(margin)[:, None])


TEXTS = [("transpose_missing", "w"), ("positive_kept", "w")]
FAULTS = [
    ({"backward": coupled}, "w", set()),
    ({"backward": coupled}, "temperature", set()),
]
RIGHT = {"backward": grads}
