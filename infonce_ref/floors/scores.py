"""Floors of losses whose scores or pairs can be chosen independently."""

import math
from typing import Any

import numpy as np

from ..checks import check_count, check_positive
from .floor import Floor

FREE = "scores are free: it is the limit of ever larger margins, and no batch reaches it"


def query_key(*, negatives: int, temperature: float) -> Floor:
    """For unit rows, log(1 + M e^{−2/τ}), because s_n − s_p ≥ −2.                                         [M23]"""
    tau, count = check_positive("temperature", temperature), negatives and check_count("negatives", negatives)
    where = "unit rows; all queries equal to their keys and opposite to all negatives reach it: a collapse"
    return Floor(math.log1p(count * math.exp(-2 / tau)), True, ("M23",), where)


def cpc(*, candidates: int) -> Floor:
    """0: a softmax is at most 1, and is 1 for a single candidate."""
    if check_count("candidates", candidates) == 1:
        return Floor(0.0, True, (), "the positive is the only candidate")
    return Floor(0.0, False, (), FREE)


def soft_targets(*, targets: Any) -> Floor:
    """The mean entropy of the targets, by Gibbs' inequality; P = t attains it if no target is 0.           [F4]"""
    t = np.asarray(targets, dtype=np.float64)
    if (
        t.ndim != 2
        or not t.size
        or not np.all(t >= 0)
        or not np.allclose(t.sum(axis=1), 1, rtol=0, atol=1e-6)
    ):
        raise ValueError("targets must be rows of numbers that are not negative and sum to 1")
    value = float(-np.sum(t * np.log(np.where(t > 0, t, 1))) / len(t))
    if np.all(t > 0):
        return Floor(value, True, (), "scores of which the softmax is the target reach it")
    return Floor(value, False, (), "a target of 0 takes a score of −∞: no batch reaches it")


def triplet() -> Floor:
    """0, of the hinge."""
    return Floor(0.0, True, (), "triplets whose negative is farther by the margin reach it")


def byol() -> Floor:
    """0, of a squared distance."""
    return Floor(0.0, True, (), "predictions that point where their targets do reach it; a collapse does")


def simsiam() -> Floor:
    """−1, of a cosine."""
    return Floor(
        -1.0, True, ("D3.44",), "predictions that point where their targets do reach it; a collapse does"
    )


def alignment() -> Floor:
    """0, of a distance."""
    return Floor(0.0, True, (), "views that coincide reach it; a collapse does")


def instance(*, rows: int) -> Floor:
    """0, for rows of any length."""
    return cpc(candidates=rows)


def nce() -> Floor:
    """0, if the scores can take any values."""
    return Floor(0.0, False, (), FREE)


def instance_nce() -> Floor:
    """log 2: Σ_k log(1 + r_k) ≥ log(1 + Σ_k r_k) over shares that sum to 1, and −log ĥ > 0."""
    return Floor(math.log(2), False, (), FREE)
