"""Two views of B things as N = 2B rows: who is whose partner."""

from typing import Literal

from array_api_compat import array_namespace

from .arrays import Array

Layout = Literal["concatenated", "interleaved"]  # view after view, or pair after pair


def pair_count(name: str, rows: int) -> int:
    """B, given N = 2B rows.

    name: what an error calls the array. Raises ValueError for an odd N, and for fewer than two pairs, for a lone
    pair has no negative.

    >>> from infonce_ref.pairs import pair_count
    >>> pair_count("w", 6)
    3
    """
    if rows % 2:
        raise ValueError(f"{name} must have an even number of rows, two views of each; got {rows}")
    if rows < 4:
        raise ValueError(f"{name} must hold at least two pairs (4 rows), or nothing is negative; got {rows}")
    return rows // 2


def partner(x: Array, layout: Layout = "concatenated") -> Array:
    """Row p(i) of x at row i: p(i) = (i + B) mod 2B, or, interleaved, 2k ↔ 2k + 1.    [D1.5, D3.4]

    x: (2B, …) or, interleaved, (2B, d). Returns an array of the same shape.

    >>> import numpy as np
    >>> from infonce_ref.pairs import partner
    >>> partner(np.arange(4)).tolist(), partner(np.arange(4)[:, None], "interleaved")[:, 0].tolist()
    ([2, 3, 0, 1], [1, 0, 3, 2])
    """
    xp = array_namespace(x)
    n = x.shape[0]
    if layout == "concatenated":
        return xp.roll(x, n // 2, axis=0)
    return xp.reshape(xp.flip(xp.reshape(x, (n // 2, 2, -1)), axis=1), x.shape)
