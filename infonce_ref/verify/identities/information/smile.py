"""information.smile: the mean of e^u over independent draws uses clipped scores."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from ...case import Case
from ..identity import Sides, Terms, at_most, float64
from . import apart, pairs_in_any_order, size, turned


def gradient(case: Case) -> dict[str, Terms]:
    """F18: 1[i = j]/N − 1[i ≠ j] 1[|u_ij| ≤ c] e^{u_ij}/Σ_{k≠l} e^{v_kl}."""
    (u,) = float64(case, "scores")
    clip = case.arguments["clip"]
    others = np.where(apart(case), np.clip(u, -clip, clip), -np.inf)
    g = np.eye(len(u)) / len(u) - (np.abs(u) <= clip) * np.exp(others - logsumexp(others))
    return {"scores": (g, np.abs(g))}


def one_score_for_all(case: Case) -> Iterator[Sides]:
    """R9: with one score t for all it is t − c, although t carries no information."""
    clip = float(case.arguments["clip"])
    same = case.at(scores=np.full_like(case.arguments["scores"], 3 * clip))
    yield "scores", same.value(), float(case.dtype.type(3 * clip)) - clip, 3 * clip


def within_the_clip(case: Case) -> Iterator[Sides]:
    """F18: log Z lies between −c and c."""
    (u,) = float64(case, "scores")
    log_z = np.mean(np.diag(u)) - case.value()
    yield at_most("scores", abs(log_z), float(case.arguments["clip"]), size(case))


IDENTITIES = (turned, pairs_in_any_order, one_score_for_all, within_the_clip)
