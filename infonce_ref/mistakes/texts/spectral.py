"""The spectral contrastive loss: products of pairs, and squared products of all others; and its gradient."""

import numpy as np


def loss(z1, z2):
    """The mean over the rows of −2 S_ii and the mean of S_ij² over the others: a number.

    z1 (B, d), z2 (B, d): rows as they come, row i of each a pair
    """
    s = z1 @ z2.T
    others = s * (1 - np.eye(len(s)))
    return -2 * np.diag(s).mean() + (others**2).sum() / (len(s) * (len(s) - 1))


def gradient(z1, z2):
    """The gradients of the loss by z1 and by z2: two arrays (B, d)."""
    s = z1 @ z2.T
    push = s * (1 - np.eye(len(s)))
    g = (2 * push / (len(s) - 1) - 2 * np.eye(len(s))) / len(s)
    return g @ z2, g.T @ z1
