"""Floors of losses that want uncorrelated features, for too few rows or too few features."""

from ..checks import check_count, check_non_negative
from .floor import Floor, check_several


def spectral(*, pairs: int, features: int) -> Floor:
    """For unit rows, −2 + max(0, B/d − 1) / (B − 1).                                                     [M33]"""
    pairs, features = check_several("pairs", pairs), check_count("features", features)
    where = "unit rows (longer ones have no floor); both views orthonormal, or one tight frame, reach it"
    return Floor(-2 + max(0.0, pairs / features - 1) / (pairs - 1), True, ("M33",), where)


def barlow_twins(*, pairs: int, features: int, weight: float) -> Floor:
    """0 if d ≤ M = B − 1, else dλκ/(1 + λκ) with κ = d/M − 1.                                              [R4]

    It is reached for 0 < λ ≤ 1 by x_f = A e_f and y_f = α A^{−T} e_f, the columns of both views in an orthonormal
    basis of the centred columns: e_f are the columns of M orthonormal rows, taken from a constant, an alternating
    and pairs of a cosine and a sine, and A scales each of these blocks. This needs two blocks: M ≥ 3, or M = 2 and
    an even d. Two pairs have C_fg = ±1, so λ d (d − 1). For λ > 1 the floor for λ = 1 is a lower bound, because 𝓛
    increases with λ.
    """
    rank, d = check_several("pairs", pairs) - 1, check_count("features", features)
    weight = check_non_negative("weight", weight)
    if d <= rank or weight == 0:
        return Floor(0.0, True, (), "equal views of uncorrelated features reach it")
    if rank == 1:
        return Floor(weight * d * (d - 1), True, (), "two pairs have correlations of 1 and −1 only")
    ratio = min(weight, 1.0) * (d / rank - 1)
    value = d * ratio / (1 + ratio)
    if weight > 1:
        return Floor(value, False, ("R4",), "only a bound: it is the floor of the weight 1")
    if rank == 2 and d % 2:
        return Floor(value, False, ("R4",), "only a bound: no batch of three pairs is known to reach it")
    return Floor(value, True, ("R4",), "views that are not aligned reach it: all C_ff are 1/(1 + λκ)")


def vicreg(*, pairs: int, features: int) -> Floor:
    """0: no term is negative, and all can be 0 if d ≤ B − 1."""
    if check_count("features", features) < check_several("pairs", pairs):
        return Floor(0.0, True, (), "equal views of uncorrelated features, spread by the margin, reach it")
    reason = f"only a bound: {pairs} centred rows have no room for {features} uncorrelated features"
    return Floor(0.0, False, (), reason)
