"""VICReg: two views agree, and the columns of each are spread out and uncorrelated; and its gradient."""

import numpy as np


def centred(z):
    """Each column minus its mean."""
    return z - z.mean(axis=0)


def deviations(z, epsilon):
    """S (d,), over B − 1."""
    return np.sqrt((centred(z) ** 2).sum(axis=0) / (len(z) - 1) + epsilon)


def covariances(z):
    """The covariances of the columns (d, d), over B − 1, with 0 on the diagonal."""
    c = centred(z)
    return c.T @ c / (len(z) - 1) * (1 - np.eye(z.shape[1]))


def loss(z1, z2, invariance, variance, covariance, margin, epsilon):
    """The three terms, each with its weight: a number.

    z1, z2 (B, d): row i of each a pair · invariance, variance, covariance: the weights · margin: the least
    deviation that costs nothing · epsilon: added to each variance
    """
    d = z1.shape[1]
    apart = ((z1 - z2) ** 2).sum(axis=1).mean()
    hinge = sum(np.maximum(margin - deviations(z, epsilon), 0).sum() / d for z in (z1, z2))
    redundancy = sum((covariances(z) ** 2).sum() / d for z in (z1, z2))
    return invariance * apart + variance * hinge + covariance * redundancy


def of_one(z, variance, covariance, margin, epsilon):
    """The gradient of one view's hinge and redundancy, each with its weight (B, d)."""
    n, d = z.shape
    s = deviations(z, epsilon)
    spread = -variance * (s < margin) * centred(z) / (d * (n - 1) * s)
    return spread + 4 * covariance * centred(z) @ covariances(z) / (d * (n - 1))


def gradient(z1, z2, invariance, variance, covariance, margin, epsilon):
    """The gradients by z1 and by z2: two arrays (B, d)."""
    towards = 2 * invariance * (z1 - z2) / len(z1)
    first, second = (of_one(z, variance, covariance, margin, epsilon) for z in (z1, z2))
    return first + towards, second - towards
