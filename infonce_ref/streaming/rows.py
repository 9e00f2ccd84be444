"""Map functions over rows in linear memory, some rows at a time or in Dask's blocks; project rows onto the
sphere.
"""

import math
import sys
from collections.abc import Callable, Sequence

from array_api_compat import is_dask_array, is_numpy_namespace

from .. import sphere
from ..arrays import Array, array_namespace
from ..elementary import power_of_two

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


def project_rows(w: Array, temperature: float) -> Sequence[Array]:
    """X (N, d) of the unit rows of w, and ‖w‖ as two factors (N, 1), as in `sphere`."""

    # X = Z / √τ with z = w / ‖w‖, so S = X Xᵀ = Z Zᵀ / τ                     [D3.3]
    def scale(w: Array) -> tuple[Array, ...]:
        to_sphere = sphere.project(w)
        return to_sphere.z / math.sqrt(temperature), to_sphere.length, to_sphere.scale

    return map_rows(scale, w)


def differentiate_by_w(dz: Array, x: Array, length: Array, scale: Array, name: str) -> Array:
    """∂𝓛/∂w (N, d) from ∂𝓛/∂z and the result of `project_rows`. name: what an error message calls the loss."""

    def tangential(dz: Array, x: Array, length: Array, scale: Array) -> tuple[Array]:
        # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                      [M5]
        # √τ x has unit length only up to rounding, but a single feature must be exactly ±1. After division by a
        # power of 2 no square overflows
        xp = array_namespace(x)
        z = x / power_of_two(xp.max(xp.abs(x)))
        to_sphere = sphere.Cache(z / xp.sqrt(xp.sum(z * z, axis=1, keepdims=True)), length, scale)
        return (sphere.backward(to_sphere, dz, f"{name} by w"),)

    (dw,) = map_rows(tangential, dz, x, length, scale)
    return dw


def find_scale(upstream: Array) -> Array:
    """Return a power of 2 near the largest |upstream|. Divide by it first and multiply at the end, because upstream
    multiplies 1/t, which may be as large as e^bound.
    """
    xp = array_namespace(upstream)
    largest = xp.max(xp.abs(upstream))
    return power_of_two(xp.where(largest > 0, largest, xp.ones_like(largest)))
