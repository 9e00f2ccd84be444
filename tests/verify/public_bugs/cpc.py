"""The InfoNCE of contrastive predictive coding as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import logsumexp


def textbook(scores, positive):
    return (logsumexp(scores, 1) - scores[np.arange(len(positive)), positive]).mean()


@bug("symbolic", "https://github.com/kubeflow/examples/issues/259", named=("sign flipped",))
def bounded_distance_used_as_logit(scores, positive):
    """A distance, 1 − cos, is handed to the softmax as a logit: matches are driven apart."""
    distance = 1 - scores
    return (logsumexp(distance, 1) - distance[np.arange(len(positive)), positive]).mean()
