"""BYOL's loss: the squared distance between the directions of a prediction and of its target (D3).

    ℓ_i = ‖q_i/‖q_i‖ − z'_i/‖z'_i‖‖² = 2 − 2 cos(q_i, z'_i)             [D3.43]
    𝓛   = (1/n) Σ_i ℓ_i

    q    prediction of the online network, rows of any length but 0             (n, d)
    z'   target of the averaged network, held constant, rows not 0              (n, d)
    𝓛    a squared distance, not nats; 0 ≤ ℓ_i ≤ 4

A zero row has no direction and is refused. The gradient vanishes at the minimum, cos = 1, and also at cos = −1.
"""

from typing import NamedTuple

from .. import sphere
from ..arrays import Array
from ..checks import check
from ..examples import byol_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import declare


class Cache(NamedTuple):
    """prediction: its unit rows and norms · chord (n, d): q/‖q‖ − z'/‖z'‖ or, if the cosine is negative,
    −q/‖q‖ − z'/‖z'‖, which has the same part orthogonal to q · reduction.
    """

    prediction: sphere.Cache
    chord: Array
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂prediction (n, d), orthogonal to each row."""

    prediction: Array


@isolate
def forward(prediction: Array, target: Array, *, reduction: Reduction = "mean") -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, a zero row, NaN or infinity, an unknown reduction ("mean"
    over the n rows, "sum" or "none"). Source: D3, BYOL's loss.

    >>> import numpy as np
    >>> from infonce_ref.losses import byol
    >>> value, cache = byol.forward(np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]]))
    >>> print(f"{value:.2f}")  # 2 − 2 cos, cos = 4/5
    0.40
    >>> print(byol.backward(cache).prediction.round(3))
    [[ 0.192 -0.144]]
    """
    xp, _ = check(prediction=(prediction, "n d"), target=(target, "n d"))
    of_prediction, of_target = sphere.project(prediction, "prediction"), sphere.project(target, "target")
    # 𝓛 = (1/n) Σ ‖q̄ − z̄'‖², which keeps the digits that 2 − 2 cos loses near 0; for a negative cosine
    # 4 − ‖q̄ + z̄'‖²                                                        [D3.43]
    chord, sign = sphere.nearer_chord(prediction, target, of_prediction, of_target)
    distances = sign[:, 0] * xp.sum(chord * chord, axis=1) + 2 * (1 - sign[:, 0])
    return reduce_losses(distances, reduction), Cache(of_prediction, sign * chord, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradient of upstream · 𝓛, from the cache of `forward`."""
    prediction, chord, reduction = cache
    # ∂ℓ/∂q = (I − q̄ q̄ᵀ) 2(q̄ − z̄')/‖q‖ = −(2/‖q‖)(z̄' − cos · q̄)             [M18]
    twice = 2 * split_upstream(upstream, reduction, chord)[:, None]
    return Gradients(sphere.pull_back(prediction, twice * chord))


LOSS = declare(forward, backward, byol_example, stopped={"target": None}, title="BYOL")
