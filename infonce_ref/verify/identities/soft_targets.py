"""soft_targets: rows of scores against a distribution each."""

from collections.abc import Iterator

import numpy as np
from scipy.special import entr, softmax

from ..case import Case
from .identity import Sides, Terms, agree, another, at_most, float64, follows, reduction, weight


def gradient(case: Case) -> dict[str, Terms]:
    """F5: ∂𝓛/∂u_ia = Σ_m (P_ia t_im − t_ia P_im)/n, where the term m = a is 0."""
    scores, targets = float64(case, "scores", "targets")
    p = softmax(scores, axis=1)
    others = 1 - np.eye(p.shape[1])
    push, pull = p * (targets @ others), targets * (p @ others)
    scale = weight(case, len(scores))
    return {"scores": (scale * (push - pull), scale * (push + pull))}


def balanced(case: Case) -> Iterator[Sides]:
    """F5: every row of ∂𝓛/∂scores sums to zero."""
    total, (_, size) = case.gradients()["scores"].sum(axis=1), gradient(case)["scores"]
    yield "scores", total, np.zeros_like(total), size.sum(axis=1)


def free_up_to_context(case: Case) -> Iterator[Sides]:
    """F6, D2.1: a number added to every score of a row changes nothing."""
    scores = case.arguments["scores"]
    added = (np.arange(len(scores)) % 3 - 1)[:, None].astype(case.dtype)
    yield from follows(case, case.at(scores=scores + added))


def one_candidate_is_cpc(case: Case) -> Iterator[Sides]:
    """F6: if one target is 1, it is InfoNCE with that candidate as the positive."""
    (scores,) = float64(case, "scores")
    positive = np.argmax(case.arguments["targets"], axis=1)
    sure = case.at(targets=np.eye(scores.shape[1], dtype=case.dtype)[positive])
    value, expected = another("cpc", scores=scores, positive=positive, reduction=reduction(case))
    yield from agree(sure, expected)
    yield "scores", sure.value(), value, value


def linear_in_the_targets(case: Case) -> Iterator[Sides]:
    """F4: the mean of InfoNCE's losses with each candidate as the positive, weighted by the targets."""
    scores, targets = float64(case, "scores", "targets")
    value, total = 0.0, np.zeros_like(scores)
    for a, share in enumerate(weight(case, len(scores)) * targets.T):
        positive = np.full(len(scores), a)
        loss, slopes = another("cpc", share, scores=scores, positive=positive, reduction="none")
        value, total = value + loss, total + slopes["scores"]
    yield from agree(case, {"scores": total})
    yield "scores", case.value(), value, value


def at_least_the_entropy(case: Case) -> Iterator[Sides]:
    """F4: each loss is at least the entropy of its targets, with equality if P = t."""
    (targets,) = float64(case, "targets")
    scale, value = weight(case, len(targets)), case.value()
    entropy = scale * np.sum(entr(targets))
    yield at_most("scores", entropy, value, value + entropy)


IDENTITIES = (balanced, free_up_to_context, one_candidate_is_cpc, linear_in_the_targets, at_least_the_entropy)
