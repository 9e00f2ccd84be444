"""SimSiam's loss: the symmetric negative cosine of each view's prediction and the other's projection (D3).

    D(p, z) = −(p/‖p‖)·(z/‖z‖) = ½ ‖p/‖p‖ − z/‖z‖‖² − 1                 [D3.44]
    ℓ_i = ½ D(p1_i, z2_i) + ½ D(p2_i, z1_i),   𝓛 = (1/n) Σ_i ℓ_i        [D3.45, D3.46]

    p1, p2    predictions of the two views, rows of any length but 0            (n, d)
    z1, z2    projections of the two views, held constant under stop_gradient   (n, d)
    𝓛         a cosine, not nats; −1 ≤ ℓ_i ≤ 1

The stop-gradient keeps the value and sets the gradients of z1 and z2 to 0; the printed formula has no
stop-gradient, the printed algorithm has one. A zero row has no direction and is refused.
"""

from typing import NamedTuple

from .. import sphere
from ..arrays import Array
from ..checks import check
from ..examples import simsiam_example
from ..isolation import isolate
from ..reduction import Reduction, reduce_losses, split_upstream
from ..registry import IllConditioned, declare


class View(NamedTuple):
    """A prediction, the projection that it predicts, chord (n, d) = p/‖p‖ − σ z/‖z‖, and σ (n, 1), the sign of
    their cosine."""

    prediction: sphere.Cache
    projection: sphere.Cache
    chord: Array
    sign: Array


class Cache(NamedTuple):
    """first: p1 with z2 · second: p2 with z1 · whether the gradient stops at z1 and z2 ·
    reduction."""

    first: View
    second: View
    stop_gradient: bool
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂p1, ∂𝓛/∂z1, ∂𝓛/∂p2, ∂𝓛/∂z2 (n, d), orthogonal to each row."""

    p1: Array
    z1: Array
    p2: Array
    z2: Array


@isolate
def forward(
    p1: Array, z1: Array, p2: Array, z2: Array, *, stop_gradient: bool = True, reduction: Reduction = "mean"
) -> tuple[Array, Cache]:
    """The loss, a 0-d array, and the cache for `backward`.

    Raises ValueError for shapes that do not agree, a zero row, NaN or infinity, a stop_gradient that is neither
    True nor False, an unknown reduction ("mean" over the n items, "sum" or "none").
    Source: D3, SimSiam's symmetric loss and Algorithm 1, which takes the mean over the batch.

    >>> import numpy as np
    >>> from infonce_ref.losses import simsiam
    >>> p, z = np.array([[3.0, 4.0]]), np.array([[0.0, 2.0]])
    >>> print(f"{simsiam.forward(p, z, p, z)[0]:.2f}")  # −cos
    -0.80
    >>> _, cache = simsiam.forward(p, z, p, z)
    >>> print(simsiam.backward(cache).p1.round(3))
    [[ 0.048 -0.036]]
    """
    xp, _ = check(p1=(p1, "n d"), z1=(z1, "n d"), p2=(p2, "n d"), z2=(z2, "n d"))
    first, second = view(p1, z2, "p1", "z2"), view(p2, z1, "p2", "z1")
    # ℓ = ½ D(p1, z2) + ½ D(p2, z1)                                           [D3.45]
    cosines = sum(xp.sum(side.prediction.z * side.projection.z, axis=1) for side in (first, second))
    return reduce_losses(-cosines / 2, reduction), Cache(first, second, stop_gradient, reduction)


def view(p: Array, z: Array, prediction: str, projection: str) -> View:
    """The directions of both rows, and their difference up to sign; the names are for error messages."""
    of_p, of_z = sphere.project(p, prediction), sphere.project(z, projection)
    return View(of_p, of_z, *sphere.nearer_chord(p, z, of_p, of_z))


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    first, second, stop_gradient, reduction = cache
    through = 0.0 if stop_gradient else 1.0
    scale = split_upstream(upstream, reduction, first.chord)[:, None] / 2
    # ∂D/∂p = (I − p̄ p̄ᵀ) σ (p̄ − σ z̄)/‖p‖ = −(z̄ − cos · p̄)/‖p‖,  ∂D/∂z = −(I − z̄ z̄ᵀ)(p̄ − σ z̄)/‖z‖    [M19]
    along, back = (scale * side.chord for side in (first, second))
    p1 = sphere.pull_back(first.prediction, first.sign * along)
    z2 = sphere.pull_back(first.projection, -through * along)
    p2 = sphere.pull_back(second.prediction, second.sign * back)
    z1 = sphere.pull_back(second.projection, -through * back)
    return Gradients(p1, z1, p2, z2)


LOSS = declare(
    forward,
    backward,
    simsiam_example,
    ill_conditioned={"value": IllConditioned("cosines cross 0", "Σ_if |p̄_if z̄_if| / |Σ_if p̄_if z̄_if|")},
    stopped={"z1": "stop_gradient", "z2": "stop_gradient"},
    title="SimSiam",
)
