"""Instance discrimination: every sample its own class, the memory bank holds the classes; and its gradient."""

import numpy as np


def log_softmax(v, bank, temperature):
    """log P (n, K): each row over the whole bank."""
    x = v @ bank.T / temperature
    x = x - x.max(axis=1, keepdims=True)
    return x - np.log(np.exp(x).sum(axis=1, keepdims=True))


def loss(v, bank, index, temperature):
    """The sum over the batch of −log P[i, index[i]]: a number.

    v (n, d): rows as they come · bank (K, d): one row for each sample of the data · index (n,): the row of the bank
    that is each one's own · temperature: a number
    """
    return -log_softmax(v, bank, temperature)[np.arange(len(v)), index].sum()


def gradient(v, bank, index, temperature):
    """The gradients of the loss by v (n, d) and by bank (K, d): two arrays."""
    g = np.exp(log_softmax(v, bank, temperature))
    g[np.arange(len(v)), index] -= 1
    return g @ bank / temperature, g.T @ v / temperature
