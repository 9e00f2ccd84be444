"""Barlow Twins as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import detach, where


def standardised(z, less=0):
    """Each column centred and divided by its deviation, the root of the squares' sum over B − less."""
    centred = z - z.mean(0)
    return centred / ((centred * centred).sum(0) / (len(z.value) - less)) ** 0.5


def loss_of(first, second, weight):
    """The right loss of two standardised views."""
    c = first.T @ second / len(first.value)
    diagonal = np.eye(len(c.value), dtype=bool)
    return where(diagonal, (1 - c) ** 2, 0).sum() + weight * where(~diagonal, c * c, 0).sum()


def textbook(z1, z2, weight):
    return loss_of(standardised(z1), standardised(z2), weight)


@bug("finite differences", "https://github.com/lightly-ai/lightly/issues/1977", named=("gradient half",))
def gathered_gradient_halved(z1, z2, weight):
    """Each of two ranks has the whole loss and the gradient of its own rows, which the mean over ranks halves."""
    whole = textbook(z1, z2, weight)
    return (whole + detach(whole)) / 2
