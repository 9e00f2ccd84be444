"""The bound that InfoNCE puts on mutual information, of one batch, and its gradient."""

import numpy as np


def log_softmax(u):
    """log P (n, K), row by row."""
    u = u - u.max(axis=1, keepdims=True)
    return u - np.log(np.exp(u).sum(axis=1, keepdims=True))


def bound(scores, positive):
    """The batch's estimate of a lower bound on I(X;Y), in nats: a number.

    scores (n, K): log φ, row i a context, column j a candidate · positive (n,): the column of each row's positive
    """
    rows = np.arange(len(scores))
    return np.log(scores.shape[1]) + log_softmax(scores)[rows, positive].mean()


def gradient(scores, positive):
    """The gradient of the bound by the scores: an array (n, K), along which the bound grows."""
    g = -np.exp(log_softmax(scores))
    g[np.arange(len(scores)), positive] += 1
    return g / len(scores)
