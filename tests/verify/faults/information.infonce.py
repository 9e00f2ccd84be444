"""information.infonce wrong on purpose."""

import numpy as np
from scipy.special import logsumexp, softmax

from infonce_ref.information import infonce


def decoupled(scores):
    """The pair is in no denominator, so that the estimate bounds nothing."""
    n = len(scores)
    others = np.where(np.eye(n, dtype=bool), -np.inf, scores)
    value = np.mean(np.diag(scores) - logsumexp(others, axis=1)) + np.log(n)
    return value, softmax(others, axis=1)


def of_decoupled(shares):
    return infonce.Gradients((np.eye(len(shares)) - shares) / len(shares))


def by_columns(cache):
    """A softmax in each column, which belongs to the other direction."""
    columns = infonce.backward(infonce.Cache(cache.together, cache.others.T)).scores
    return infonce.Gradients(columns)


def candidates(cache):
    """The number of the other candidates instead of N."""
    n = len(cache.others)
    return infonce.Gradients(infonce.backward(cache).scores * n / (n - 1))


FAULTS = [
    ({"forward": decoupled, "backward": of_decoupled}, "scores", {"finite differences"}),
    ({"backward": by_columns}, "scores", set()),
    ({"backward": candidates}, "scores", set()),
]
