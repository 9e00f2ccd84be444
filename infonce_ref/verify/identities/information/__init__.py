"""The identities of the estimators of mutual information, one file each, and what several of them share."""

from collections.abc import Iterator

import numpy as np

from ....information import ESTIMATORS
from ...case import Case
from ..identity import Sides, documented, follows


def apart(case: Case) -> np.ndarray:
    """Mask off the diagonal, where sample and context are drawn independently."""
    return ~np.eye(len(case.arguments["scores"]), dtype=bool)


def size(case: Case) -> float:
    """The size of the terms of a value: scores, and a mean of their exponentials or its logarithm."""
    return float(np.max(np.abs(case.arguments["scores"]))) + abs(case.value()) + 1


def another(name: str, case: Case, **changed: np.ndarray) -> float:
    """Run another estimator on the same scores, or on the given ones."""
    return float(ESTIMATORS[name].forward(**{"scores": case.arguments["scores"]} | changed)[0])


def moved(case: Case) -> Case:
    """The case with a number of the scores' size added to all scores."""
    return case.at(scores=case.arguments["scores"] + case.dtype.type(size(case)))


def free_up_to_a_number(case: Case) -> Iterator[Sides]:
    """F14, F16, F17: a number added to all scores changes nothing, so that all slopes sum to 0."""
    there = moved(case)
    yield "scores", there.value(), case.value(), size(there)
    yield from follows(case, there)
    slopes, (_, terms) = case.gradients()["scores"], documented(case)["scores"]
    yield "scores", np.sum(slopes), 0.0, np.sum(terms)


def turned(case: Case) -> Iterator[Sides]:
    """F15, F17, F18: exchanging samples and contexts changes no value."""
    there = case.at(scores=np.ascontiguousarray(case.arguments["scores"].T))
    yield "scores", there.value(), case.value(), size(case)
    yield from follows(case, there, scores=np.transpose)


def pairs_in_any_order(case: Case) -> Iterator[Sides]:
    """F15, F16, F17, F18: the order of the pairs in the batch does not count."""
    order = np.random.default_rng(0).permutation(len(case.arguments["scores"]))
    there = case.at(scores=case.arguments["scores"][order][:, order])
    yield "scores", there.value(), case.value(), size(case)
    yield from follows(case, there, scores=lambda x: x[order][:, order])
