"""Expected: temperature.by_inverse_temperature."""

import numpy as np


def parts(w, temperature):
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    s = z @ z.T
    e = np.exp(s / temperature) * (1 - np.eye(len(w)))
    n = len(w)
    return s, e / e.sum(1, keepdims=True), np.roll(np.eye(n), n // 2, axis=1)


def loss(w, temperature):
    _, p, positive = parts(w, temperature)
    return -np.log((p * positive).sum(1)).mean()


def gradient(w, temperature):
    s, p, positive = parts(w, temperature)
    return ((p - positive) * s).sum() / len(w)
