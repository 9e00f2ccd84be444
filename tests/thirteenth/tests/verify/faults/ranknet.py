"""ranknet wrong on purpose."""

import numpy as np

from infonce_ref.losses import cpc, ranknet


def positive_left_alone(cache):
    """The negatives are pushed, but the positive is not pulled."""
    g = ranknet.backward(cache).scores
    return ranknet.Gradients(np.where(cache.is_positive, 0, g))


def all_at_once(scores, *, positive, reduction="mean"):
    """The positive against all negatives together: InfoNCE."""
    value, cache = cpc.forward(scores, positive=positive, reduction=reduction)
    return value, cpc.backward(cache).scores


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
FAULTS = [
    ({"backward": positive_left_alone}, "scores", set()),
    ({"forward": all_at_once, "backward": ranknet.Gradients}, "scores", DIFFERENCES),
]
