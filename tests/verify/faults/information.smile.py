"""information.smile wrong on purpose."""

import numpy as np

from infonce_ref.information import mine, smile


def through_the_clip(cache):
    """The gradient of e^u passes beyond the clip too."""
    return smile.Gradients(np.where(cache.together, 1 / len(cache.shares), -cache.shares))


def clipped_throughout(scores, *, clip):
    """The pairs' scores are clipped too."""
    value, cache = mine.forward(np.clip(scores, -clip, clip))
    return value, (np.abs(scores) <= clip, cache)


def of_clipped(cache):
    inside, of_mine = cache
    return smile.Gradients(inside * mine.backward(of_mine).scores)


def unclipped(scores, *, clip):
    """Without the clip."""
    value, cache = mine.forward(scores)
    return value, cache


def of_mine(cache):
    return smile.Gradients(*mine.backward(cache))


FAULTS = [
    ({"backward": through_the_clip}, "scores", set()),
    ({"forward": clipped_throughout, "backward": of_clipped}, "scores", {"finite differences"}),
    ({"forward": unclipped, "backward": of_mine}, "scores", {"finite differences"}),
]
