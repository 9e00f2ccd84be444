"""SimSiam's loss, and its gradient under the stop-gradient."""

import numpy as np


def unit(x):
    """Each row divided by its length."""
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def loss(p1, z1, p2, z2):
    """Half the negative cosine of p1 and z2, and half that of p2 and z1, the mean over the rows: a number.

    p1, p2 (n, d): predictions of the two views · z1, z2 (n, d): projections of the two views
    """
    return -((unit(p1) * unit(z2)).sum(axis=1) / 2 + (unit(p2) * unit(z1)).sum(axis=1) / 2).mean()


def slope(p, z):
    """The gradient by p of half the negative cosine of p and z."""
    q, z = unit(p), unit(z)
    cosine = (q * z).sum(axis=1, keepdims=True)
    return -(z - cosine * q) / (2 * len(p) * np.linalg.norm(p, axis=1, keepdims=True))


def gradient(p1, z1, p2, z2):
    """The gradients by p1, z1, p2 and z2: four arrays (n, d), as training follows them."""
    return slope(p1, z2), np.zeros_like(z1), slope(p2, z1), np.zeros_like(z2)
