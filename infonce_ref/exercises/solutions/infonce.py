"""InfoNCE over two views of a batch, the anchor in its own denominator, and its gradient."""

import numpy as np


def log_softmax(x):
    """log P (N, N), row by row."""
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def partner(n):
    """p(i), row by row."""
    return (np.arange(n) + n // 2) % n


def loss(z, temperature):
    """The mean over the rows of −log P[i, p(i)]: a number.

    z (N, d): rows as they come, N = 2B; row i + B is the other view of row i · temperature: a number
    """
    rows = np.arange(len(z))
    return -log_softmax(z @ z.T / temperature)[rows, partner(len(z))].mean()


def gradient(z, temperature):
    """The gradient of the loss by z: an array (N, d)."""
    g = np.exp(log_softmax(z @ z.T / temperature))
    g[np.arange(len(z)), partner(len(z))] -= 1
    return (g + g.T) @ z / (len(z) * temperature)
