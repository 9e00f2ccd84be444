"""information.mine wrong on purpose."""

import numpy as np
from scipy.special import logsumexp

from infonce_ref.information import mine


def with_the_pairs(scores):
    """The mean of e^u over the whole matrix, so that pairs count as independent draws."""
    n = len(scores)
    value = np.mean(np.diag(scores)) - logsumexp(scores) + 2 * np.log(n)
    return value, np.exp(scores - logsumexp(scores))


def of_the_whole(shares):
    return mine.Gradients(np.eye(len(shares)) / len(shares) - shares)


def by_rows(cache):
    """A softmax in each row, as in InfoNCE."""
    rows = cache.shares / np.sum(cache.shares, axis=1, keepdims=True) / len(cache.shares)
    return mine.Gradients(np.where(cache.together, 1 / len(rows), -rows))


def summed(cache):
    """The sum over the pairs instead of their mean."""
    g = mine.backward(cache).scores
    return mine.Gradients(np.where(cache.together, 1.0, g))


FAULTS = [
    ({"forward": with_the_pairs, "backward": of_the_whole}, "scores", {"finite differences"}),
    ({"backward": by_rows}, "scores", set()),
    ({"backward": summed}, "scores", set()),
]
