"""Expected: infonce.transpose_missing."""

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def positives(n):
    return np.roll(np.eye(n), n // 2, axis=1)


def loss(z, temperature):
    p = softmax(z @ z.T / temperature)
    return -(np.log(p) * positives(len(z))).sum() / len(z)


def gradient(z, temperature):
    g = softmax(z @ z.T / temperature) - positives(len(z))
    return g @ z / temperature / len(z)
