"""NT-Xent, the loss of SimCLR, and its gradient."""

import numpy as np


def logits(w, temperature):
    """The unit rows z (N, d), and L (N, N)."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    return z, z @ z.T / temperature


def log_softmax(x):
    """log P (N, N): each row over all rows but the anchor itself."""
    x = np.where(np.eye(len(x)) == 1, -np.inf, x)
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def partner(n):
    """p(i), row by row."""
    return (np.arange(n) + n // 2) % n


def loss(w, temperature):
    """The mean over the rows of −log P[i, p(i)]: a number.

    w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature: a number
    """
    _, x = logits(w, temperature)
    rows = np.arange(len(w))
    return -log_softmax(x)[rows, partner(len(w))].mean()


def gradient(w, temperature):
    """The gradient of the loss by w: an array (N, d)."""
    z, x = logits(w, temperature)
    g = np.exp(log_softmax(x))
    g[np.arange(len(w)), partner(len(w))] -= 1
    dz = (g + g.T) @ z / (len(w) * temperature)
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)
