"""Uniformity: the logarithm of the mean kernel of all pairs of rows, and its gradient."""

import numpy as np


def kernel(z, t):
    """e^{−t‖z_i − z_j‖²} (N, N), 0 for a row with itself."""
    square = ((z[:, None] - z) ** 2).sum(axis=2)
    return np.exp(-t * square) * (1 - np.eye(len(z)))


def loss(z, t):
    """log of the mean of the kernel over the ordered pairs of two rows: a number.

    z (N, d): rows as they come · t: a number, how fast the kernel falls
    """
    return np.log(kernel(z, t).sum() / (len(z) * (len(z) - 1)))


def gradient(z, t):
    """The gradient of the loss by z: an array (N, d)."""
    share = kernel(z, t) / kernel(z, t).sum()
    return 4 * t * (share @ z - share.sum(axis=1, keepdims=True) * z)
