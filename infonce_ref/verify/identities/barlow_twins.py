"""barlow_twins: the features of two views correlated over the batch."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, at_most, documented, float64
from .shared import in_any_order, scale_free_columns, signs_of_features, views_exchanged


def standardised(z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns of mean 0 and variance 1 over the batch, and their deviations."""
    z = z - z[0]
    z = z - np.mean(z, axis=0)
    largest = np.max(np.abs(z), axis=0)
    deviation = largest * np.sqrt(np.mean((z / largest) ** 2, axis=0))
    return z / deviation, deviation


def gradient(case: Case) -> dict[str, Terms]:
    """F26: (1/(B σ_f)) Σ_h G_fh (ẑ'_kh − C_fh ẑ_kf), G_fh = 2λ C_fh off the diagonal, −2(1 − C_ff) on it."""
    first, second = (standardised(z) for z in float64(case, "z1", "z2"))
    return {"z1": by_first(case, first, second), "z2": by_first(case, second, first)}


def by_first(case: Case, own: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray]) -> Terms:
    """The gradient by the view that comes first."""
    (x, deviation), (y, _) = own, other
    count, gap = len(x), x - y
    c = x.T @ y / count
    off = 2 * case.arguments["weight"] * c
    np.fill_diagonal(off, 0)
    # 1 − C = ½ mean of gap², and ẑ' − C ẑ = (1 − C) ẑ − gap; the error of an entry of gap is about eps
    twice, known = np.mean(gap**2, axis=0), np.abs(gap) + float(np.finfo(case.dtype).eps)
    slope = y @ off.T - x * np.sum(off * c, axis=1) + twice * (gap - x * twice / 2)
    # the error of an entry is eps times the column's deviation, which is 1
    one, two = np.abs(x) + 1, np.abs(y) + 1
    size = two @ np.abs(off).T + one * np.sum(np.abs(off * c), axis=1)
    size += np.mean((one + two) * known, axis=0) * (one + two)
    return slope / (count * deviation), size / (count * deviation)


def correlations(case: Case) -> np.ndarray:
    """C (d, d), by NumPy's own correlation coefficients."""
    z1, z2 = float64(case, "z1", "z2")
    d = z1.shape[1]
    return np.atleast_2d(np.corrcoef(z1 / case.length, z2 / case.length, rowvar=False))[:d, d:]


def aligned(case: Case) -> Iterator[Sides]:
    """F25, F26: if both views are equal only the redundancy is left, and each view has the same gradient."""
    same = case.at(z2=case.arguments["z1"])
    c, weight = correlations(same), case.arguments["weight"]
    off = np.sum(c**2) - np.sum(np.diag(c) ** 2)
    yield "z1", same.value(), weight * off, weight * np.sum(c**2)
    here = same.gradients()
    yield from agree(same, {"z1": here["z2"], "z2": here["z1"]})


def neither_mean_nor_scale(case: Case) -> Iterator[Sides]:
    """F26: the gradient of each column sums to 0, and is orthogonal to the column."""
    here, sizes = case.gradients(), documented(case)
    for name in ("z1", "z2"):
        z, _ = standardised(*float64(case, name))
        for by in (np.ones_like(z), z):
            total = np.sum(by * here[name], axis=0)
            yield name, total, np.zeros_like(total), np.sum(np.abs(by) * sizes[name][1], axis=0)


def above_its_floor(case: Case) -> Iterator[Sides]:
    """R4: for d ≥ B − 1 and λ ≤ 1 it is at least dλκ/(1 + λκ), κ = d/(B−1) − 1."""
    rows, d = case.arguments["z1"].shape
    weight, kappa = case.arguments["weight"], d / (rows - 1) - 1
    if kappa >= 0 and weight <= 1:
        value = case.value()
        yield at_most("z1", d * weight * kappa / (1 + weight * kappa), value, value + weight * d)


IDENTITIES = (
    aligned,
    neither_mean_nor_scale,
    above_its_floor,
    scale_free_columns,
    in_any_order,
    signs_of_features,
    views_exchanged,
)
