"""Alignment: the mean distance of two views, to a power (F).

    ℓ_i = ‖z_i − z'_i‖^α                                                [F12]
    𝓛   = (1/B) Σ_i ℓ_i                                                 [F12]
    ∂ℓ_i/∂z_i = α ‖z_i − z'_i‖^{α−2} (z_i − z'_i) = −∂ℓ_i/∂z'_i         [F13]

    z    one view, rows of any length                                           (B, d)
    z'   the other; row i of each a pair                                        (B, d)
    α    exponent                                                               > 0
    𝓛    a distance to the power α, not nats; ℓ_i ≥ 0

If a pair coincides there is no derivative at α ≤ 1, and the slopes near it are unbounded at α < 1. The gradient
is defined as 0 there for every α, so that a pair whose loss is 0 is stationary. At α < 2 there is no second
derivative: PyTorch's bridge refuses it, JAX's returns NaN. At α = 2 the loss of unit rows is that of `byol`,
here differentiated by both views. Alone it is minimised by equal rows: `uniformity` is its counterpart [R16].
"""

from typing import NamedTuple

from ..arrays import Array, is_recorded
from ..checks import check, check_positive, is_broken
from ..elementary import power_of_two
from ..examples import alignment_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import declare


class Cache(NamedTuple):
    """For each pair the direction of z − z' (B, d), 0 if its rows coincide, and ∂ℓ/∂‖z − z'‖ (B,), not used if they
    do · reduction.
    """

    direction: Array
    slope: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂z1 (B, d) and ∂𝓛/∂z2 = −∂𝓛/∂z1."""

    z1: Array
    z2: Array


@isolate
def forward(z1: Array, z2: Array, *, exponent: float, reduction: Reduction = "mean") -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for unequal shapes, NaN or infinity, an exponent that is not positive and finite, an unknown
    reduction ("mean" over the B pairs, "sum" or "none").
    Source: Wang and Isola (2020), "Understanding contrastive representation learning through alignment and
    uniformity on the hypersphere", Sec. 4.1.1.

    >>> import numpy as np
    >>> from infonce_ref.losses import alignment
    >>> z1, z2 = np.array([[3.0, 0.0], [1.0, 1.0]]), np.array([[0.0, 4.0], [1.0, 1.0]])
    >>> print(*(alignment.forward(z1, z2, exponent=a)[0] for a in (1.0, 2.0)))
    2.5 12.5
    >>> print(alignment.backward(alignment.forward(z1, z2, exponent=2.0)[1]).z1)
    [[ 3. -4.]
     [ 0.  0.]]
    """
    xp, _ = check(z1=(z1, "B d"), z2=(z2, "B d"))
    alpha = check_positive("exponent", exponent)
    # ‖z − z'‖, scaled by a power of 2 so that no square overflows or vanishes
    apart = z1 - z2
    largest = xp.max(xp.abs(apart), axis=1, keepdims=True)
    scale = power_of_two(xp.where(largest > 0, largest, xp.ones_like(largest)))
    scaled = apart / scale
    differ = largest > 0
    if is_recorded(apart) and alpha < 2 and is_broken(xp.all(differ)):
        raise ValueError(
            "alignment has no second derivative where a row of z1 is that of z2 at an exponent below 2: drop such "
            "pairs, or take the exponent 2"
        )
    # replace a length of 0 by 1, because √ has no slope at 0
    squares = xp.sum(scaled * scaled, axis=1, keepdims=True)
    length = xp.sqrt(xp.where(differ, squares, xp.ones_like(squares)))
    # at α = 2 the gradient is 2 (z − z'), with slope 2 at 0 too; for α < 2 it is a constant 0 there, since
    # √x² has the slope NaN
    at_kink = xp.where(differ | (alpha >= 2), xp.ones_like(scaled), scaled)
    resting = xp.where(differ | (alpha >= 2), xp.zeros_like(scaled), xp.sqrt(at_kink * at_kink))
    direction = xp.where(differ | (alpha == 2), scaled / length, resting)
    differ = differ[:, 0]
    distance = xp.where(differ, (length * scale)[:, 0], xp.zeros_like(scale[:, 0]))
    # ℓ_i = ‖z_i − z'_i‖^α,  ∂ℓ_i/∂‖z_i − z'_i‖ = α ‖z_i − z'_i‖^{α−1}            [F12, F13]
    value = reduce_losses(distance**alpha, reduction)
    slope = alpha * xp.where(differ, distance, xp.ones_like(distance)) ** (alpha - 1)
    return value, Cache(direction, slope, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    direction, slope, reduction = cache
    # ∂𝓛/∂z = slope · (z − z')/‖z − z'‖, each row times its pair's upstream      [F13]
    dz1 = (split_upstream(upstream, reduction, slope) * slope)[:, None] * direction
    return Gradients(dz1, -dz1)


LOSS = declare(
    forward,
    backward,
    alignment_example,
    variants=({"exponent": 1.0}, {"exponent": 0.5}, {"exponent": 3.0}),
    drawn={"exponent": (0.25, 3.0)},
    tried={"exponent": (1.0, 1, 2.0, 2, 3, 4.0, 4, 0.5)},
)
