"""triplet: a hinge on the difference of two squared distances."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, float64, follows, weight


def gradient(case: Case) -> dict[str, Terms]:
    """M12: ∂_a = 2(n − p), ∂_p = 2(p − a), ∂_n = 2(a − n) where ‖a − p‖² − ‖a − n‖² + m > 0, else 0."""
    a, p, n = float64(case, "anchor", "positive", "negative")
    height = np.sum((a - p) ** 2, axis=1) - np.sum((a - n) ** 2, axis=1) + case.arguments["margin"]
    scale = 2 * weight(case, len(a)) * (height > 0)[:, None]
    pairs = {"anchor": (n, p), "positive": (p, a), "negative": (a, n)}
    return {name: (scale * (x - y), scale * (np.abs(x) + np.abs(y))) for name, (x, y) in pairs.items()}


def balanced(case: Case) -> Iterator[Sides]:
    """M12: moving all three together changes nothing, so their gradients sum to zero."""
    gradients = list(case.gradients().values())
    for name in case.loss.differentiable:
        yield name, sum(gradients), np.zeros_like(gradients[0]), sum(map(np.abs, gradients))


def homogeneous(case: Case) -> Iterator[Sides]:
    """M12: rows twice as long, under four times the margin, have twice the gradient."""
    twice = {name: 2 * case.arguments[name] for name in case.loss.differentiable}
    changed = case.at(**twice, margin=4 * case.arguments["margin"])
    yield from follows(case, changed, anchor=double, positive=double, negative=double)
    yield "anchor", changed.value(), 4 * case.value(), 4 * case.value()


def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


def both_sides(case: Case) -> Iterator[Sides]:
    """M12: without margin max(0, h) − max(0, −h) = h: the loss minus that with positive and negative exchanged has
    no hinge."""
    a, p, n = float64(case, "anchor", "positive", "negative")
    level = case.at(margin=0.0)
    here = level.gradients()
    there = level.at(positive=case.arguments["negative"], negative=case.arguments["positive"]).gradients()
    level_h = np.sum((n - p) * ((a - p) + (a - n)), axis=1)
    scale = 2 * weight(case, len(a)) * (level_h != 0)[:, None]  # at the kink both hinges are inactive
    sides = {"anchor": ("anchor", n, p), "positive": ("negative", p, a), "negative": ("positive", a, n)}
    for name, (exchanged, x, y) in sides.items():
        yield name, here[name] - there[exchanged], scale * (x - y), scale * (np.abs(x) + np.abs(y))


IDENTITIES = (balanced, homogeneous, both_sides)
