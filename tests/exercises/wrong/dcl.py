"""Expected: dcl.positive_kept."""

import numpy as np


def loss(w, temperature):
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    x = z @ z.T / temperature
    n = len(w)
    positive = np.roll(np.eye(n), n // 2, axis=1)
    return (np.log((np.exp(x) * (1 - np.eye(n))).sum(1)) - (x * positive).sum(1)).mean()


def gradient(w, temperature):
    return np.zeros_like(w)
