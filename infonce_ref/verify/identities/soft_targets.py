"""soft_targets: rows of scores against a distribution each."""

from collections.abc import Iterator

import numpy as np
from scipy.special import entr, softmax

from ..case import Case
from .identity import Sides, Terms, at_most, float64, follows, weight


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


def at_least_the_entropy(case: Case) -> Iterator[Sides]:
    """F4: each loss is at least the entropy of its targets, with equality if P = t."""
    (targets,) = float64(case, "targets")
    scale, value = weight(case, len(targets)), case.value()
    entropy = scale * np.sum(entr(targets))
    yield at_most("scores", entropy, value, value + entropy)


IDENTITIES = (balanced, free_up_to_context, at_least_the_entropy)
