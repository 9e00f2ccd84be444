"""Mistakes in bound."""

from typing import Any

import numpy as np

from .. import information
from ..losses import cpc
from .cpc import batch
from .entry import Arguments, Entry, mistake


def right(arguments: Arguments) -> tuple[Any, tuple[np.ndarray]]:
    value, cache = cpc.forward(**arguments)
    estimate = information.bound("cpc", value, candidates=arguments["scores"].shape[1])
    return estimate, (cpc.backward(cache, -1.0).scores,)


BOUND = "return np.log(scores.shape[1]) + log_softmax(scores)[rows, positive].mean()"
ENTRY = Entry(
    name="bound",
    loss="",
    by=("scores",),
    batch=batch,
    mistakes=(
        mistake(
            "positive_not_counted",
            "N is the number of negatives; the positive stands in the denominator and is counted too",
            "P1 bound",
            BOUND,
            "return np.log(scores.shape[1] - 1) + log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "rows_counted",
            "N is the number of contexts, where the candidates of one row are counted",
            "P1 bound",
            BOUND,
            "return np.log(len(scores)) + log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "log_n_missing",
            "it is −𝓛: the log N is missing",
            "P1 bound",
            BOUND,
            "return log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "loss_for_bound",
            "it is the loss: the bound is log N minus the loss",
            "P1 bound",
            BOUND,
            "return -log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "loss_added",
            "log N + 𝓛: the loss must be subtracted, not added",
            "P1 bound",
            BOUND,
            "return np.log(scores.shape[1]) - log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "n_without_logarithm",
            "N instead of log N",
            "P1 bound",
            BOUND,
            "return scores.shape[1] + log_softmax(scores)[rows, positive].mean()",
        ),
        mistake(
            "positive_not_in_the_denominator",
            "the positive is left out of the denominator: the result may exceed log N, and bounds nothing",
            "P4 passed",
            BOUND,
            "others = np.exp(scores)\n    others[rows, positive] = 0\n    return np.log(scores.shape[1])"
            " + (scores[rows, positive] - np.log(others.sum(axis=1))).mean()",
        ),
        mistake(
            "score_alone",
            "log N and the positive's score: the denominator is missing",
            "D3.30 row",
            BOUND,
            "return np.log(scores.shape[1]) + scores[rows, positive].mean()",
        ),
        mistake(
            "push_missing",
            "nothing pushes the negatives",
            "D1.7 derivative",
            "g = -np.exp(log_softmax(scores))",
            "g = np.zeros(scores.shape)",
        ),
        mistake(
            "pull_missing",
            "nothing pulls the positive: the 1 is missing",
            "D1.7 derivative",
            "    g[np.arange(len(scores)), positive] += 1\n",
            "",
        ),
    ),
    functions=("bound", "gradient"),
    right=right,
)
