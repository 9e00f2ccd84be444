"""Cross-entropy against a distribution, and its gradient."""

import numpy as np


def log_softmax(u):
    """log P (n, K), row by row."""
    u = u - u.max(axis=1, keepdims=True)
    return u - np.log(np.exp(u).sum(axis=1, keepdims=True))


def loss(scores, targets):
    """The mean over the rows of −Σ_a t_ia log P_ia: a number.

    scores (n, K): row i a context, column a a candidate · targets (n, K): each row a distribution
    """
    return -(targets * log_softmax(scores)).sum(axis=1).mean()


def gradient(scores, targets):
    """The gradient of the loss by the scores: an array (n, K)."""
    return (np.exp(log_softmax(scores)) - targets) / len(scores)
