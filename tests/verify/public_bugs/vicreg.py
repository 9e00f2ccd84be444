"""VICReg as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import at_least, where


def invariance_of(z1, z2):
    return ((z1 - z2) ** 2).sum() / len(z1.value)


def hinge(z, margin, epsilon):
    """v of one view."""
    centred = z - z.mean(0)
    deviation = ((centred * centred).sum(0) / (len(z.value) - 1) + epsilon) ** 0.5
    return at_least(margin - deviation, 0).mean()


def covariances(centred):
    """c of one view."""
    n, d = centred.shape
    products = centred.T @ centred / (n - 1)
    return where(~np.eye(d, dtype=bool), products * products, 0).sum() / d


def textbook(z1, z2, invariance, variance, covariance, margin, epsilon):
    spread = hinge(z1, margin, epsilon) + hinge(z2, margin, epsilon)
    redundancy = covariances(z1 - z1.mean(0)) + covariances(z2 - z2.mean(0))
    return invariance * invariance_of(z1, z2) + variance * spread + covariance * redundancy


@bug("symbolic", of="hinges_averaged", named=("hinges averaged",))
def hinges_of_both_views_averaged(z1, z2, invariance, variance, covariance, margin, epsilon):
    """The variance term is the mean of the two views', the covariance term their sum, as printed."""
    return textbook(z1, z2, invariance, variance / 2, covariance, margin, epsilon)


@bug("symbolic", of="means_left_in_the_covariance", named=("means left in the covariance",))
def covariance_of_rows_as_they_come(z1, z2, invariance, variance, covariance, margin, epsilon):
    """zᵀz/(B − 1) for the covariance, as was proposed: the means are left in, and pulled to the origin."""
    right = textbook(z1, z2, invariance, variance, 0.0, margin, epsilon)
    return right + covariance * (covariances(z1) + covariances(z2))
