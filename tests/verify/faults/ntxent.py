"""ntxent wrong on purpose."""

import numpy as np

from infonce_ref import sphere
from infonce_ref.losses import ntxent
from infonce_ref.pairs import partner


def weight(cache):
    """The weight of each anchor in the mean or the sum."""
    return 1 / len(cache.rows.q) if cache.reduction == "mean" else 1.0


def grads(cache, dz):
    """Compute all gradients correctly from a given ∂𝓛/∂z."""
    dtau = -np.sum(cache.sphere.z * dz) / (2 * cache.temperature)
    return ntxent.Gradients(sphere.backward(cache.sphere, dz), dtau)


def right(cache, q=None, layout=None):
    """∂𝓛/∂z, with another q or layout if given."""
    z, q, layout = cache.sphere.z, cache.rows.q[:, None] if q is None else q, layout or cache.layout
    negatives = q * (cache.rows.r @ z) + cache.rows.r.T @ (q * z)
    return weight(cache) / cache.temperature * (negatives - (q + partner(q, layout)) * partner(z, layout))


def temperature_forgotten(cache):
    return grads(cache, cache.temperature * right(cache))


def mean_over_pairs(cache):
    return grads(cache, 2 * right(cache))


def wrong_layout(cache):
    """Positives of the concatenated layout, whatever layout is given."""
    return grads(cache, right(cache, layout="concatenated"))


def one_minus_p(cache):
    """The same formula, with q = 1 − P_p by subtraction."""
    return grads(cache, right(cache, q=1 - (1 - cache.rows.q[:, None])))


def temperature_sign(cache):
    g = grads(cache, right(cache))
    return g._replace(temperature=-g.temperature)


def textbook_forward(w, **options):
    """ℓ = LSE over everything − s_p, which cancels as the loss goes to 0."""
    value, cache = ntxent.forward(w, **options)
    return (value + 1) - 1, cache


def nan_gradient(cache):
    g = grads(cache, right(cache))
    return g._replace(w=np.where(np.arange(len(g.w))[:, None] == 0, np.nan, g.w))


def by_columns(w, *, keep=None, **options):
    """A mask whose columns, not rows, belong to the anchors."""
    return ntxent.forward(w, keep=None if keep is None else keep.T.copy(), **options)


# these agree: the gradient is right for the wrong forward pass, or the digits that it loses do not show
DIFFERENCES = {"finite differences"}
TEXTS = [
    ("transpose_missing", "w"),
    ("projection_missing", "w"),
    ("norm_missing", "w"),
    ("self_in_denominator", "w"),
]
FAULTS = [
    ({"backward": temperature_forgotten}, "w", set()),
    ({"backward": mean_over_pairs}, "w", set()),
    ({"backward": wrong_layout, "variants": ({"layout": "interleaved"},)}, "w", set()),
    ({"backward": temperature_sign}, "temperature", set()),
    ({"backward": nan_gradient}, "w", set()),
    ({"backward": one_minus_p}, "w", DIFFERENCES),
    ({"forward": textbook_forward}, "w", {"symbolic", "finite differences"}),
    ({"forward": by_columns, "variants": ({"left_out": 0.5},)}, "w", DIFFERENCES),
]
RIGHT = {"backward": lambda cache: grads(cache, right(cache))}
ALSO = ("noise 0.001, temperature 0.01",)  # points at which losing digits near 0 shows
