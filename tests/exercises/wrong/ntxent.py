"""Expected: ntxent.self_in_denominator."""

import numpy as np


def loss(w, temperature):
    z = w / np.linalg.norm(w, axis=1)[:, None]
    e = np.exp(z @ z.T / temperature)
    n = len(w) // 2
    total = 0.0
    for i in range(2 * n):
        total -= np.log(e[i, (i + n) % (2 * n)] / e[i].sum())
    return total / (2 * n)


def gradient(w, temperature):
    raise NotImplementedError
