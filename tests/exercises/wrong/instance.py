"""Expected: instance.mean_for_sum, instance.gradient_twice."""

import numpy as np


def probabilities(v, bank, temperature):
    e = np.exp(v @ bank.T / temperature)
    return e / e.sum(1, keepdims=True)


def loss(v, bank, index, temperature):
    return -np.log(probabilities(v, bank, temperature)[np.arange(len(v)), index]).mean()


def gradient(v, bank, index, temperature):
    g = probabilities(v, bank, temperature) - np.eye(len(bank))[index]
    return 2 * g @ bank / temperature, 2 * g.T @ v / temperature
