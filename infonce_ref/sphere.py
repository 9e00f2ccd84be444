"""Rows to the unit sphere and back.

z = w / ‖w‖                                          [D3.3]
∂z/∂w = (I − z zᵀ) / ‖w‖                             [D2.11]
"""

from typing import NamedTuple

from . import double_length
from .arrays import Array, array_namespace
from .checks import check, check_gradients, is_broken
from .elementary import power_of_two
from .isolation import unshare


class Cache(NamedTuple):
    """The unit rows z (N, d), and ‖w‖ as a product of two factors (N, 1), because ‖w‖ may overflow the dtype:
    scale, a power of 2, and length, between 1 and 2√d.
    """

    z: Array
    length: Array
    scale: Array

    @property
    def norm(self) -> Array:
        """‖w‖ (N, 1)."""
        return self.length * self.scale


def forward(w: Array, name: str = "w") -> tuple[Array, Cache]:
    """Unit rows z = w/‖w‖.

    w: (N, d), float32 or float64, no zero row. Returns z (N, d) and the cache for `backward`.
    name: what an error message calls w.
    Raises ValueError for a zero row, which has no direction. Source: D2, Eq. 6.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> z, cache = sphere.forward(np.array([[3.0, 4.0]]))
    >>> print(z, cache.norm)
    [[0.6 0.8]] [[5.]]
    """
    check(**{name: (w, "N d")})
    cache = project(w, name)
    return unshare((cache.z, cache), (w,))


def project(w: Array, name: str = "w") -> Cache:
    """Return only the cache of `forward`, from rows that a loss has checked; it reads z without a copy.

    Each row is scaled by a power of 2 first, so that no square overflows or vanishes.
    """
    xp = array_namespace(w)
    largest = xp.max(xp.abs(w), axis=1, keepdims=True)
    if is_broken(xp.all(largest > 0)):
        raise ValueError(f"{name} must have no zero row, which has no direction; drop such rows")
    scale = power_of_two(largest)
    scaled = w / scale
    length = xp.sqrt(xp.sum(scaled * scaled, axis=1, keepdims=True))
    return Cache(scaled / length, length, scale)


def backward(cache: Cache, dz: Array) -> Array:
    """∂𝓛/∂w (N, d), given dz = ∂𝓛/∂z (N, d): the part of dz that is orthogonal to z, divided by ‖w‖.

    Raises ValueError for shapes that do not agree, and for a gradient that is not finite, because dz holds NaN or
    because rows are so short that it overflows.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> _, cache = sphere.forward(np.array([[3.0, 0.0]]))
    >>> print(sphere.backward(cache, np.array([[1.0, 6.0]])))
    [[0. 2.]]
    """
    if dz.shape != cache.z.shape:
        raise ValueError(f"dz must have shape {tuple(cache.z.shape)}, as z has; got {tuple(dz.shape)}")
    return check_gradients("sphere", Gradients(pull_back(cache, dz))).w


class Gradients(NamedTuple):
    """∂𝓛/∂w (N, d)."""

    w: Array


def pull_back(cache: Cache, dz: Array) -> Array:
    """`backward` without its checks: a loss checks all its gradients together."""
    z, length, scale = cache
    # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                          [D2.11]
    return (dz - z * array_namespace(z, dz).sum(z * dz, axis=1, keepdims=True)) / length / scale


def chord(w: Array, v: Array, of_w: Cache, of_v: Cache) -> Array:
    """w/‖w‖ − v/‖v‖ (N, d), row by row, from the rows w, v (N, d) and what `forward` cached of them.

    The error is about eps·‖w/‖w‖ − v/‖v‖‖; subtracting the unit rows would have an error of eps. So directions that
    nearly coincide keep their relative accuracy, for any lengths.
    """
    # v' = ‖w‖/‖v‖ · v has w's length, up to rounding; w − v' is accurate because the product has twice the digits
    stretched, error = double_length.product(v / of_v.scale, of_w.length / of_v.length)
    return subtract_directions(((w / of_w.scale - stretched) - error) / of_w.length, of_w, of_v)


def nearer_chord(w: Array, v: Array, of_w: Cache, of_v: Cache) -> tuple[Array, Array]:
    """w/‖w‖ − σ v/‖v‖ (N, d) and σ (N, 1), the sign of the rows' cosine: `chord` to the nearer of ±v. Its part
    orthogonal to w is that of −σ v/‖v‖, and its part orthogonal to v that of w/‖w‖, with full relative accuracy at
    cos = −1 as well as at cos = 1.
    """
    xp = array_namespace(w, v)
    one = xp.ones_like(of_w.length)
    sign = xp.where(xp.sum(of_w.z * of_v.z, axis=1, keepdims=True) < 0, -one, one)
    return chord(w, sign * v, of_w, of_v._replace(z=sign * of_v.z)), sign


def subtract_directions(difference: Array, of_w: Cache, of_v: Cache) -> Array:
    """w/‖w‖ − v/‖v‖ (N, d), given δ = (w − v')/‖w‖, where v' has w's length up to rounding. With m the mean of both
    unit rows, ⟨δ, m⟩ is the relative amount by which w is longer.
    """
    xp = array_namespace(difference)
    middle = (of_w.z + of_v.z) / 2
    return difference - xp.sum(difference * middle, axis=1, keepdims=True) * middle
