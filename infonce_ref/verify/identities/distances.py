"""Distances and cosines, without negatives or with one: triplet, byol and simsiam."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import (
    GRADIENTS,
    Sides,
    Terms,
    agree,
    another,
    float64,
    follows,
    gradient_of,
    of,
    tangent,
    unit,
    weight,
)


@gradient_of("triplet")
def hinge(case: Case) -> dict[str, Terms]:
    """M12: ∂_a = 2(n − p), ∂_p = 2(p − a), ∂_n = 2(a − n) where ‖a − p‖² − ‖a − n‖² + m > 0, else 0."""
    a, p, n = float64(case, "anchor", "positive", "negative")
    height = np.sum((a - p) ** 2, axis=1) - np.sum((a - n) ** 2, axis=1) + case.arguments["margin"]
    scale = 2 * weight(case, len(a)) * (height > 0)[:, None]
    pairs = {"anchor": (n, p), "positive": (p, a), "negative": (a, n)}
    return {name: (scale * (x - y), scale * (np.abs(x) + np.abs(y))) for name, (x, y) in pairs.items()}


@of("triplet")
def balanced(case: Case) -> Iterator[Sides]:
    """M12: moving all three together changes nothing, so their gradients sum to zero."""
    gradients = list(case.gradients().values())
    for name in case.loss.differentiable:
        yield name, sum(gradients), np.zeros_like(gradients[0]), sum(map(np.abs, gradients))


@of("triplet")
def homogeneous(case: Case) -> Iterator[Sides]:
    """M12: rows twice as long, under four times the margin, have twice the gradient."""
    twice = {name: 2 * case.arguments[name] for name in case.loss.differentiable}
    changed = case.at(**twice, margin=4 * case.arguments["margin"])
    yield from follows(case, changed, anchor=double, positive=double, negative=double)
    yield "anchor", changed.value(), 4 * case.value(), 4 * case.value()


def double(x: np.ndarray) -> np.ndarray:
    return 2 * x


@of("triplet")
def both_sides(case: Case) -> Iterator[Sides]:
    """M12: without margin max(0, h) − max(0, −h) = h: positive and negative exchanged, the hinge is gone."""
    a, p, n = float64(case, "anchor", "positive", "negative")
    level = case.at(margin=0.0)
    here = level.gradients()
    there = level.at(positive=case.arguments["negative"], negative=case.arguments["positive"]).gradients()
    scale = 2 * weight(case, len(a))
    sides = {"anchor": ("anchor", n, p), "positive": ("negative", p, a), "negative": ("positive", a, n)}
    for name, (exchanged, x, y) in sides.items():
        yield name, here[name] - there[exchanged], scale * (x - y), scale * (np.abs(x) + np.abs(y))


@of("triplet")
def cold_limit(case: Case) -> Iterator[Sides]:
    """M13: on the sphere and without margin, twice the limit of τ · InfoNCE with one negative as τ → 0."""
    names = case.loss.differentiable
    rows = {name: unit(x).astype(case.dtype) for name, x in zip(names, float64(case, *names), strict=True)}
    cold = case.at(**rows, margin=0.0)
    a, p, n = float64(cold, *names)
    gap = np.min(np.abs(np.sum(a * (n - p), axis=1)))
    if gap == 0:
        return  # a tie, as between rows of one feature: no temperature is cold enough
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


# --- cosines --------------------------------------------------------------------------------------------


def away(q: np.ndarray, z: np.ndarray) -> Terms:
    """−∂cos(q, z)/∂q = −(ẑ − cos · q̂)/‖q‖, row by row.                            [M18, M19]"""
    norm, q, z = np.linalg.norm(q, axis=1, keepdims=True), unit(q), unit(z)
    cosine = np.sum(q * z, axis=1, keepdims=True)
    return -(z - cosine * q) / norm, (np.abs(z) + np.abs(cosine * q)) / norm


@gradient_of("byol")
def gradient_of_byol(case: Case) -> dict[str, Terms]:
    """M18: ∂/∂q = −(2/‖q‖)(z̄' − cos · q̂)."""
    value, size = away(*float64(case, "prediction", "target"))
    scale = 2 * weight(case, len(value))
    return {"prediction": (scale * value, scale * size)}


@of("byol")
def two_minus_two_cosines(case: Case) -> Iterator[Sides]:
    """D3.43: the squared distance of unit rows is 2 − 2 cos."""
    q, z = map(unit, float64(case, "prediction", "target"))
    cosines, scale = np.sum(q * z, axis=1), weight(case, len(q))
    yield "prediction", case.value(), scale * np.sum(2 - 2 * cosines), scale * np.sum(2 + 2 * np.abs(cosines))


@of("byol")
def sine(case: Case) -> Iterator[Sides]:
    """M18: the gradient has the length 2 sin θ/‖q‖."""
    prediction, target = float64(case, "prediction", "target")
    q, z = unit(prediction), unit(target)
    # sin θ = ½ ‖q̂ − ẑ‖ ‖q̂ + ẑ‖
    sine = np.linalg.norm(q - z, axis=1) * np.linalg.norm(q + z, axis=1) / 2
    scale = 2 * weight(case, len(q)) / np.linalg.norm(prediction, axis=1)
    yield "prediction", np.linalg.norm(case.gradients()["prediction"], axis=1), scale * sine, scale


@of("byol")
def twice_simsiam(case: Case) -> Iterator[Sides]:
    """D3.43, D3.44: D = ½‖q̄ − z̄'‖² − 1, so that BYOL is twice SimSiam's loss, and 2."""
    q, z = float64(case, "prediction", "target")
    shifted, there = another("simsiam", p1=q, z1=z, p2=q, z2=z)
    total = weight(case, len(q)) * len(q)
    yield from agree(case, {"prediction": 2 * total * (there["p1"] + there["p2"])})
    yield "prediction", case.value(), total * (2 * shifted + 2), total * (2 * abs(shifted) + 2)


def facing(case: Case) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    """Each input of SimSiam, what it is compared to, and whether its gradient passes.      [D3.45, D3.46]"""
    p1, z1, p2, z2 = float64(case, "p1", "z1", "p2", "z2")
    through = 0 if case.arguments.get("stop_gradient", True) else 1
    return {"p1": (p1, z2, 1), "z1": (z1, p2, through), "p2": (p2, z1, 1), "z2": (z2, p1, through)}


@gradient_of("simsiam")
def gradient_of_simsiam(case: Case) -> dict[str, Terms]:
    """M19: ∂/∂p1 = −(ẑ2 − cos · p̂1)/(2n‖p1‖); nothing for z1, z2 under the stop-gradient, else likewise."""
    gradients = {}
    for name, (x, y, passes) in facing(case).items():
        value, size = away(x, y)
        gradients[name] = passes * value / (2 * len(x)), passes * size / (2 * len(x))
    return gradients


@of("simsiam")
def half_of_byol(case: Case) -> Iterator[Sides]:
    """D3.44, D3.45: half of BYOL's loss, averaged over both views, less 1."""
    sides = facing(case)
    byol = {name: another("byol", prediction=x, target=y) for name, (x, y, _) in sides.items()}
    yield from agree(
        case, {name: sides[name][2] * there["prediction"] / 4 for name, (_, there) in byol.items()}
    )
    value = (byol["p1"][0] + byol["p2"][0]) / 4
    yield "p1", case.value(), value - 1, value + 1


@of("simsiam")
def exchanged(case: Case) -> Iterator[Sides]:
    """D3.45: the loss is symmetric, exchanging the two views exchanges their gradients."""
    other = {"p1": "p2", "p2": "p1", "z1": "z2", "z2": "z1"}
    here = case.gradients()
    changed = case.at(**{name: case.arguments[other[name]] for name in other})
    yield from agree(changed, {name: here[other[name]] for name in other})


@of("simsiam")
def the_gradient_stops(case: Case) -> Iterator[Sides]:
    """D3.46: with or without stop-gradient, the value and the gradients of p1 and p2 are the same."""
    other = case.at(stop_gradient=not case.arguments.get("stop_gradient", True))
    here = case.gradients()
    yield from agree(other, {name: here[name] for name in ("p1", "p2")})
    yield "p1", other.value(), case.value(), 1.0


@of("byol", "simsiam")
def tangential(case: Case) -> Iterator[Sides]:
    """M18, M19: each gradient is orthogonal to its row."""
    for name, gradient in case.gradients().items():
        (x,), (_, size) = float64(case, name), GRADIENTS[case.loss.name](case)[name]
        yield name, np.sum(x * gradient, axis=1), np.zeros(len(x)), np.sum(np.abs(x) * size, axis=1)


@of("byol", "simsiam")
def scale_free(case: Case) -> Iterator[Sides]:
    """D3.43, D3.44: rows of other lengths have the same loss; the gradient shrinks as the row grows."""
    rows = case.gradients()
    powers = (2.0 ** (np.arange(len(next(iter(rows.values())))) % 5 - 2)[:, None]).astype(case.dtype)
    changed = case.at(**{name: case.arguments[name] * powers for name in rows})
    yield from agree(changed, {name: gradient / powers for name, gradient in rows.items()})
