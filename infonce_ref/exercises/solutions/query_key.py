"""InfoNCE of queries against a queue of keys, and its gradient."""

import numpy as np


def log_softmax(query, positive, negatives, temperature):
    """log P (n, 1 + M): each query's own key first, then the queue."""
    own = (query * positive).sum(axis=1, keepdims=True)
    x = np.concatenate([own / temperature, query @ negatives.T / temperature], axis=1)
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def loss(query, positive, negatives, temperature):
    """The mean over the queries of −log P of their own key: a number.

    query (n, d), positive (n, d): rows as they come, row i of each a pair · negatives (M, d): the queue, for all
    queries the same · temperature: a number
    """
    return -log_softmax(query, positive, negatives, temperature)[:, 0].mean()


def gradient(query, positive, negatives, temperature):
    """The gradients of the loss by query (n, d), positive (n, d) and negatives (M, d): three arrays."""
    p = np.exp(log_softmax(query, positive, negatives, temperature))
    scale = len(query) * temperature
    pull, push = p[:, :1] - 1, p[:, 1:]
    return (pull * positive + push @ negatives) / scale, pull * query / scale, push.T @ query / scale
