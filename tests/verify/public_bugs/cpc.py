"""The InfoNCE of contrastive predictive coding as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import concat, logsumexp


def textbook(scores, positive):
    return (logsumexp(scores, 1) - scores[np.arange(len(positive)), positive]).mean()


@bug("symbolic", of="positive_twice", named=("positive counted twice",))
def positive_counted_twice_in_denominator(scores, positive):
    """The positive enters the denominator twice: a perfect row still costs log 2. Kept on purpose."""
    chosen = scores[np.arange(len(positive)), positive]
    return (logsumexp(concat(scores, chosen[:, None], axis=1), 1) - chosen).mean()


@bug("symbolic", of="softmax_over_contexts", named=("softmax over the wrong axis",))
def softmax_over_contexts_not_candidates(scores, positive):
    """The softmax runs along the default axis: one candidate against all contexts."""
    rows = np.arange(len(positive))
    return (logsumexp(scores, 0)[positive] - scores[rows, positive]).mean()


@bug("symbolic", "https://github.com/kubeflow/examples/issues/259", named=("sign flipped",))
def bounded_distance_used_as_logit(scores, positive):
    """A distance, 1 − cos, is handed to the softmax as a logit: matches are driven apart."""
    distance = 1 - scores
    return (logsumexp(distance, 1) - distance[np.arange(len(positive)), positive]).mean()


@bug("symbolic", of="negative_left_out", named=("negative left out",))
def drawn_index_shifted_past_the_wrong_row(scores, positive):
    """The drawn indices are shifted by one to skip the positive, but within another pool than they were drawn
    from: the positive stays among the negatives, and the column after it is left out."""
    rows, k = np.arange(len(positive)), scores.shape[1]
    columns = np.tile(np.arange(k), (len(positive), 1))
    columns[rows, (positive + 1) % k] = positive
    return (logsumexp(scores[rows[:, None], columns], 1) - scores[rows, positive]).mean()
