"""ranknet: the positive against each other candidate, one at a time."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import Sides, Terms, float64, follows, weight


def gradient(case: Case) -> dict[str, Terms]:
    """T1: σ(u_j − u_p) for each negative, minus their sum for the positive."""
    (scores,), positive = float64(case, "scores"), case.arguments["positive"]
    i = np.arange(len(scores))
    g = weight(case, len(scores)) * expit(scores - scores[i, positive][:, None])
    g[i, positive] = 0
    g[i, positive] = -g.sum(axis=1)
    return {"scores": (g, np.abs(g))}


def free_up_to_context(case: Case) -> Iterator[Sides]:
    """T1: a number added to every score of a row changes nothing."""
    scores = case.arguments["scores"]
    added = (np.arange(len(scores)) % 3 - 1)[:, None].astype(case.dtype)
    yield from follows(case, case.at(scores=scores + added))


IDENTITIES = (free_up_to_context,)
