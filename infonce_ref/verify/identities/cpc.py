"""cpc: rows of scores, the positive in any column."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    declared,
    float64,
    follows,
    residual,
    weight,
)

FEW = 40  # rows of a batch that is also computed row by row


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


def over_a_bank_of_basis_vectors(case: Case) -> Iterator[Sides]:
    """D3.30, D3.6: instance discrimination of u_i over the bank of the unit vectors e_j, at τ = 1."""
    if case.arguments.get("keep") is not None:
        return
    (scores,) = float64(case, "scores")
    reduction = case.arguments.get("reduction", "mean")
    bank, index = np.eye(scores.shape[1]), case.arguments["positive"]
    value, expected = another(
        "instance", v=scores, bank=bank, index=index, temperature=1.0, reduction=reduction
    )
    yield from agree(case, {"scores": expected["v"]})
    yield "scores", case.value(), value, value


def without_the_candidates_left_out(case: Case) -> Iterator[Sides]:
    """M36: a row with candidates left out equals the row of the remaining candidates alone."""
    if case.arguments.get("keep") is None or len(case.arguments["scores"]) > FEW:
        return
    scores, value, slopes = masked(case), 0.0, np.zeros(case.arguments["scores"].shape)
    weights = np.full(len(scores), weight(case, len(scores))) * case.upstream
    for row, (own, index) in enumerate(zip(scores, case.arguments["positive"])):
        here = np.nonzero(np.isfinite(own))[0]
        place = np.nonzero(here == index)[0]
        one, found = another("cpc", weights[row], scores=own[here][None], positive=place, reduction="sum")
        value += one
        slopes[row, here] = found["scores"][0]
    yield from agree(case, {"scores": slopes})
    yield "scores", case.value(), value, value


def with_all_candidates_kept(case: Case) -> Iterator[Sides]:
    """M36: a mask that keeps every candidate changes nothing."""
    if declared(case, "left_out") and case.arguments.get("keep") is None:
        kept = case.at(keep=np.ones(case.arguments["scores"].shape, dtype=bool))
        yield from follows(case, kept)


IDENTITIES = (
    balanced,
    free_up_to_context,
    over_a_bank_of_basis_vectors,
    without_the_candidates_left_out,
    with_all_candidates_kept,
)
