"""A stranger's infonce: loops over anchors and candidates."""

import math

import numpy as np


def loss(z, temperature):
    n = len(z)
    total = 0.0
    for i in range(n):
        #! infonce.one_view_of_anchors | for i in range(n // 2):
        logits = [float(np.dot(z[i], z[k])) / temperature for k in range(n)]
        #! infonce.self_masked | logits = [float(np.dot(z[i], z[k])) / temperature if k != i else -np.inf for k in range(n)]
        #! infonce.temperature_multiplied | logits = [float(np.dot(z[i], z[k])) * temperature for k in range(n)]
        #! infonce.squared_distance | logits = [-float(np.sum((z[i] - z[k]) ** 2)) / temperature for k in range(n)]
        m = max(logits)
        denominator = sum(math.exp(s - m) for s in logits)
        j = i + n // 2 if i < n // 2 else i - n // 2
        #! infonce.wrong_partner | j = i + 1 if i % 2 == 0 else i - 1
        #! infonce.positive_is_the_next | j = (i + 1) % n
        total += m + math.log(denominator) - logits[j]
    return total / n
    #! infonce.sum_for_mean | return total


def gradient(z, temperature):
    n = len(z)
    out = np.zeros_like(z)
    for i in range(n):
        logits = z @ z[i] / temperature
        p = np.exp(logits - logits.max())
        p /= p.sum()
        j = (i + n // 2) % n
        p[j] -= 1
        #! infonce.pull_reversed | p[j] += 1
        #! infonce.pull_missing | pass
        #! infonce.pull_in_whole_columns | p -= 1
        for k in range(n):
            out[i] += p[k] * z[k] / temperature / n
            out[k] += p[k] * z[i] / temperature / n
            #! infonce.transpose_missing | pass
    return out
