"""A stranger's triplet: squared distances, a mask of the open triplets."""

import numpy as np


def loss(anchor, positive, negative, margin):
    ap = np.einsum("nd,nd->n", anchor - positive, anchor - positive)
    #! triplet.value_wrong | ap = np.linalg.norm(anchor - positive, axis=1)
    an = np.einsum("nd,nd->n", anchor - negative, anchor - negative)
    return np.mean(np.clip(ap - an + margin, 0, None))
    #! triplet.margin_subtracted | return np.mean(np.clip(ap - an - margin, 0, None))
    #! triplet.margin_missing | return np.mean(np.clip(ap - an, 0, None))
    #! triplet.sides_exchanged | return np.mean(np.clip(an - ap + margin, 0, None))
    #! triplet.hinge_missing | return np.mean(ap - an + margin)
    #! triplet.hinge_after_the_mean | return max(0.0, np.mean(ap - an + margin))
    #! triplet.softplus_for_the_hinge | return np.mean(np.log1p(np.exp(ap - an + margin)))


def gradient(anchor, positive, negative, margin):
    violation = ((anchor - positive) ** 2).sum(1) - ((anchor - negative) ** 2).sum(1) + margin
    on = (violation > 0).astype(float)[:, None] * 2 / len(anchor)
    #! triplet.hinge_ignored_in_gradient | on = np.ones(len(anchor))[:, None] * 2 / len(anchor)
    return on * (negative - positive), on * (positive - anchor), on * (anchor - negative)
    #! triplet.anchor_held_constant | return 0 * anchor, on * (positive - anchor), on * (anchor - negative)
    #! triplet.negative_pulled | return on * (negative - positive), on * (positive - anchor), on * (negative - anchor)
