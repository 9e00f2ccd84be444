"""Mistakes in soft_targets."""

import numpy as np

from .entry import Arguments, Draw, Entry, mistake


def batch(pairs: int, features: int, draw: Draw) -> Arguments:
    scores = draw.numbers(pairs, features + 1)
    share = draw.rng.integers(1, 5, size=scores.shape).astype(float)
    if draw.small:  # halves, in two positions
        share = np.zeros(scores.shape)
        share[:, :2] = 1
        share[:, draw.rng.integers(features + 1)] += 2
    return {"scores": scores, "targets": share / share.sum(axis=1, keepdims=True)}


LOSS = "return -(targets * log_softmax(scores)).sum(axis=1).mean()"
ENTRY = Entry(
    name="soft_targets",
    loss="soft_targets",
    by=("scores",),
    batch=batch,
    mistakes=(
        mistake(
            "hardened",
            "the largest target of each row counts as 1, the others as 0",
            "F4 row",
            LOSS,
            "return -log_softmax(scores)[np.arange(len(scores)), targets.argmax(axis=1)].mean()",
        ),
        mistake(
            "mean_over_candidates",
            "the mean is over all entries, where each row's is a sum",
            "F4 row",
            LOSS,
            "return -(targets * log_softmax(scores)).mean()",
        ),
        mistake(
            "divergence",
            "the targets' own entropy is subtracted: the divergence, with the same gradient",
            "F4 row",
            LOSS,
            "return (targets * (np.log(np.maximum(targets, 1e-300)) - log_softmax(scores))).sum(axis=1).mean()",
        ),
        mistake(
            "logarithm_on_the_targets",
            "the logarithm is of the targets, weighed by the probabilities: the other way round",
            "F4 row",
            LOSS,
            "return -(np.exp(log_softmax(scores)) * np.log(np.maximum(targets, 1e-300))).sum(axis=1).mean()",
        ),
        mistake(
            "log_of_the_sum",
            "the probabilities are averaged over the targets before the logarithm",
            "F4 row",
            LOSS,
            "return -np.log((targets * np.exp(log_softmax(scores))).sum(axis=1)).mean()",
        ),
        mistake(
            "gradient_mean_over_candidates",
            "the gradient is divided by the number of entries, not of rows",
            "F5 scores",
            "/ len(scores)",
            "/ scores.size",
        ),
        mistake(
            "gradient_hardened",
            "in the gradient the largest target of each row counts as 1, the others as 0",
            "F5 scores",
            "(np.exp(log_softmax(scores)) - targets)",
            "(np.exp(log_softmax(scores)) - np.eye(scores.shape[1])[targets.argmax(axis=1)])",
        ),
        mistake(
            "weighed_by_targets",
            "the gradient is t (P − 1): the probabilities where t is 0 are missing",
            "F5 error",
            "(np.exp(log_softmax(scores)) - targets)",
            "(targets * (np.exp(log_softmax(scores)) - 1))",
        ),
    ),
    inputs="scores and targets",
)
