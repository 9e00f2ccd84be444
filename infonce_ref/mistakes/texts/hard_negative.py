"""NT-Xent with weighted negatives and a correction for the anchor's own class, and its gradient."""

import numpy as np


def logits(w, temperature):
    """The unit rows z (N, d), and L (N, N)."""
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    return z, z @ z.T / temperature


def partner(n):
    """p(i), row by row."""
    return (np.arange(n) + n // 2) % n


def softmax(x):
    """Over the negatives of each row: neither itself nor its partner."""
    n = len(x)
    e = np.exp(x) * (1 - np.eye(n) - np.eye(n)[partner(n)])
    return e / e.sum(axis=1, keepdims=True)


def estimate(x, temperature, beta, prior):
    """The mean e^L of a row's true negatives, and whether it is above its floor e^{−1/τ}."""
    mean = (softmax(beta * x) * np.exp(x)).sum(axis=1)
    own = np.exp(x[np.arange(len(x)), partner(len(x))])
    debiased = (mean - prior * own) / (1 - prior)
    floor = np.exp(-1 / temperature)
    return np.maximum(debiased, floor), debiased > floor, own, mean


def loss(w, temperature, beta, prior):
    """The mean over the rows of log(1 + (N − 2) g e^{−L of the partner}): a number.

    w (N, d): rows of any length, N = 2B; row i + B is the other view of row i · temperature, beta, prior: numbers
    """
    _, x = logits(w, temperature)
    g, _, own, _ = estimate(x, temperature, beta, prior)
    return np.log(1 + (len(w) - 2) * g / own).mean()


def to_rows(w, z, dz):
    """The gradient by w of a loss whose gradient by the unit rows is dz: an array (N, d)."""
    radial = (z * dz).sum(axis=1, keepdims=True) * z
    return (dz - radial) / np.linalg.norm(w, axis=1, keepdims=True)


def gradient(w, temperature, beta, prior):
    """The gradients of the loss by w and by the temperature: an array (N, d) and a number."""
    z, x = logits(w, temperature)
    g, is_open, own, mean = estimate(x, temperature, beta, prior)
    n = len(w)
    rest = (n - 2) / (own + (n - 2) * g)
    slope = (1 + beta) * softmax((1 + beta) * x) - beta * softmax(beta * x)
    push = (rest * is_open * mean / (1 - prior))[:, None] * slope
    pull = rest * (g + is_open * prior * own / (1 - prior))
    e = push - pull[:, None] * np.eye(n)[partner(n)]
    dz = (e + e.T) @ z / (n * temperature)
    of_floor = (rest * ~is_open * g).sum() / temperature
    return to_rows(w, z, dz), (of_floor - (e * x).sum()) / (n * temperature)
