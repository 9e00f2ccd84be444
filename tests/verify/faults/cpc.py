"""cpc wrong on purpose."""

import numpy as np
from scipy.special import logsumexp, softmax

from infonce_ref.losses import cpc


def over_contexts(scores, *, positive, reduction="mean"):
    """The softmax over a column's rows: D2's axis with D3's scores [D2.3]."""
    chosen = np.eye(scores.shape[1])[positive]
    value = np.sum(logsumexp(scores, axis=0)[positive] - np.sum(chosen * scores, axis=1))
    slope = softmax(scores, axis=0) * chosen.sum(axis=0) - chosen
    return value / len(scores), slope / len(scores)


def positive_left_out(scores, *, positive, reduction="mean"):
    """The positive is missing from the denominator; rows still sum to zero [P4]."""
    chosen = np.eye(scores.shape[1])[positive]
    negatives = np.where(chosen == 1, -np.inf, scores)
    value = np.sum(logsumexp(negatives, axis=1) - np.sum(chosen * scores, axis=1))
    return value / len(scores), (softmax(negatives, axis=1) - chosen) / len(scores)


def score_of_0(scores, *, positive, keep=None, reduction="mean"):
    """A candidate that is left out has the score 0, and so the weight 1 instead of 0 [M36]."""
    chosen = np.eye(scores.shape[1])[positive]
    scores = scores if keep is None else np.where(keep | (chosen == 1), scores, 0)
    value = np.sum(logsumexp(scores, axis=1) - np.sum(chosen * scores, axis=1))
    return value / len(scores), (softmax(scores, axis=1) - chosen) / len(scores)


def scores_alone(cache):
    return cpc.Gradients(cache)


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
FAULTS = [
    ({"forward": over_contexts, "backward": scores_alone}, "scores", DIFFERENCES),
    ({"forward": positive_left_out, "backward": scores_alone}, "scores", DIFFERENCES),
    (
        {"forward": score_of_0, "backward": scores_alone, "variants": ({"left_out": 0.5},)},
        "scores",
        set(),
    ),
]
