"""Expected: supcon.sum_over_the_positives."""

import numpy as np


def loss(w, labels, temperature):
    z = w / np.sqrt((w**2).sum(axis=1))[:, None]
    s = np.exp(z @ z.T / temperature)
    losses = []
    for i in range(len(w)):
        others = [j for j in range(len(w)) if j != i]
        positives = [j for j in others if labels[j] == labels[i]]
        if positives:
            losses.append(-sum(np.log(s[i, j] / s[i, others].sum()) for j in positives))
    return np.mean(losses)


def gradient(w, labels, temperature):
    raise NotImplementedError
