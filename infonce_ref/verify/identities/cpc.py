"""cpc: rows of scores, the positive in any column."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, another, cross_entropies, float64, follows, residual, total, weight


def gradient(case: Case) -> dict[str, Terms]:
    """D1.7: ∂𝓛/∂u_ij = (P_ij − 1[j = p])/n."""
    (scores,) = float64(case, "scores")
    g = weight(case, len(scores)) * residual(scores, case.arguments["positive"])
    return {"scores": (g, np.abs(g))}


def value(case: Case) -> Terms:
    """D1.6: the mean of −log P of the positive."""
    (scores,) = float64(case, "scores")
    return total(case, cross_entropies(scores, case.arguments["positive"]))


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
    (scores,) = float64(case, "scores")
    reduction = case.arguments.get("reduction", "mean")
    bank, index = np.eye(scores.shape[1]), case.arguments["positive"]
    value, expected = another(
        "instance", v=scores, bank=bank, index=index, temperature=1.0, reduction=reduction
    )
    yield from agree(case, {"scores": expected["v"]})
    yield "scores", case.value(), value, value


IDENTITIES = (balanced, free_up_to_context, over_a_bank_of_basis_vectors)
