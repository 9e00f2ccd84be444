"""A stranger's barlow_twins: batch norm by hand, and the off-diagonal as the authors select it."""

import numpy as np


def batch_norm(z):
    mean, std = z.mean(0), z.std(0)
    #! barlow_twins.deviation_over_b_minus_1 | mean, std = z.mean(0), z.std(0, ddof=1)
    #! barlow_twins.means_left_in | mean, std = 0, z.std(0)
    return (z - mean) / std, std


def loss(z1, z2, weight):
    c = batch_norm(z1)[0].T @ batch_norm(z2)[0] / len(z1)
    #! barlow_twins.batch_for_features | c = batch_norm(z1)[0] @ batch_norm(z2)[0].T / len(z1)
    on = ((np.diagonal(c) - 1) ** 2).sum()
    #! barlow_twins.diagonal_not_squared | on = np.abs(np.diagonal(c) - 1).sum()
    off = (c**2).sum() - (np.diagonal(c) ** 2).sum()
    #! barlow_twins.diagonal_in_the_redundancy | off = (c**2).sum()
    return on + weight * off
    #! barlow_twins.weight_on_the_other_term | return weight * on + off


def pull_back(z, d):
    zn, std = batch_norm(z)
    return (d - d.mean(0) - zn * (d * zn).mean(0)) / std
    #! barlow_twins.deviation_held_constant | return (d - d.mean(0)) / std


def gradient(z1, z2, weight):
    a, b = batch_norm(z1)[0], batch_norm(z2)[0]
    n = len(z1)
    c = a.T @ b / n
    dc = 2 * weight * c
    np.fill_diagonal(dc, 2 * (np.diagonal(c) - 1))
    return pull_back(z1, b @ dc.T / n), pull_back(z2, a @ dc / n)
    #! barlow_twins.first_view_not_transposed | return pull_back(z1, b @ dc / n), pull_back(z2, a @ dc / n)
    #! barlow_twins.second_view_held_constant | return pull_back(z1, b @ dc.T / n), np.zeros_like(z2)
