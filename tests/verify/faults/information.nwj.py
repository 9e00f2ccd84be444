"""information.nwj wrong on purpose."""

import numpy as np

from infonce_ref.information import mine, nwj


def without_the_one(scores):
    """e^u instead of e^{u − 1}."""
    value, cache = nwj.forward(scores)
    more = np.sum(cache.weights)
    return value - (np.e - 1) * more, cache._replace(weights=np.e * cache.weights)


def of_mine(cache):
    """The weights are divided by their sum, which gives the gradient of the logarithm."""
    shares = cache.weights / np.sum(cache.weights)
    return nwj.Gradients(*mine.backward(mine.Cache(cache.together, shares)))


def over_all(cache):
    """The mean over all N² scores instead of those of independent draws."""
    n = len(cache.weights)
    return nwj.Gradients(np.where(cache.together, 1 / n, -cache.weights * (n - 1) / n))


FAULTS = [
    ({"forward": without_the_one}, "scores", {"finite differences"}),
    ({"backward": of_mine}, "scores", set()),
    ({"backward": over_all}, "scores", set()),
]
