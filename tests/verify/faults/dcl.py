"""dcl wrong on purpose."""

import numpy as np
from scipy.special import expit, logsumexp

from infonce_ref import sphere
from infonce_ref.losses import dcl
from infonce_ref.pairs import partner


def grads(cache, each=1.0, transposed=True):
    """The document's gradients. each: the factor of each anchor; transposed: whether Gᵀ is included."""
    z, r = cache.sphere.z, cache.r
    weight = each * np.ones((len(z), 1)) / (len(z) if cache.reduction == "mean" else 1)
    dz = weight * (r @ z - partner(z, cache.layout))
    if transposed:
        dz = dz + r.T @ (weight * z) - partner(weight * z, cache.layout)
    dz = dz / cache.temperature
    return dcl.Gradients(sphere.backward(cache.sphere, dz), -np.sum(z * dz) / (2 * cache.temperature))


def coupled(cache):
    """Keep NT-Xent's factor q, which this loss does not have."""
    logits = cache.sphere.z @ cache.sphere.z.T / cache.temperature
    positive = np.sum(cache.sphere.z * partner(cache.sphere.z, cache.layout), axis=1) / cache.temperature
    margin = logsumexp(np.where(cache.r > 0, logits, -np.inf), axis=1) - positive
    return grads(cache, expit(margin)[:, None])


def held(cache):
    """Hold the weights of DCLW constant, although they are differentiated."""
    return dcl.backward(cache._replace(weights=cache.weights._replace(mode="constant")))


def mean_forgotten(w, *, sigma=None, **options):
    """DCLW's weights are 2 − ρ instead of 2 − N ρ."""
    _, cache = dcl.forward(w, sigma=sigma, **options)
    kept = cache.weights
    if sigma is not None:
        kept = kept._replace(pull=2 - kept.share, sigma=sigma * len(w))
    r, losses = dcl.contrast(cache.sphere.z, kept, cache.temperature, cache.layout)
    return np.mean(losses), cache._replace(r=r, weights=kept)


WEIGHED = ({"sigma": 0.5},)
TEXTS = [("transpose_missing", "w"), ("positive_kept", "w")]
FAULTS = [
    ({"backward": coupled}, "w", set()),
    ({"backward": coupled}, "temperature", set()),
    ({"backward": held, "variants": WEIGHED}, "w", set()),
    ({"forward": mean_forgotten, "variants": WEIGHED}, "temperature", {"finite differences"}),
]
RIGHT = {"backward": grads}
