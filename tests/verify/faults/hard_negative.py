"""hard_negative wrong on purpose."""

import numpy as np

from infonce_ref import sphere
from infonce_ref.losses import hard_negative
from infonce_ref.pairs import partner


def grads(cache, weights_move=True, clamped_too=False, by_floor=True, transposed=True):
    """The document's gradients. weights_move: whether the weights are differentiated; clamped_too: whether the
    positive is pulled if the estimate is clamped; by_floor: whether the floor is differentiated by the temperature.
    """
    z, tau, n = cache.sphere.z, cache.temperature, len(cache.negatives)
    scale = 1 / n if cache.reduction == "mean" else 1.0
    kept = (1 + cache.beta) * cache.hard - cache.beta * cache.soft if weights_move else cache.hard
    g = cache.negatives[:, None] * kept
    pull = cache.negatives + (0 if clamped_too else cache.floored)
    g = scale * (g - pull[:, None] * partner(np.eye(n), cache.layout))
    dz = (g @ z + (g.T @ z if transposed else 0)) / tau
    dtau = scale * by_floor * np.sum(cache.floored) / tau**2 - np.sum(z * dz) / (2 * tau)
    return hard_negative.Gradients(sphere.backward(cache.sphere, dz), dtau)


def none_at_the_clamp(cache):
    """No pull on the positive if the estimate is clamped, as if the row's loss were constant."""
    return grads(cache, clamped_too=True)


def floor_for_a_constant(cache):
    """The derivative by the temperature treats e^{−1/τ} as a constant."""
    return grads(cache, by_floor=False)


def undebiased(w, *, prior, **options):
    """Without the debiasing correction."""
    return hard_negative.forward(w, prior=0.0, **options)


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
MANY = ({"prior": 0.5},)  # so that some rows are clamped
TEXTS = [("weights_held_constant", "w"), ("transpose_missing", "w")]
FAULTS = [
    ({"backward": none_at_the_clamp, "variants": MANY}, "w", set()),
    ({"backward": floor_for_a_constant, "variants": MANY}, "temperature", set()),
    ({"forward": undebiased}, "w", DIFFERENCES),
]
RIGHT = {"backward": grads}
