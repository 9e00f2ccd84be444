"""cpc: rows of scores, the positive in any column."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, declared, float64, follows, residual, weight


def masked(case: Case) -> np.ndarray:
    """The scores, with −∞ where a candidate is left out."""
    (scores,) = float64(case, "scores")
    keep = case.arguments.get("keep")
    if keep is None:
        return scores
    is_positive = np.arange(scores.shape[1]) == case.arguments["positive"][:, None]
    return np.where(keep | is_positive, scores, -np.inf)


def gradient(case: Case) -> dict[str, Terms]:
    """D1.7, M36: ∂𝓛/∂u_ij = (P_ij − 1[j = p])/n."""
    scores = masked(case)
    g = weight(case, len(scores)) * residual(scores, case.arguments["positive"])
    return {"scores": (g, np.abs(g))}


def balanced(case: Case) -> Iterator[Sides]:
    """D1.11: every row of ∂𝓛/∂scores sums to zero."""
    gradient = case.gradients()["scores"]
    yield "scores", gradient.sum(axis=1), np.zeros(len(gradient)), np.abs(gradient).sum(axis=1)


def free_up_to_context(case: Case) -> Iterator[Sides]:
    """D3.31, D2.1: a number g(c) added to every score of a row changes nothing."""
    scores = case.arguments["scores"]
    added = (np.arange(len(scores)) % 3 - 1)[:, None].astype(case.dtype)
    yield from follows(case, case.at(scores=scores + added))


def with_all_candidates_kept(case: Case) -> Iterator[Sides]:
    """M36: a mask that keeps every candidate changes nothing."""
    if declared(case, "left_out") and case.arguments.get("keep") is None:
        kept = case.at(keep=np.ones(case.arguments["scores"].shape, dtype=bool))
        yield from follows(case, kept)


IDENTITIES = (balanced, free_up_to_context, with_all_candidates_kept)
