"""vicreg: two views agree, and the columns of each are spread out and uncorrelated."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, another, documented, float64
from .shared import in_any_order, signs_of_features, views_exchanged

WEIGHTS = ("invariance", "variance", "covariance")


def columns(z: np.ndarray) -> np.ndarray:
    """Subtract the mean of each column."""
    z = z - z[0]
    return z - np.mean(z, axis=0)


def deviations(case: Case, z: np.ndarray) -> np.ndarray:
    """√(Var + ε) of each column."""
    return np.hypot(
        np.linalg.norm(columns(z), axis=0) / np.sqrt(len(z) - 1), np.sqrt(case.arguments["epsilon"])
    )


def gradient(case: Case) -> dict[str, Terms]:
    """F28: 2ι (z − z')/B − μ η z̃/(d(B−1) S) + 4ρ Σ_{g≠f} Γ_fg z̃_g/(d(B−1))."""
    views = dict(zip(("z1", "z2"), float64(case, "z1", "z2"), strict=True))
    apart = 2 * case.arguments["invariance"] * (views["z1"] - views["z2"]) / len(views["z1"])
    found = {}
    for (name, z), towards in zip(views.items(), (apart, -apart), strict=True):
        value, size = of_view(case, z)
        found[name] = towards + value, np.abs(towards) + size
    return found


def of_view(case: Case, z: np.ndarray) -> Terms:
    """The gradient of the variance and of the covariance term by one view, with the sizes of the summed
    terms, centring included.
    """
    (rows, features), centred, spread = z.shape, columns(z), deviations(case, z)
    scale = 1 / (features * (rows - 1))
    hinge = case.arguments["variance"] * scale * (spread < case.arguments["margin"]) / spread
    off, weight = 1 - np.eye(features), 4 * case.arguments["covariance"] * scale
    far = np.abs(z - z[0])
    far = far + np.mean(far, axis=0)
    products, sizes = (x.T @ x / (rows - 1) * off for x in (centred, far))
    return weight * centred @ products - hinge * centred, weight * far @ sizes + hinge * far


def terms(case: Case) -> dict[str, float]:
    """The three terms without weights, by NumPy's own covariances."""
    z1, z2 = float64(case, "z1", "z2")
    spread = redundant = 0.0
    for z in (z1, z2):
        spread += np.mean(np.maximum(0, case.arguments["margin"] - deviations(case, z)))
        covariance = np.atleast_2d(np.cov(columns(z), rowvar=False))
        redundant += np.sum((covariance - np.diag(np.diag(covariance))) ** 2) / z.shape[1]
    return {
        "invariance": float(np.sum((z1 - z2) ** 2) / len(z1)),
        "variance": float(spread),
        "covariance": float(redundant),
    }


def alone(name: str) -> dict[str, float]:
    """The weights that leave only one term."""
    return {weight: float(weight == name) for weight in WEIGHTS}


def size_of(case: Case, found: Mapping[str, float]) -> float:
    """The size of the value's terms: a hinge is a difference of two numbers up to γ, a covariance a sum that
    may cancel.
    """
    z1, z2 = (np.abs(columns(z)) for z in float64(case, "z1", "z2"))
    rows, features = z1.shape
    squares = sum(float(np.sum((z.T @ z / (rows - 1)) ** 2)) for z in (z1, z2)) / features
    sizes = {**found, "variance": 2 * case.arguments["margin"], "covariance": squares}
    return sum(case.arguments[name] * sizes[name] for name in WEIGHTS)


def three_terms(case: Case) -> Iterator[Sides]:
    """F27, F28: value and gradient are the weighted sums of those of the three terms."""
    value, total = 0.0, {"z1": 0.0, "z2": 0.0}
    for name in WEIGHTS:
        weight, one = case.arguments[name], case.at(**alone(name))
        value += weight * one.value()
        gradients: dict[str, Any] = one.gradients()
        total = {view: x + weight * gradients[view] for view, x in total.items()}
    yield "z1", case.value(), value, size_of(case, terms(case))
    yield from agree(case, total)


def invariance_is_alignment(case: Case) -> Iterator[Sides]:
    """F27: the first term is alignment with the exponent 2."""
    one = case.at(**alone("invariance"))
    z1, z2 = float64(case, "z1", "z2")
    value, there = another("alignment", z1=z1, z2=z2, exponent=2.0)
    yield from agree(one, there)
    yield "z1", one.value(), value, value


def covariance_is_barlow_twins(case: Case) -> Iterator[Sides]:
    """F27: for two equal views whose columns have deviation 1 over B, the third term is Barlow Twins' redundancy
    times 2 (B/(B−1))²/d.
    """
    (z,) = float64(case, "z1")
    z = columns(z)
    deviation = np.sqrt(np.mean(z**2, axis=0))
    if not np.all(deviation):
        return  # a constant column has no correlation
    z = (z / deviation).astype(case.dtype)
    rows, features = z.shape
    factor = 2 * (rows / (rows - 1)) ** 2 / features
    one = case.at(**alone("covariance"), z1=z, z2=z)
    value, _ = another("barlow_twins", z1=z.astype(float), z2=z.astype(float), weight=1.0)
    yield "z1", one.value(), factor * value, factor * features**2


def means_stay(case: Case) -> Iterator[Sides]:
    """F28: each column of the variance and covariance terms' gradient sums to 0."""
    here = case.at(invariance=0.0)
    sizes = documented(here)
    for name, x in here.gradients().items():
        total = np.sum(x, axis=0)
        yield name, total, np.zeros_like(total), np.sum(sizes[name][1], axis=0)


def stuck_at_collapse(case: Case) -> Iterator[Sides]:
    """R15: if all rows of both views are equal, every gradient is 0, even if the hinges are active."""
    rows = np.broadcast_to(case.arguments["z1"][:1], case.arguments["z1"].shape)
    collapsed = case.at(z1=rows, z2=rows)
    arguments = case.arguments
    short = max(0.0, arguments["margin"] - np.sqrt(arguments["epsilon"]))
    size = 2 * arguments["variance"] * arguments["margin"]
    yield "z1", collapsed.value(), 2 * arguments["variance"] * short, size
    for name, x in collapsed.gradients().items():
        yield name, x, np.zeros_like(x), np.zeros_like(x)


IDENTITIES = (
    three_terms,
    invariance_is_alignment,
    covariance_is_barlow_twins,
    means_stay,
    stuck_at_collapse,
    in_any_order,
    signs_of_features,
    views_exchanged,
)
