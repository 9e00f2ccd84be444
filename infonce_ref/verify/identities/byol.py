"""byol: the squared distance of a prediction's direction to its target's."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, another, float64, unit, weight
from .shared import away, scale_free, tangential


def gradient(case: Case) -> dict[str, Terms]:
    """M18: ∂/∂q = −(2/‖q‖)(z̄' − cos · q̂)."""
    value, size = away(*float64(case, "prediction", "target"))
    scale = 2 * weight(case, len(value))
    return {"prediction": (scale * value, scale * size)}


def sine(case: Case) -> Iterator[Sides]:
    """M18: the gradient has the length 2 sin θ/‖q‖."""
    prediction, target = float64(case, "prediction", "target")
    q, z = unit(prediction), unit(target)
    # sin θ = ½ ‖q̂ − ẑ‖ ‖q̂ + ẑ‖
    sine = np.linalg.norm(q - z, axis=1) * np.linalg.norm(q + z, axis=1) / 2
    scale = 2 * weight(case, len(q)) / np.linalg.norm(prediction, axis=1)
    yield "prediction", np.linalg.norm(case.gradients()["prediction"], axis=1), scale * sine, scale


def twice_simsiam(case: Case) -> Iterator[Sides]:
    """D3.43, D3.44: D = ½‖q̄ − z̄'‖² − 1, so BYOL's loss is twice SimSiam's plus 2."""
    q, z = float64(case, "prediction", "target")
    shifted, there = another("simsiam", p1=q, z1=z, p2=q, z2=z)
    total = weight(case, len(q)) * len(q)
    yield from agree(case, {"prediction": 2 * total * (there["p1"] + there["p2"])})
    yield "prediction", case.value(), total * (2 * shifted + 2), total * (2 * abs(shifted) + 2)


IDENTITIES = (sine, twice_simsiam, tangential, scale_free)
