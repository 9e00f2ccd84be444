"""instance: each query against a bank that holds its own row."""

import numpy as np

from ..case import Case
from .identity import Terms, float64, residual, through_scores, weight
from .shared import shared_feature


def gradient(case: Case) -> dict[str, Terms]:
    """M16, M7: (1/τ) Σ_j (p_ij − 1[own]) b_j, (1/τ) Σ_i (p_ij − 1[own]) v_i and −⟨G, L⟩/τ."""
    v, bank = float64(case, "v", "bank")
    g = residual(v @ bank.T / case.arguments["temperature"], case.arguments["index"])
    g *= weight(case, len(v), default="sum")
    return through_scores(case, "v", "bank", (g, np.abs(g)))


IDENTITIES = (shared_feature,)
