"""Columns of a batch minus their means, for losses of features instead of rows.

z̄_f = (1/B) Σ_i z_if,   z̃_if = z_if − z̄_f                          [F25]
"""

import functools

from . import double_length, sphere
from .arrays import Array, array_namespace
from .elementary import stable_sum


def center_columns(z: Array) -> Array:
    """Subtract from z (B, d) the mean of each column; a constant column becomes exactly 0. The first row is
    subtracted before the mean is taken, so that a large mean costs no digits.
    """
    differences = z - z[:1, :]
    return differences - (stable_sum(differences, axis=0) / z.shape[0])[None, :]


def find_common(*rows: Array) -> Array:
    """Return for each feature the entry nearest to 0 over all rows of these arrays (…, n, d), as (…, 1, d); 0 if
    signs differ.

    A softmax over keys does not change if one row is subtracted from all of them, and nearly equal rows far from 0
    then keep their digits. The subtraction makes no entry larger.
    """
    xp, some = array_namespace(*rows), [x for x in rows if x.shape[-2]]
    # the smallest entry if it is positive, the largest if it is negative
    least = functools.reduce(xp.minimum, [xp.min(x, axis=-2, keepdims=True) for x in some])
    most = functools.reduce(xp.maximum, [xp.max(x, axis=-2, keepdims=True) for x in some])
    zero = xp.zeros_like(least)
    return xp.maximum(least, zero) + xp.minimum(most, zero)


def chord(z1: Array, z2: Array, first: sphere.Cache, second: sphere.Cache) -> Array:
    """The difference of two views' centred unit columns (d, B), computed by `sphere.chord` from exact differences
    to the first row. Takes the views (B, d) and the caches of `sphere.forward` on their columns.
    """
    xp = array_namespace(z1)
    (x, x_low), (y, y_low) = (
        [xp.matrix_transpose(part) / of.scale for part in double_length.difference(z, z[:1, :])]
        for z, of in ((z1, first), (z2, second))
    )
    ratio = first.length / second.length
    stretched, error = double_length.product(y, ratio)
    apart = (((x - stretched) - error) + (x_low - y_low * ratio)) / first.length
    return sphere.subtract_directions(apart - stable_sum(apart)[:, None] / z1.shape[0], first, second)
