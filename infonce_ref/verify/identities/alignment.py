"""alignment: the mean distance of two views, to a power."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, documented, float64, follows, weight
from .shared import turned


def distances(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """z − z' (B, d) and its length (B, 1)."""
    z1, z2 = float64(case, "z1", "z2")
    return z1 - z2, np.linalg.norm(z1 - z2, axis=1, keepdims=True)


def gradient(case: Case) -> dict[str, Terms]:
    """F13: α ‖z − z'‖^{α−2} (z − z')/B, of either sign, and 0 if a pair coincides."""
    apart, length = distances(case)
    alpha, differ = case.arguments["exponent"], length > 0
    slope = weight(case, len(apart)) * alpha * np.where(differ, length, 1) ** (alpha - 2) * differ * apart
    return {"z1": (slope, np.abs(slope)), "z2": (-slope, np.abs(slope))}


def balanced(case: Case) -> Iterator[Sides]:
    """F13: moving both rows of a pair together changes nothing."""
    here, sizes = case.gradients(), documented(case)
    total = here["z1"] + here["z2"]
    for name in ("z1", "z2"):
        yield name, total, np.zeros_like(total), sizes[name][1]


def homogeneous(case: Case) -> Iterator[Sides]:
    """F12, F13: rows twice as long have 2^α times the loss and 2^{α−1} times the gradient."""
    alpha = case.arguments["exponent"]
    changed = case.at(**{name: 2 * case.arguments[name] for name in ("z1", "z2")})

    def grown(x: np.ndarray) -> np.ndarray:
        return 2 ** (alpha - 1) * x

    yield from follows(case, changed, z1=grown, z2=grown)
    yield "z1", changed.value(), 2**alpha * case.value(), 2**alpha * case.value()


def along_the_chord(case: Case) -> Iterator[Sides]:
    """F13: ⟨z − z', ∂𝓛/∂z⟩ = α 𝓛, because each loss is a power of the distance."""
    apart, _ = distances(case)
    right = case.arguments["exponent"] * case.value()
    for name, sign in (("z1", 1), ("z2", -1)):
        yield name, sign * np.sum(apart * case.gradients()[name]), right, right


def rotated(case: Case) -> Iterator[Sides]:
    """F12: rotating the features of both views rotates the gradients."""
    yield from turned(case)


IDENTITIES = (balanced, homogeneous, along_the_chord, rotated)
