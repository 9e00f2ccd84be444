"""information.donsker_varadhan: a bound on the information of a law."""

from collections.abc import Iterator

import numpy as np
from scipy.special import logsumexp

from ....information import mutual_information
from ...case import Case
from ..identity import Sides, Terms, at_most, float64, follows
from . import free_up_to_a_number, size


def marginals(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """The law p(x, c), of sum 1, and p(x) p(c)."""
    (joint,) = float64(case, "joint")
    p = joint / np.sum(joint)
    return p, np.sum(p, axis=1, keepdims=True) * np.sum(p, axis=0)


def gradient(case: Case) -> dict[str, Terms]:
    """F14: p(x, c) − p(x) p(c) e^u/Z."""
    (u,), (p, q) = float64(case, "scores"), marginals(case)
    shares = q * np.exp(u - np.max(u)) / np.exp(logsumexp(u, b=q) - np.max(u))
    return {"scores": (p - shares, p + shares)}


def a_bound(case: Case) -> Iterator[Sides]:
    """R9: the value is at most the information of the law."""
    p, _ = marginals(case)
    yield at_most("scores", case.value(), mutual_information(p), size(case))


def attained(case: Case) -> Iterator[Sides]:
    """F14, R9: if the score is the logarithm of the density ratio, the value is the information and all slopes are
    0."""
    p, q = marginals(case)
    least = -40.0  # stands for log 0: such a cell contributes less than rounding
    ratio = np.log(p / np.where(q > 0, q, 1), out=np.full(p.shape, least), where=p > 0)
    best = case.at(scores=ratio.astype(case.dtype))
    yield "scores", best.value(), mutual_information(p), size(best)
    left = np.where(p > 0, 0, q * np.exp(least))
    yield "scores", best.gradients()["scores"], -left, size(best) * (p + left)


def turned(case: Case) -> Iterator[Sides]:
    """F14: exchanging the two variables changes no value."""
    there = case.at(**{name: np.ascontiguousarray(case.arguments[name].T) for name in ("scores", "joint")})
    yield "scores", there.value(), case.value(), size(case)
    yield from follows(case, there, scores=np.transpose)


IDENTITIES = (free_up_to_a_number, a_bound, attained, turned)
