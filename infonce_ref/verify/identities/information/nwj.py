"""information.nwj: a difference of two means."""

from collections.abc import Iterator

import numpy as np

from ...case import Case
from ..identity import Sides, Terms, at_most, float64
from . import another, apart, pairs_in_any_order, size, turned


def gradient(case: Case) -> dict[str, Terms]:
    """F15: 1[i = j]/N − 1[i ≠ j] e^{u_ij − 1}/(N(N − 1))."""
    (u,) = float64(case, "scores")
    n = len(u)
    g = np.eye(n) / n - apart(case) * np.exp(np.where(apart(case), u - 1, 0)) / (n * (n - 1))
    return {"scores": (g, np.abs(g))}


def mean_apart(case: Case) -> float:
    """The mean of e^{u − 1} over the pairs drawn independently."""
    (u,) = float64(case, "scores")
    return float(np.mean(np.exp(u[apart(case)] - 1)))


def a_number_counts(case: Case) -> Iterator[Sides]:
    """F15: adding log 2 to all scores changes the value by log 2 minus the mean of e^{u − 1}."""
    shift = case.dtype.type(np.log(2))
    there, more = case.at(scores=case.arguments["scores"] + shift), mean_apart(case)
    yield "scores", there.value(), case.value() + float(shift) - more, size(case) + 2 * more


def not_above_mine(case: Case) -> Iterator[Sides]:
    """F15: the value is never above that of `mine`."""
    yield at_most("scores", case.value(), another("mine", case), size(case) + mean_apart(case))


IDENTITIES = (turned, pairs_in_any_order, a_number_counts, not_above_mine)
