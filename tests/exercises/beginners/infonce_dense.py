"""A stranger's infonce: matrices, one-hot labels, einsum."""

import numpy as np


def probabilities(z, temperature):
    s = np.einsum("id,jd->ij", z, z) / temperature
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    #! infonce.gradient_along_two_axes | e = np.exp(s - s.max(axis=0, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True), s
    #! infonce.gradient_along_two_axes | return e / e.sum(axis=0, keepdims=True), s


def labels(n):
    return np.roll(np.eye(n), n // 2, axis=1)


def loss(z, temperature):
    p, s = probabilities(z, temperature)
    top = s.max(axis=-1)
    log_z = top + np.log(np.exp(s - top[:, None]).sum(axis=-1))
    #! infonce.softmax_along_two_axes | log_z = top + np.log(np.exp(s - top[:, None]).sum(axis=0))
    return np.mean(log_z - (labels(len(z)) * s).sum(axis=-1))
    #! infonce.double_softmax | return np.mean(np.log(np.exp(p).sum(axis=-1)) - (labels(len(z)) * p).sum(axis=-1))
    #! infonce.log_of_mean | return -np.log(np.mean((labels(len(z)) * p).sum(axis=-1)))


def gradient(z, temperature):
    p, _ = probabilities(z, temperature)
    g = p - labels(len(z))
    #! infonce.pull_doubled | g = p - 2 * labels(len(z))
    return (g @ z + g.T @ z) / temperature / z.shape[0]
    #! infonce.g_taken_for_symmetric | return 2 * (g @ z) / temperature / z.shape[0]
    #! infonce.candidates_only | return (g.T @ z) / temperature / z.shape[0]
    #! infonce.gradient_sum_for_mean | return (g @ z + g.T @ z) / temperature
