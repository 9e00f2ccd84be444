"""information.mine: the logarithm of a batch's own mean."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from ...case import Case
from ..identity import Sides, Terms, at_most, float64
from . import another, apart, free_up_to_a_number, pairs_in_any_order, size, turned


def gradient(case: Case) -> dict[str, Terms]:
    """F17: 1[i = j]/N − 1[i ≠ j] e^{u_ij}/Σ_{k≠l} e^{u_kl}."""
    (u,) = float64(case, "scores")
    others = np.where(apart(case), u, -np.inf)
    g = np.eye(len(u)) / len(u) - np.exp(others - logsumexp(others))
    return {"scores": (g, np.abs(g))}


def above_the_difference_of_means(case: Case) -> Iterator[Sides]:
    """F15: the value of `nwj` is never larger, and equal if the mean of e^u is e."""
    u = case.arguments["scores"].astype(np.float64)
    value = case.value()
    best = np.mean(np.diag(u)) - value  # log Z
    yield "scores", another("nwj", case, scores=u - best + 1), value, size(case)
    yield at_most("scores", another("nwj", case, scores=u - best + 1.5), value, size(case))


IDENTITIES = (free_up_to_a_number, turned, pairs_in_any_order, above_the_difference_of_means)
