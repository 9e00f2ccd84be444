"""The triplet loss, and its gradient."""

import numpy as np


def hinge(anchor, positive, negative, margin):
    """h (n,): how far each triplet misses the margin."""
    near = ((anchor - positive) ** 2).sum(axis=1)
    far = ((anchor - negative) ** 2).sum(axis=1)
    return near - far + margin


def loss(anchor, positive, negative, margin):
    """The mean over the triplets of max(0, h): a number.

    anchor, positive, negative (n, d): row i of each a triplet · margin: a number
    """
    return np.maximum(hinge(anchor, positive, negative, margin), 0).mean()


def gradient(anchor, positive, negative, margin):
    """The gradients of the loss by anchor, positive and negative: three arrays (n, d)."""
    is_open = (hinge(anchor, positive, negative, margin) > 0)[:, None]
    scale = 2 * is_open / len(anchor)
    return (
        scale * (negative - positive),
        scale * (positive - anchor),
        scale * (anchor - negative),
    )
