"""Expected: vicreg.hinges_averaged."""

import numpy as np


def loss(z1, z2, invariance, variance, covariance, margin, epsilon):
    total = invariance * np.mean(np.sum((z1 - z2) ** 2, axis=1))
    for z in (z1, z2):
        std = np.sqrt(z.var(axis=0, ddof=1) + epsilon)
        total += variance * np.mean(np.maximum(0, margin - std)) / 2
        cov = np.cov(z.T).reshape(z.shape[1], z.shape[1])
        total += covariance * (np.sum(cov**2) - np.sum(np.diag(cov) ** 2)) / z.shape[1]
    return total


def gradient(z1, z2, invariance, variance, covariance, margin, epsilon):
    raise NotImplementedError
