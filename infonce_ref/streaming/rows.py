"""Map functions over rows in linear memory, some rows at a time or in Dask's blocks; project rows onto the
sphere.
"""

import math
import sys
from collections.abc import Callable, Sequence

from array_api_compat import is_dask_array, is_numpy_namespace, is_torch_array

from .. import sphere
from ..arrays import Array, array_namespace

BLOCK = 4096  # rows at a time, so that temporaries stay small; even, so that adjacent partners stay together


def map_rows(function: Callable[..., tuple[Array, ...]], *arrays: Array) -> Sequence[Array]:
    """Compute function(*arrays), whose row i depends only on row i of each array, or on an adjacent partner's too:
    NumPy's rows a few at a time, Dask's in their own blocks.
    """
    if is_dask_array(arrays[0]):
        return sys.modules["dask"].persist(*function(*arrays))
    xp, n = array_namespace(*arrays), arrays[0].shape[0]
    if n <= BLOCK or not is_numpy_namespace(xp):  # a GPU takes longer to start a block than to compute it
        return function(*arrays)
    whole: list[Array] = []
    for k in range(0, n, BLOCK):
        rows = slice(k, min(k + BLOCK, n))
        parts = function(*(x[rows, ...] for x in arrays))
        whole = whole or [xp.empty((n, *x.shape[1:]), dtype=x.dtype) for x in parts]
        for x, part in zip(whole, parts):
            x[rows, ...] = part
    return whole


def take(x: Array, order: Array) -> Array:
    """Copy rows of x in this order."""
    # array_api_compat's take allows for negative numbers: four kernels on a GPU in place of one
    return x[order] if is_torch_array(x) else array_namespace(x).take(x, order, axis=0)


def project_rows(w: Array, temperature: float) -> Sequence[Array]:
    """X (N, d) of the unit rows of w, and ‖w‖ as two factors (N, 1), as in `sphere`."""

    # X = Z / √τ with z = w / ‖w‖, so S = X Xᵀ = Z Zᵀ / τ                     [D3.3]
    def scale(w: Array) -> tuple[Array, ...]:
        to_sphere = sphere.project(w)
        return to_sphere.z / math.sqrt(temperature), to_sphere.length, to_sphere.scale

    return map_rows(scale, w)


def differentiate_by_w(dz: Array, x: Array, length: Array, scale: Array, temperature: float) -> Array:
    """∂𝓛/∂w (N, d) from ∂𝓛/∂z and the result of `project_rows`."""
    near_root = 2.0 ** round(math.log2(temperature) / 2)

    def tangential(dz: Array, x: Array, length: Array, scale: Array) -> tuple[Array]:
        # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                      [M5]
        # √τ x has unit length only up to rounding, but a single feature must be exactly ±1. A power of 2 near √τ
        # keeps every digit, and no square overflows
        z = x * near_root
        root = array_namespace(x).sqrt(array_namespace(x).sum(z * z, axis=1, keepdims=True))
        return (sphere.pull_back(sphere.Cache(z / root, length, scale), dz),)

    (dw,) = map_rows(tangential, dz, x, length, scale)
    return dw


def find_scale(upstream: Array) -> float:
    """Return a power of 2 near the largest |upstream|. Divide by it first and multiply at the end, because upstream
    multiplies 1/t, which may be as large as e^bound.
    """
    xp = array_namespace(upstream)
    _, exponent = math.frexp(float(xp.max(xp.abs(upstream))))
    return 2.0 ** (exponent - 1)
