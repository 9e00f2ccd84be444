"""supcon wrong on purpose."""

import numpy as np

from infonce_ref import sphere
from infonce_ref.losses import supcon


def grads(cache, anchors=None, itself=False, transposed=True):
    """The document's gradients. anchors: the divisor; itself: whether each row is its own positive."""
    z, y = cache.sphere.z, cache.positive * 1.0
    counted = y.any(axis=1)
    p = np.where(cache.positive, 1 - cache.q[:, None], cache.q[:, None]) * cache.r
    share = y + itself * np.eye(len(z))
    share = share / np.maximum(share.sum(axis=1, keepdims=True), 1)
    if cache.form == "in":
        share = y * cache.r
    divisor = (anchors or counted.sum()) if cache.reduction == "mean" else 1
    g = counted[:, None] * (p - share) / divisor
    dz = (g @ z + (g.T @ z if transposed else 0)) / cache.temperature
    return supcon.Gradients(sphere.backward(cache.sphere, dz), -np.sum(z * dz) / (2 * cache.temperature))


def over_all_anchors(w, *, labels, temperature, form="out", reduction="mean"):
    """The mean over all rows, including those without a positive."""
    value, cache = supcon.forward(w, labels=labels, temperature=temperature, form=form, reduction=reduction)
    return value * (np.mean(cache.positive.any(axis=1)) if reduction == "mean" else 1), cache


def of_all_anchors(cache):
    return grads(cache, anchors=len(cache.q))


def over_pairs(w, *, labels, temperature, form="out", reduction="mean"):
    """The mean over all pairs, which gives a large class more weight."""
    rows, cache = supcon.forward(w, labels=labels, temperature=temperature, form=form, reduction="none")
    count = cache.positive.sum(axis=1)
    weight = count / count.sum() if reduction == "mean" else count
    return (weight * rows if reduction == "none" else np.sum(weight * rows)), cache._replace(
        reduction=reduction
    )


def of_pairs(cache):
    count = cache.positive.sum(axis=1)
    weight = count / count.sum() if cache.reduction == "mean" else 1.0 * count
    return supcon.backward(cache._replace(reduction="none"), weight)


def over_anchors(w, *, labels, temperature, form="pairs", reduction="mean"):
    """The mean over each anchor's pairs, then over the anchors, as in SINCERE."""
    rows, cache = supcon.forward(w, labels=labels, temperature=temperature, form="pairs", reduction="none")
    weight = weight_of_anchors(cache.positive, reduction)
    return (weight * rows if reduction == "none" else np.sum(weight * rows)), cache._replace(
        reduction=reduction
    )


def of_anchors(cache):
    return supcon.backward(
        cache._replace(reduction="none"), weight_of_anchors(cache.positive, cache.reduction)
    )


def weight_of_anchors(positive, reduction):
    weight = 1 / np.maximum(positive.sum(axis=1), 1)
    return weight / positive.any(axis=1).sum() if reduction == "mean" else weight


def other_form(w, *, labels, temperature, form="out", reduction="mean"):
    """The mean on the other side of the logarithm."""
    other = {"out": "in", "in": "out"}[form]
    return supcon.forward(w, labels=labels, temperature=temperature, form=other, reduction=reduction)


def itself_a_positive(cache):
    """A mask of equal labels that includes the diagonal."""
    return grads(cache, itself=True)


def pairs(w, *, labels, temperature, form="pairs", reduction="mean"):
    return supcon.forward(w, labels=labels, temperature=temperature, form="pairs", reduction=reduction)


def before_all_others(cache):
    """In the form "pairs", use the softmax of the other forms, whose denominator includes the other
    positives.
    """
    z, y = cache.sphere.z, cache.positive * 1.0
    logits = np.where(np.eye(len(z)), -np.inf, z @ z.T / cache.temperature)
    p = np.exp(logits - logits.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    g = y.sum(axis=1, keepdims=True) * p - y
    g = g / y.sum() if cache.reduction == "mean" else g
    dz = (g + g.T) @ z / cache.temperature
    return supcon.Gradients(sphere.backward(cache.sphere, dz), -np.sum(z * dz) / (2 * cache.temperature))


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("transpose_missing", "w")]
FAULTS = [
    ({"forward": over_all_anchors, "backward": of_all_anchors}, "w", DIFFERENCES),
    ({"forward": over_pairs, "backward": of_pairs}, "temperature", DIFFERENCES),
    ({"forward": other_form}, "w", DIFFERENCES),
    ({"backward": itself_a_positive}, "w", set()),
    ({"forward": over_anchors, "backward": of_anchors}, "w", DIFFERENCES),
    ({"forward": pairs, "backward": before_all_others}, "w", set()),
]
