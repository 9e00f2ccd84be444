"""A stranger's simsiam: D(p, z) twice, as in the paper's pseudocode."""

import numpy as np


def D(p, z):
    p = p / np.linalg.norm(p, axis=1)[:, None]
    #! simsiam.predictions_normalised_along_batch | p = p / np.linalg.norm(p, axis=0)[None, :]
    z = z / np.linalg.norm(z, axis=1)[:, None]
    return -(p * z).sum(axis=1).mean()
    #! simsiam.two_minus_two_cosines | return ((p - z) ** 2).mean()
    #! simsiam.two_minus_two_cosines | return (2 - 2 * (p * z).sum(axis=1)).mean()


def loss(p1, z1, p2, z2):
    return D(p1, z2) / 2 + D(p2, z1) / 2
    #! simsiam.same_view | return D(p1, z1) / 2 + D(p2, z2) / 2
    #! simsiam.first_term_alone | return D(p1, z2)
    #! simsiam.twice | return D(p1, z2) + D(p2, z1)


def dD(p, z):
    length = np.linalg.norm(p, axis=1)[:, None]
    p = p / length
    z = z / np.linalg.norm(z, axis=1)[:, None]
    return -(z - (p * z).sum(axis=1)[:, None] * p) / length / len(p) / 2
    #! simsiam.projection_missing | return -z / length / len(p) / 2


def gradient(p1, z1, p2, z2):
    return dD(p1, z2), z1 * 0, dD(p2, z1), z2 * 0
    #! simsiam.stop_gradient_missing | return dD(p1, z2), dD(z1, p2), dD(p2, z1), dD(z2, p1)
