"""SupCon as public libraries have got it wrong, the mean outside the logarithm."""

import numpy as np

from .bug import bug
from .tape import Node, logsumexp, unit, where


def masks(labels):
    """Masks (N, N) of each row itself, and of its positives."""
    itself = np.eye(len(labels), dtype=bool)
    return itself, (labels[:, None] == labels) & ~itself


def scores(w, temperature):
    z = unit(w)
    return z @ z.T / temperature


def mean_over(positive, x, count):
    """Σ x over each anchor's positives, divided by a count (N,)."""
    return where(positive, x, 0).sum(1) / Node(count.astype(x.value.dtype))


def textbook(w, labels, temperature):
    itself, positive = masks(labels)
    x, count = scores(w, temperature), positive.sum(1)
    losses = logsumexp(where(~itself, x, -np.inf), 1) - mean_over(positive, x, np.maximum(count, 1))
    return where(count > 0, losses, 0).sum() / np.sum(count > 0)


@bug(
    "finite differences",
    "https://github.com/HobbitLong/SupContrast/issues/141",
    "https://github.com/HobbitLong/SupContrast/issues/50",
    "https://github.com/BorealisAI/ConR/issues/2",
    named=("value not finite",),
)
def mean_over_no_positives(w, labels, temperature):
    """An anchor that is alone in its class has the sum over no positives divided by their number: 0/0."""
    itself, positive = masks(labels)
    x = scores(w, temperature)
    log_p = x - logsumexp(where(~itself, x, -np.inf), 1)[:, None]
    return -mean_over(positive, log_p, positive.sum(1)).mean()
