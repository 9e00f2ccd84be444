"""Expected: find_the_mistake.still_there."""

import numpy as np


def softmax(x):
    x = x * (1 - np.eye(len(x)))
    e = np.exp(x)
    return e / e.sum(1, keepdims=True)


def loss(w, temperature):
    z = w / np.linalg.norm(w, axis=1, keepdims=True)
    n = len(w)
    p = softmax(z @ z.T / temperature)
    return -np.log(p[np.arange(n), (np.arange(n) + n // 2) % n]).mean()


def gradient(w, temperature):
    step, g = 1e-6, np.zeros_like(w)
    for index in np.ndindex(*w.shape):
        moved = w.copy()
        moved[index] += step
        g[index] = (loss(moved, temperature) - loss(w, temperature)) / step
    return g
