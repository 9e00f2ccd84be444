"""Decoupled contrastive learning: NT-Xent with the positive in no denominator, and its gradient."""

import numpy as np


def logits(w, temperature):
    """The unit rows z (N, d), and L (N, N)."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    return z, z @ z.T / temperature


def negatives(n):
    """Which rows stand in an anchor's denominator: all but itself and its partner (N, N)."""
    itself = np.eye(n) == 1
    return ~itself & ~itself[partner(n)]


def log_sum(x):
    """log Σ over the negatives (N, 1), and the softmax over them (N, N)."""
    x = np.where(negatives(len(x)), x, -np.inf)
    top = x.max(axis=1, keepdims=True)
    e = np.exp(x - top)
    return top + np.log(e.sum(axis=1, keepdims=True)), e / e.sum(axis=1, keepdims=True)


def partner(n):
    """p(i), row by row."""
    return (np.arange(n) + n // 2) % n


def loss(w, temperature):
    """The mean over the rows of the decoupled loss: a number.

    w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature: a number
    """
    _, x = logits(w, temperature)
    rows = np.arange(len(w))
    return (log_sum(x)[0][:, 0] - x[rows, partner(len(w))]).mean()


def gradient(w, temperature):
    """The gradient of the loss by w: an array (N, d)."""
    z, x = logits(w, temperature)
    g = log_sum(x)[1]
    g[np.arange(len(w)), partner(len(w))] -= 1
    dz = (g + g.T) @ z / (len(w) * temperature)
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)
