"""The stable form of the softmax cross-entropy: no overflow, and every digit of a small loss."""

import numpy as np


def odds(scores, positive):
    """x (n,), the log-odds of "not the positive", and the softmax r (n, K) of the others."""
    rows = np.arange(len(scores))
    others = scores.copy()
    others[rows, positive] = -np.inf
    top = others.max(axis=1, keepdims=True)
    e = np.exp(others - top)
    total = e.sum(axis=1, keepdims=True)
    x = (top + np.log(total))[:, 0] - scores[rows, positive]
    return x, e / total


def softplus(x):
    """log(1 + eˣ)"""
    return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))


def sigmoid(x):
    """eˣ / (1 + eˣ)"""
    return np.exp(np.minimum(x, 0)) / (1 + np.exp(-abs(x)))


def loss(scores, positive):
    """The mean over the rows of −log P[i, positive[i]]: a number, right to the last digits.

    scores (n, K): as large as 1000 · positive (n,): the column of each row's positive
    """
    x, _ = odds(scores, positive)
    return softplus(x).mean()


def gradient(scores, positive):
    """The gradient of the loss by the scores: an array (n, K), right to the last digits."""
    x, r = odds(scores, positive)
    q = sigmoid(x)
    g = q[:, None] * r
    g[np.arange(len(scores)), positive] = -q
    return g / len(scores)
