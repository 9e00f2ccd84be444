"""The triplet loss as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import at_least, softplus


def squared(x, y):
    return ((x - y) * (x - y)).sum(1)


def textbook(anchor, positive, negative, margin):
    return at_least(squared(anchor, positive) - squared(anchor, negative) + margin, 0).mean()


@bug("symbolic", of="distance_not_squared", named=("distance not squared",))
def squared_distance_swapped_for_distance(anchor, positive, negative, margin):
    """The distance where its square is named: the margin has another unit."""
    return at_least(squared(anchor, positive) ** 0.5 - squared(anchor, negative) ** 0.5 + margin, 0).mean()


@bug("symbolic", of="mean_over_open_triplets")
def mean_over_active_triplets_divides_by_zero(anchor, positive, negative, margin):
    """The sum is divided by the number of triplets with an open hinge, which may be 0."""
    hinge = squared(anchor, positive) - squared(anchor, negative) + margin
    return at_least(hinge, 0).sum() * (1 / np.sum(hinge.value > 0))


@bug("symbolic", "https://github.com/jinnnju/PaAno/issues/1", named=("zero",))
def minus_inf_mask_turned_to_plus_inf_by_distance(anchor, positive, negative, margin):
    """The mask of similarities, −∞, becomes a distance of +∞ that is picked as the negative: the loss is 0."""
    return at_least(squared(anchor, positive) + (squared(anchor, negative) * 0 - np.inf) + margin, 0).mean()


@bug("symbolic", of="margin_fixed", named=("margin fixed",))
def margin_hard_coded(anchor, positive, negative):
    """The hinge has 0.1, whatever margin was asked for."""
    return at_least(squared(anchor, positive) - squared(anchor, negative) + 0.1, 0).mean()


@bug("symbolic", of="soft_margin", named=("soft margin",))
def soft_margin_ignores_margin(anchor, positive, negative):
    """The smooth form leaves the margin out."""
    return softplus(squared(anchor, positive) - squared(anchor, negative)).mean()


@bug("symbolic", of="mean_over_features", named=("mean over features",))
def mean_over_features_instead_of_sum(anchor, positive, negative, margin):
    """Distances are means over the features, d times too small for the margin."""
    hinge = (squared(anchor, positive) - squared(anchor, negative)) / anchor.shape[1]
    return at_least(hinge + margin, 0).mean()


@bug("symbolic", of="hinge_after_the_mean", named=("hinge after the mean",))
def hinge_taken_after_the_batch_mean(anchor, positive, negative, margin):
    """The batch's mean is cut at 0, not each triplet: easy ones pay for those that are violated."""
    return at_least((squared(anchor, positive) - squared(anchor, negative) + margin).mean(), 0)


@bug("symbolic", of="farthest_negative", named=("farthest negative",))
def hardest_negative_is_the_farthest(anchor, positive, negative, margin):
    """Among the batch's negatives each anchor gets the farthest, the easiest, for the hardest."""
    apart = np.sum((anchor.value[:, None] - negative.value) ** 2, axis=2)
    chosen = negative[np.argmax(apart, axis=1)]
    return at_least(squared(anchor, positive) - squared(anchor, chosen) + margin, 0).mean()
