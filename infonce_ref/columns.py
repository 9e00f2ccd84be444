"""The columns of a batch, less their means: what the losses share that look at features, not at rows.

z̄_f = (1/B) Σ_i z_if,   z̃_if = z_if − z̄_f                          [F25]
"""

import functools

from array_api_compat import array_namespace

from . import double_length, sphere
from .arrays import Array
from .elementary import stable_sum


def centred(z: Array) -> Array:
    """z (B, d) less the mean of each column; a constant column is exactly 0.

    The first row is taken off first: what is left of it are differences, which a large mean costs no digits.

    >>> import numpy as np
    >>> from infonce_ref.columns import centred
    >>> print(centred(np.array([[1.0, 5.0], [3.0, 5.0]])))
    [[-1.  0.]
     [ 1.  0.]]
    """
    differences = z - z[:1, :]
    return differences - (stable_sum(differences, axis=0) / z.shape[0])[None, :]


def common(*rows: Array) -> Array:
    """What all rows of these arrays (…, n, d) have in common of each feature, (…, 1, d): where all are of one sign
    the entry nearest to 0, else 0.

    A softmax over keys does not change when one row is taken off all of them, and rows far from 0 and near to one
    another then keep their digits; no entry less what is common is larger than before.

    >>> import numpy as np
    >>> from infonce_ref.columns import common
    >>> print(common(np.array([[100.0, -1.0, -7.0]]), np.array([[103.0, 2.0, -9.0]])))
    [[100.   0.  -7.]]
    """
    xp, some = array_namespace(*rows), [x for x in rows if x.shape[-2]]
    # the least entry where it is above 0, the largest where it is below
    least = functools.reduce(xp.minimum, [xp.min(x, axis=-2, keepdims=True) for x in some])
    most = functools.reduce(xp.maximum, [xp.max(x, axis=-2, keepdims=True) for x in some])
    zero = xp.zeros_like(least)
    return xp.maximum(least, zero) + xp.minimum(most, zero)


def chord(z1: Array, z2: Array, first: sphere.Cache, second: sphere.Cache) -> Array:
    """The difference of two views' centred columns, each of length 1 (d, B), given the views (B, d) and what
    `sphere.forward` cached of those columns: `sphere.chord`, from differences to the first row that nothing rounds.

    >>> import numpy as np
    >>> from infonce_ref import sphere
    >>> from infonce_ref.columns import centred, chord
    >>> z1, z2 = np.array([[9.0], [8.0], [7.0]]), np.array([[9.0], [8.0 + 2**-40], [7.0]])
    >>> caches = [sphere.forward(centred(z).T)[1] for z in (z1, z2)]
    >>> print((chord(z1, z2, *caches) * 2**40).round(4))
    [[ 0.2357 -0.4714  0.2357]]
    """
    xp = array_namespace(z1)
    (x, x_low), (y, y_low) = (
        [xp.matrix_transpose(part) / of.scale for part in double_length.difference(z, z[:1, :])]
        for z, of in ((z1, first), (z2, second))
    )
    ratio = first.length / second.length
    stretched, error = double_length.product(y, ratio)
    apart = (((x - stretched) - error) + (x_low - y_low * ratio)) / first.length
    return sphere.evened(apart - stable_sum(apart)[:, None] / z1.shape[0], first, second)
