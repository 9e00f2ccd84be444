"""ranknet: the positive against each other candidate, one at a time."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import Sides, Terms, agree, another, float64, follows, weight


def gradient(case: Case) -> dict[str, Terms]:
    """T1: σ(u_j − u_p) for each negative, minus their sum for the positive."""
    (scores,), positive = float64(case, "scores"), case.arguments["positive"]
    i = np.arange(len(scores))
    g = weight(case, len(scores)) * expit(scores - scores[i, positive][:, None])
    g[i, positive] = 0
    g[i, positive] = -g.sum(axis=1)
    return {"scores": (g, np.abs(g))}


def one_negative_at_a_time(case: Case) -> Iterator[Sides]:
    """T1, D2.1: the sum of the InfoNCE losses against each negative alone."""
    (scores,), positive = float64(case, "scores"), case.arguments["positive"]
    i, value, total = np.arange(len(scores)), 0.0, np.zeros_like(scores)
    for negative in np.transpose([np.delete(np.arange(scores.shape[1]), p) for p in positive]):
        pair = np.stack([scores[i, positive], scores[i, negative]], axis=1)
        loss, slopes = another("cpc", scores=pair, positive=np.zeros_like(i), reduction="sum")
        value += loss
        total[i, positive] += slopes["scores"][:, 0]
        total[i, negative] += slopes["scores"][:, 1]
    scale = weight(case, len(scores))
    yield from agree(case, {"scores": scale * total})
    yield "scores", case.value(), scale * value, scale * value


def free_up_to_context(case: Case) -> Iterator[Sides]:
    """T1: a number added to every score of a row changes nothing."""
    scores = case.arguments["scores"]
    added = (np.arange(len(scores)) % 3 - 1)[:, None].astype(case.dtype)
    yield from follows(case, case.at(scores=scores + added))


IDENTITIES = (one_negative_at_a_time, free_up_to_context)
