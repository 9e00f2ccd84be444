"""Rows to the unit sphere and back.

z = w / ‖w‖                                          [D3.3]
∂z/∂w = (I − z zᵀ) / ‖w‖                             [D2.11]
"""

from typing import NamedTuple

from .arrays import Array, broken, check


class Cache(NamedTuple):
    """What backward needs: the unit rows z (N, d) and the norms ‖w‖ (N, 1)."""

    z: Array
    norm: Array


def forward(w: Array, name: str = "w") -> tuple[Array, Cache]:
    """Unit rows z = w/‖w‖.

    w: (N, d), float32 or float64, no zero row. Returns z (N, d) and the cache for `backward`.
    name: what an error calls w.
    Each row is divided by its largest entry first, so that no square overflows or vanishes.
    Raises ValueError for a zero row, which has no direction. Source: D2, Eq. 6.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> z, cache = sphere.forward(np.array([[3.0, 4.0]]))
    >>> print(z, cache.norm)
    [[0.6 0.8]] [[5.]]
    """
    xp, _ = check(**{name: (w, "N d")})
    largest = xp.max(xp.abs(w), axis=1, keepdims=True)
    if broken(xp.all(largest > 0)):
        raise ValueError(f"{name} must have no zero row, for its direction does not exist; drop such rows")
    scaled = w / largest
    length = xp.sqrt(xp.sum(scaled * scaled, axis=1, keepdims=True))
    z = scaled / length
    return z, Cache(z, largest * length)


def backward(cache: Cache, dz: Array) -> Array:
    """∂𝓛/∂w (N, d), given dz = ∂𝓛/∂z (N, d): the part of dz that is orthogonal to z, over ‖w‖.

    Raises ValueError for shapes that do not agree, NaN or infinity.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> _, cache = sphere.forward(np.array([[3.0, 0.0]]))
    >>> print(sphere.backward(cache, np.array([[1.0, 6.0]])))
    [[0. 2.]]
    """
    z, norm = cache
    xp, _ = check(dz=(dz, "N d"), z=(z, "N d"))
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                          [D2.11]
    return (dz - z * xp.sum(z * dz, axis=1, keepdims=True)) / norm


def chord(w: Array, v: Array, of_w: Cache, of_v: Cache) -> Array:
    """w/‖w‖ − v/‖v‖ (N, d), row by row, from the rows w, v (N, d) and what `forward` cached of them.

    Rounding errs by about eps·‖w − v‖ / (‖w‖ + ‖v‖), where subtracting the unit rows errs by eps: rows that
    nearly coincide keep their relative accuracy. Raises ValueError where the length of a row overflows.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> w, v = np.array([[1.0, 0.0]]), np.array([[2.0, 2e-20]])
    >>> print(sphere.chord(w, v, sphere.forward(w)[1], sphere.forward(v)[1]))
    [[ 0.e+00 -1.e-20]]
    """
    xp, _ = check(w=(w, "N d"), v=(v, "N d"))
    mean = of_w.norm / 2 + of_v.norm / 2
    if broken(xp.all(xp.isfinite(mean))):
        raise ValueError(f"the length of a row overflows {w.dtype}: scale the rows down, or use float64")
    # With m the mean of the two norms and δ = (w − v)/m, ‖w‖ − ‖v‖ = ⟨w − v, w + v⟩/2m, hence
    # w/‖w‖ − v/‖v‖ = δ − ⟨δ, (w + v)/2m⟩ (w/‖w‖ + v/‖v‖)/2
    difference = (w - v) / mean
    lengthening = xp.sum(difference * ((w + v) / mean / 2), axis=1, keepdims=True)
    return difference - lengthening * (of_w.z + of_v.z) / 2
