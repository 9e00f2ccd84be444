"""The pairwise logistic loss of RankNet, and its gradient."""

import numpy as np


def leads(scores, positive):
    """u_ij − u_ip (n, K), and a mask of the positive."""
    own = np.eye(scores.shape[1])[positive]
    return scores - (own * scores).sum(axis=1, keepdims=True), own


def loss(scores, positive):
    """The mean over the rows of Σ over the negatives of log(1 + e^lead): a number.

    scores (n, K): row i a context, column j a candidate · positive (n,): the column of each row's positive
    """
    lead, own = leads(scores, positive)
    return ((1 - own) * np.logaddexp(0, lead)).sum() / len(scores)


def gradient(scores, positive):
    """The gradient of the loss by the scores: an array (n, K)."""
    lead, own = leads(scores, positive)
    push = (1 - own) * np.exp(-np.logaddexp(0, -lead))
    return (push - push.sum(axis=1, keepdims=True) * own) / len(scores)
