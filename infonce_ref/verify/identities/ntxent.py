"""ntxent: cosines of raw rows, the anchor not among its candidates."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, at_most, float64, tangent, unit, weight
from .shared import exchanged, gradient_of_pairs, layouts, rotated, scale_free, tangential, with_all_kept


def gradient(case: Case) -> dict[str, Terms]:
    """D1.13, M5, M7: (G + Gᵀ) Z / (N τ), projected by (I − z zᵀ)/‖w‖, and −(1/Nτ) Σ G_ij L_ij."""
    (w,) = float64(case, "w")
    z, norm = unit(w), np.linalg.norm(w, axis=1, keepdims=True)
    rows, temperature = gradient_of_pairs(case, z, ~np.eye(len(z), dtype=bool))
    value, size = tangent(z, rows)
    return {"w": (value / norm, size / norm), "temperature": temperature}


def within_its_range(case: Case) -> Iterator[Sides]:
    """M23: log(1 + (N−2) e^{−2/τ}) ≤ ℓ ≤ log(1 + (N−2) e^{2/τ}) for N rows."""
    if "keep" in case.arguments:
        return
    n, tau = len(case.arguments["w"]), case.arguments["temperature"]
    with np.errstate(divide="ignore"):  # a single pair has the loss log(1 + 0)
        ends = weight(case, n) * n * np.logaddexp(0, np.log(n - 2) + np.array([-2, 2]) / tau)
    value = case.value()
    yield at_most("w", -value, -ends[0], ends[0])
    yield at_most("w", value, ends[1], ends[1])


IDENTITIES = (rotated, exchanged, within_its_range, tangential, scale_free, layouts, with_all_kept)
