"""A stranger's dcl: the two views apart, put together again."""

import numpy as np


def prepare(w, temperature):
    lengths = np.linalg.norm(w, axis=1)
    z = (w.T / lengths).T
    n = len(w)
    keep = np.ones((n, n)) - np.eye(n) - np.eye(n, k=n // 2) - np.eye(n, k=-(n // 2))
    #! dcl.positive_kept | keep = np.ones((n, n)) - np.eye(n)
    #! dcl.self_in_denominator | keep = np.ones((n, n)) - np.eye(n, k=n // 2) - np.eye(n, k=-(n // 2))
    return z, lengths, z.dot(z.T) / temperature, keep
    #! dcl.temperature_twice | return z, lengths, z.dot(z.T) / temperature / temperature, keep
    #! dcl.absolute_similarities | return z, lengths, abs(z.dot(z.T)) / temperature, keep


def loss(w, temperature):
    z, _, s, keep = prepare(w, temperature)
    n = len(w)
    top = s.max()
    uniform = np.log((keep * np.exp(s - top)).sum(1)) + top
    aligned = np.concatenate([np.diag(s, n // 2), np.diag(s, -(n // 2))])
    return (uniform - aligned).mean()


def gradient(w, temperature):
    z, lengths, s, keep = prepare(w, temperature)
    n = len(w)
    e = keep * np.exp(s - s.max(1, keepdims=True))
    g = e / e.sum(1, keepdims=True) - np.eye(n, k=n // 2) - np.eye(n, k=-(n // 2))
    #! dcl.pull_missing | g = e / e.sum(1, keepdims=True)
    dz = (g + g.T) @ z / (n * temperature)
    #! dcl.g_taken_for_symmetric | dz = (g + g) @ z / (n * temperature)
    return (dz - z * (z * dz).sum(1)[:, None]) / lengths[:, None]
    #! dcl.projected_by_raw_rows | return (dz - w * (w * dz).sum(1)[:, None]) / lengths[:, None]
