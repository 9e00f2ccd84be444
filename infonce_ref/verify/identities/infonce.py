"""infonce: the anchor is among its own candidates, rows of any length."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, at_most, float64, follows, unit, weight
from .shared import exchanged, gradient_of_pairs, rotated, with_all_kept


def gradient(case: Case) -> dict[str, Terms]:
    """D1.13, M7: (G + Gᵀ) Z / (N τ) and −(1/Nτ) Σ G_ij L_ij."""
    (z,) = float64(case, "z")
    rows, temperature = gradient_of_pairs(case, z, np.full((len(z), len(z)), True))
    return {"z": rows, "temperature": temperature}


def homogeneous(case: Case) -> Iterator[Sides]:
    """M7: 𝓛 depends only on Z/√τ, so 2Z at 4τ halves ∂𝓛/∂Z and quarters ∂𝓛/∂τ."""
    changed = case.at(z=2 * case.arguments["z"], temperature=4 * case.arguments["temperature"])
    yield from follows(case, changed, z=lambda x: x / 2, temperature=lambda x: x / 4)


def floor_of_log_two(case: Case) -> Iterator[Sides]:
    """M1: for unit rows every ℓ_i ≥ log 2, since the anchor itself is a candidate."""
    z = unit(*float64(case, "z"))
    floor = np.log(2) * weight(case, len(z)) * len(z)
    yield at_most("z", -case.normalise_rows(z=z).value(), -floor, floor)


IDENTITIES = (rotated, exchanged, homogeneous, floor_of_log_two, with_all_kept)
