"""triplet: a hinge on the difference of two squared distances."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, another, float64, follows, tangent, unit, weight


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


def cold_limit(case: Case) -> Iterator[Sides]:
    """M13: for unit rows and margin 0, the loss is twice the limit of τ · InfoNCE with one negative as τ → 0."""
    names = case.loss.differentiable
    rows = {name: unit(x) for name, x in zip(names, float64(case, *names), strict=True)}
    cold = case.normalise_rows(**rows).at(margin=0.0)
    a, p, n = float64(cold, *names)
    gap = np.min(np.abs(np.sum(a * (n - p), axis=1)))
    if gap == 0:
        return  # a tie, as between rows with one feature: the limit is not reached at any temperature
    tau = gap / 50  # so cold that 1 − P is 0 or 1 to e^-50
    reduction = case.arguments.get("reduction", "mean")
    _, there = another(
        "query_key", query=a, positive=p, negatives=n[:, None], temperature=tau, reduction=reduction
    )
    scale = 2 * weight(cold, len(a))
    sides = {
        "anchor": (a, there["query"], np.abs(n) + np.abs(p)),
        "positive": (p, there["positive"], np.abs(p) + np.abs(a)),
        "negative": (n, there["negatives"][:, 0], np.abs(a) + np.abs(n)),
    }
    for name, gradient in cold.gradients().items():
        z, limit, size = sides[name]
        left, size = tangent(z, (gradient, scale * size))
        yield name, left, tangent(z, (2 * tau * limit, size))[0], size


IDENTITIES = (balanced, homogeneous, both_sides, cold_limit)
