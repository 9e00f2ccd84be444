"""Expected: barlow_twins.deviation_over_b_minus_1."""

import numpy as np


def loss(z1, z2, weight):
    a, b = ((z - z.mean(0)) / np.sqrt(((z - z.mean(0)) ** 2).sum(0) / (len(z) - 1)) for z in (z1, z2))
    total = 0.0
    for f in range(z1.shape[1]):
        for g in range(z1.shape[1]):
            c = np.mean(a[:, f] * b[:, g])
            total += (1 - c) ** 2 if f == g else weight * c**2
    return total


def gradient(z1, z2, weight):
    raise NotImplementedError
