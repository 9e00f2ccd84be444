"""What is done row by row in linear memory: onto the sphere and back, a few rows at a time, or in Dask's blocks."""

import math
from collections.abc import Callable, Sequence

from array_api_compat import array_namespace, is_dask_array

from .. import sphere
from ..arrays import Array, device
from ..elementary import power_of_two

BLOCK = 4096  # rows at a time, so that temporaries stay small; even: no two rows side by side are cut


def row_by_row(function: Callable[..., tuple[Array, ...]], *arrays: Array) -> Sequence[Array]:
    """function(*arrays), of which each row depends on these rows alone, and its partner's if that is beside it:
    computed now, a few rows at a time, or in Dask's own blocks."""
    if is_dask_array(arrays[0]):
        from . import cluster  # Dask is there, as its array is

        return cluster.held(*function(*arrays))
    xp, n = array_namespace(*arrays), arrays[0].shape[0]
    if n <= BLOCK:
        return function(*arrays)
    whole: list[Array] = []
    for k in range(0, n, BLOCK):
        rows = slice(k, min(k + BLOCK, n))
        parts = function(*(x[rows, ...] for x in arrays))
        whole = whole or [xp.empty((n, *x.shape[1:]), dtype=x.dtype, device=device(x)) for x in parts]
        for x, part in zip(whole, parts):
            x[rows, ...] = part
    return whole


def on_sphere(w: Array, temperature: float) -> Sequence[Array]:
    """X (N, d) of the unit rows of w, and ‖w‖ in two factors (N, 1), as in `sphere`."""

    # X = Z / √τ with z = w / ‖w‖, so S = X Xᵀ = Z Zᵀ / τ                     [D3.3]
    def scaled(w: Array) -> tuple[Array, ...]:
        to_sphere = sphere.project(w)
        return to_sphere.z / math.sqrt(temperature), to_sphere.length, to_sphere.scale

    return row_by_row(scaled, w)


def by_w(dz: Array, x: Array, length: Array, scale: Array, name: str) -> Array:
    """∂𝓛/∂w (N, d), from ∂𝓛/∂z and what `on_sphere` gave. name: whose gradient, for an error."""

    def tangential(dz: Array, x: Array, length: Array, scale: Array) -> tuple[Array]:
        # ∂𝓛/∂w = (I − z zᵀ) ∂𝓛/∂z / ‖w‖                                      [M5]
        # unit rows from x, not √τ x, whose length rounding makes another than 1: a single feature is ±1
        z = sphere.project(x).z
        to_sphere = sphere.Cache(z, length, scale)
        return (sphere.backward(to_sphere, dz, f"{name} by w"),)

    (dw,) = row_by_row(tangential, dz, x, length, scale)
    return dw


def size_of(upstream: Array) -> Array:
    """A power of 2 near the largest upstream, to be taken off and put back at the end: in between it would multiply
    1/t, which may be as large as e^bound."""
    xp = array_namespace(upstream)
    largest = xp.max(xp.abs(upstream))
    return power_of_two(xp.where(largest > 0, largest, xp.ones_like(largest)))
