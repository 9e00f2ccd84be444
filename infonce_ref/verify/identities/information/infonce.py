"""information.infonce: log N minus the loss of identifying the contexts of a batch."""

import math
from collections.abc import Iterator

import numpy as np

from ...case import Case
from ..identity import Sides, Terms, at_most, float64, follows, residual
from . import free_up_to_a_number, pairs_in_any_order, size


def gradient(case: Case) -> dict[str, Terms]:
    """F16: (1[i = j] − P_ij)/N."""
    (u,) = float64(case, "scores")
    g = -residual(u, np.arange(len(u))) / len(u)
    return {"scores": (g, np.abs(g))}


def at_most_log_n(case: Case) -> Iterator[Sides]:
    """P1: the value is at most log N, because the loss is not negative."""
    most = math.log(len(case.arguments["scores"]))
    yield at_most("scores", case.value(), most, most)


def free_up_to_the_sample(case: Case) -> Iterator[Sides]:
    """F16, D3.31: a number added to every score of a row changes nothing."""
    u = case.arguments["scores"]
    there = case.at(scores=u + (np.arange(len(u)) % 3 - 1)[:, None].astype(case.dtype))
    yield "scores", there.value(), case.value(), size(there)
    yield from follows(case, there)


IDENTITIES = (free_up_to_a_number, pairs_in_any_order, at_most_log_n, free_up_to_the_sample)
