"""Expected: byol.stop_gradient_missing."""

import numpy as np


def parts(prediction, target):
    a, b = (np.linalg.norm(x, axis=1, keepdims=True) for x in (prediction, target))
    return prediction / a, target / b, a, b


def loss(prediction, target):
    q, z, _, _ = parts(prediction, target)
    return np.mean(2 - 2 * np.sum(q * z, axis=1))


def gradient(prediction, target):
    q, z, a, b = parts(prediction, target)
    cos = np.sum(q * z, axis=1, keepdims=True)
    return -2 * (z - cos * q) / a / len(q), -2 * (q - cos * z) / b / len(q)
