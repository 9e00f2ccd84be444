"""What losses in these tests are written in, and the commonest of them, as strangers write them in NumPy."""

import numpy as np


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def logsumexp(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    return np.squeeze(top, axis) + np.log(np.exp(x - top).sum(axis=axis))


def rows(s):
    """The cross-entropy of each row of scores, whose positive is on the diagonal."""
    return logsumexp(s) - np.diag(s)


def cpc(x, y, temperature=0.2):
    return rows(unit(x) @ unit(y).T / temperature).mean()


def clip(x, y, temperature=0.2):
    return (cpc(x, y, temperature) + cpc(y, x, temperature)) / 2


def ntxent(x, y, temperature=0.2, itself=0.0):
    """By ratios of exponentials; itself: how often a row is in its own denominator."""
    z = unit(np.concatenate([x, y]))
    e, n = np.exp(z @ z.T / temperature), len(z)
    e[np.arange(n), np.arange(n)] *= itself
    return -np.log(e[np.arange(n), np.roll(np.arange(n), n // 2)] / e.sum(axis=1)).mean()
