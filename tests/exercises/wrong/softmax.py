"""Expected: softmax.softmax_over_contexts."""

import numpy as np


def loss(scores, positive):
    p = np.exp(scores) / np.exp(scores).sum(0)
    return np.mean([-np.log(p[i, positive[i]]) for i in range(len(scores))])


def gradient(scores, positive):
    p = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return (p - np.eye(scores.shape[1])[positive]) / len(scores)
