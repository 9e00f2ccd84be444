"""BYOL's loss, and its gradient under the stop-gradient."""

import numpy as np


def unit(x):
    """Each row divided by its length."""
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def loss(prediction, target):
    """The mean over the rows of the squared distance between the directions of both: a number.

    prediction (n, d), target (n, d): rows of any length but 0
    """
    return ((unit(prediction) - unit(target)) ** 2).sum(axis=1).mean()


def gradient(prediction, target):
    """The gradients by prediction and by target: two arrays (n, d), as training follows them."""
    q, z = unit(prediction), unit(target)
    cosine = (q * z).sum(axis=1, keepdims=True)
    length = np.linalg.norm(prediction, axis=1, keepdims=True)
    return -2 * (z - cosine * q) / (len(q) * length), np.zeros_like(target)
