"""Two views of B things as N = 2B rows: who is whose partner."""

import numpy as np
from array_api_compat import array_namespace

from .arrays import Array


def pair_count(name: str, rows: int) -> int:
    """B, given N = 2B rows; at least two pairs, for a lone pair has no negative."""
    if rows % 2:
        raise ValueError(f"{name} must have an even number of rows, two views of each; got {rows}")
    if rows < 4:
        raise ValueError(f"{name} must hold at least two pairs (4 rows), or nothing is negative; got {rows}")
    return rows // 2


def partner(x: Array, layout: str = "concatenated") -> Array:
    """Row p(i) of x at row i: p(i) = (i + B) mod 2B, or, interleaved, 2k ↔ 2k + 1.    [D1.5, D3.4]"""
    xp = array_namespace(x)
    n = x.shape[0]
    if layout == "concatenated":
        return xp.roll(x, n // 2, axis=0)
    return xp.reshape(xp.flip(xp.reshape(x, (n // 2, 2, -1)), axis=1), x.shape)


def pair_example(
    seed: int,
    noise: float,
    *,
    pairs: int = 3,
    features: int = 3,
    unit: bool = False,
    layout: str = "concatenated",
) -> np.ndarray:
    """Views for the judge: the second is the first + noise · Gaussian; rows of length 1 if unit."""
    rng = np.random.default_rng(seed)
    first = rng.standard_normal((pairs, features))
    second = first + noise * rng.standard_normal((pairs, features))
    views = np.concatenate([first, second])
    if layout == "interleaved":
        views = np.stack([first, second], axis=1).reshape(views.shape)
    return views / np.linalg.norm(views, axis=1, keepdims=True) if unit else views
