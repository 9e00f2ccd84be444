"""vicreg: two views agree, and the columns of each are spread out and uncorrelated."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, documented, float64
from .shared import in_any_order, signs_of_features, views_exchanged


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


IDENTITIES = (means_stay, stuck_at_collapse, in_any_order, signs_of_features, views_exchanged)
