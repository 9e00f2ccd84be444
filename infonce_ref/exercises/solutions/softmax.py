"""Softmax cross-entropy and its gradient."""

import numpy as np


def log_softmax(u):
    """log P (n, K), row by row."""
    u = u - u.max(axis=1, keepdims=True)
    return u - np.log(np.exp(u).sum(axis=1, keepdims=True))


def loss(scores, positive):
    """The mean over the rows of −log P[i, positive[i]]: a number.

    scores (n, K): row i a context, column j a candidate · positive (n,): the column of each row's positive
    """
    rows = np.arange(len(scores))
    return -log_softmax(scores)[rows, positive].mean()


def gradient(scores, positive):
    """The gradient of the loss by the scores: an array (n, K)."""
    g = np.exp(log_softmax(scores))
    g[np.arange(len(scores)), positive] -= 1
    return g / len(scores)
