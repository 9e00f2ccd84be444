"""Expected: triplet.hinge_after_the_mean."""

import numpy as np


def distances(anchor, positive, negative):
    return np.sum((anchor - positive) ** 2, 1), np.sum((anchor - negative) ** 2, 1)


def loss(anchor, positive, negative, margin):
    near, far = distances(anchor, positive, negative)
    return max(0.0, float(np.mean(near - far + margin)))


def gradient(anchor, positive, negative, margin):
    near, far = distances(anchor, positive, negative)
    on = np.where(near - far + margin > 0, 2 / len(anchor), 0.0)[:, None]
    return on * (negative - positive), on * (positive - anchor), on * (anchor - negative)
