"""Expected: query_key.queue_held_constant."""

import numpy as np


def probabilities(query, positive, negatives, temperature):
    own = np.einsum("nd,nd->n", query, positive)[:, None]
    x = np.hstack([own, query @ negatives.T]) / temperature
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def loss(query, positive, negatives, temperature):
    return -np.log(probabilities(query, positive, negatives, temperature)[:, 0]).mean()


def gradient(query, positive, negatives, temperature):
    g = probabilities(query, positive, negatives, temperature) / (len(query) * temperature)
    g[:, 0] -= 1 / (len(query) * temperature)
    return g[:, :1] * positive + g[:, 1:] @ negatives, g[:, :1] * query, np.zeros_like(negatives)
