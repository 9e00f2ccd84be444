"""Uniformity: the logarithm of the mean Gaussian kernel of all pairs of rows (F).

    D_ij = ‖z_i − z_j‖²                                                 [F19]
    𝓛    = log( (1/(N(N−1))) Σ_{i≠j} e^{−t D_ij} )                      [F19]
    κ_ij = e^{−t D_ij} / Σ_{m≠n} e^{−t D_mn} at i ≠ j                    [F20]
    ∂𝓛/∂z_i = 4t Σ_j κ_ij (z_j − z_i)                                   [F20]

    z    rows of any length; usually on the sphere                              (N, d)
    t    how fast the kernel falls with distance; for unit rows 1/(2τ)          > 0
    κ    share of each ordered pair in the kernel                               (N, N)
    𝓛    nats, ≤ 0; 0 if all rows are equal, and at least −4t for unit rows

Each row is pushed from every other, most from the nearest, and the more so the larger t is. Rows that coincide do
not push each other, so that a batch of equal rows has gradient 0. `alignment` is its counterpart [R16].
"""

import math
from typing import Any, NamedTuple

from ..arrays import Array, array_namespace, detach
from ..checks import check, check_finite, check_positive
from ..elementary import identity_mask
from ..examples import uniformity_example
from ..isolation import isolate
from ..registry import declare


class Cache(NamedTuple):
    """z (N, d) · share (N, N): κ, 0 on the diagonal · t."""

    z: Array
    share: Array
    t: float


class Gradients(NamedTuple):
    """∂𝓛/∂z (N, d), whose rows sum to 0."""

    z: Array


@isolate
def forward(z: Array, *, t: float) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    Raises ValueError for fewer than two rows, NaN or infinity, a t that is not positive and finite.
    Source: Wang and Isola (2020), "Understanding contrastive representation learning through alignment and
    uniformity on the hypersphere", Sec. 4.1.2.

    >>> import numpy as np
    >>> from infonce_ref.losses import uniformity
    >>> print(f"{uniformity.forward(np.eye(3), t=2.0)[0]:.1f}")  # every D is 2
    -4.0
    >>> _, cache = uniformity.forward(np.array([[0.0], [1.0]]), t=2.0)
    >>> print(uniformity.backward(cache).z.T)
    [[ 4. -4.]]
    """
    xp, size = check(z=(z, "N d"))
    if size["N"] < 2:
        raise ValueError("z must hold at least two rows, or there is no pair; got 1: add rows")
    sharpness = check_positive("t", t)
    # D_ij = ‖z_i − z_j‖², a difference before any square: rows that nearly coincide keep their digits    [F19]
    itself = identity_mask(z, size["N"])
    distances = sum(gap * gap for gap in gaps(z))
    farther = xp.where(itself, xp.full_like(distances, math.inf), distances)
    nearest = detach(xp.min(farther))
    # −t D minus its largest value: no positive number is exponentiated; κ is 0 on the diagonal   [F19, F20]
    exponents = -sharpness * (farther - nearest)
    kernel = xp.exp(exponents)
    total = xp.sum(kernel)
    # log of the mean; near 0 as log(1 + mean of (e^x − 1)), which keeps its digits
    count = size["N"] * (size["N"] - 1)
    less = xp.sum(xp.where(itself, xp.zeros_like(kernel), xp.expm1(exponents))) / count
    mean = xp.where(less > -0.5, xp.log1p(less), xp.log(total / count))
    return mean - sharpness * nearest, Cache(z, kernel / total, sharpness)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradient of upstream · 𝓛, from the cache of `forward`."""
    z, share, t = cache
    xp = array_namespace(z)
    # ∂𝓛/∂z_i = 4t Σ_j κ_ij (z_j − z_i), feature by feature                     [F20]
    columns = [-xp.sum(share * gap, axis=1) for gap in gaps(z)]
    scale = 4 * check_finite("upstream", upstream) * t
    return Gradients(scale * xp.stack(columns, axis=1))


def gaps(z: Array) -> Any:
    """z_if − z_jf (N, N) of each feature f, one after the other in the memory of one such matrix."""
    return (z[:, f][:, None] - z[:, f][None, :] for f in range(z.shape[1]))


LOSS = declare(
    forward,
    backward,
    uniformity_example,
    variants=({"t": 0.01}, {"t": 30.0}, {"t": 1000.0}),
    kinds={"t": "inverse squared length"},
    drawn={"t": (1e-3, 1e3)},
    tried={"t": (1.0, 1, 2.0, 2, 5, 1e4, 1e5)},
    compares=True,
)
