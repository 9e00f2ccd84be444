"""A stranger's ntxent: a boolean mask and logsumexp from SciPy."""

import numpy as np
from scipy.special import logsumexp


def normalise(w):
    norms = np.sqrt(np.sum(w * w, axis=1))[:, None]
    #! ntxent.number_added_to_the_lengths | norms = np.sqrt(np.sum(w * w, axis=1))[:, None] + 1e-3
    #! ntxent.normalised_along_batch | norms = np.sqrt(np.sum(w * w, axis=0))[None, :]
    #! ntxent.normalised_over_all_axes | norms = np.sqrt(np.sum(w * w))
    return w / norms, norms


def loss(w, temperature):
    n = w.shape[0]
    z, _ = normalise(w)
    #! ntxent.not_normalised | z = w
    sim = (z @ z.T) / temperature
    #! ntxent.root_of_temperature | sim = (z @ z.T) / temperature**0.5
    #! ntxent.temperature_not_used | sim = z @ z.T
    off = ~np.eye(n, dtype=bool)
    positive = sim[np.arange(n), np.roll(np.arange(n), n // 2)]
    denominator = logsumexp(np.where(off, sim, -np.inf), axis=1)
    #! ntxent.self_in_denominator | denominator = logsumexp(sim, axis=1)
    #! ntxent.masked_with_zero | denominator = logsumexp(np.where(off, sim, 0), axis=1)
    #! ntxent.positive_missing | denominator = logsumexp(np.where(off & ~np.roll(~off, n // 2, axis=1), sim, -np.inf), axis=1)
    return np.mean(denominator - positive)
    #! ntxent.logarithm_missing | return -np.mean(np.exp(positive - denominator))


def gradient(w, temperature):
    n = w.shape[0]
    z, norms = normalise(w)
    sim = np.where(np.eye(n, dtype=bool), -np.inf, z @ z.T / temperature)
    q = np.exp(sim - logsumexp(sim, axis=1, keepdims=True))
    q[np.arange(n), np.roll(np.arange(n), n // 2)] -= 1
    dz = (q + q.T) @ z / temperature / n
    return (dz - z * np.sum(dz * z, axis=1, keepdims=True)) / norms
    #! ntxent.projection_missing | return dz / norms
    #! ntxent.norm_missing | return dz - z * np.sum(dz * z, axis=1, keepdims=True)
    #! ntxent.sphere_forgotten | return dz
