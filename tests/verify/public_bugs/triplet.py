"""The triplet loss as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import at_least


def squared(x, y):
    return ((x - y) * (x - y)).sum(1)


def textbook(anchor, positive, negative, margin):
    return at_least(squared(anchor, positive) - squared(anchor, negative) + margin, 0).mean()


@bug("symbolic", "https://github.com/jinnnju/PaAno/issues/1", named=("zero",))
def minus_inf_mask_turned_to_plus_inf_by_distance(anchor, positive, negative, margin):
    """The mask of similarities, −∞, becomes a distance of +∞ that is picked as the negative: the loss is 0."""
    return at_least(squared(anchor, positive) + (squared(anchor, negative) * 0 - np.inf) + margin, 0).mean()
