"""Expected: stable.overflows."""

import numpy as np


def loss(scores, positive):
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return -np.log(p[np.arange(len(p)), positive]).mean()


def gradient(scores, positive):
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    p[np.arange(len(p)), positive] -= 1
    return p / len(p)
