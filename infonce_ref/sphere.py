"""Rows to the unit sphere and back.

z = w / ‖w‖                                          [D3.3]
∂z/∂w = (I − z zᵀ) / ‖w‖                             [D2.11]
"""

from typing import NamedTuple

from .arrays import Array, check


class Cache(NamedTuple):
    """What backward needs: the unit rows z (N, d) and the norms ‖w‖ (N, 1)."""

    z: Array
    norm: Array


def forward(w: Array) -> tuple[Array, Cache]:
    """Unit rows z = w/‖w‖.

    w: (N, d), float32 or float64, no zero row. Returns z (N, d) and the cache for `backward`.
    Each row is divided by its largest entry first, so that no square overflows or vanishes.
    Raises ValueError for a zero row, where the direction does not exist. Source: D2, Eq. 6.
    """
    xp, _ = check(w=(w, "N d"))
    largest = xp.max(xp.abs(w), axis=1, keepdims=True)
    if bool(xp.any(largest == 0)):
        raise ValueError("w must have no zero row, for its direction does not exist; drop such rows")
    scaled = w / largest
    length = xp.sqrt(xp.sum(scaled * scaled, axis=1, keepdims=True))
    z = scaled / length
    return z, Cache(z, largest * length)


def backward(cache: Cache, dz: Array) -> Array:
    """The gradient with respect to w, given dz = ∂L/∂z: the tangential part of dz, over ‖w‖."""
    z, norm = cache
    xp, _ = check(dz=(dz, "N d"), z=(z, "N d"))
    # dL/dw = (I − z zᵀ) dL/dz / ‖w‖                                          [D2.11]
    return (dz - z * xp.sum(z * dz, axis=1, keepdims=True)) / norm
