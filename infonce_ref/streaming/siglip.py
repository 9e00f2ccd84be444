"""SigLIP tile by tile: `losses.siglip`, which has the equations.

Each score has a sigmoid of its own, so each tile is independent; the pairs, on the diagonal, are computed row by
row.
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_finite, check_positive
from ..elementary import identity_mask, sigmoid, softplus
from ..isolation import isolate
from ..losses.siglip import LOSS as PLAIN
from ..losses.siglip import Gradients as Gradients
from ..reduction import Reduction, reduce_losses, split_upstream
from . import engine, tiles
from .sums import Logistic


class Cache(NamedTuple):
    """scores: the tiles of L, of image/τ and text, without the pairs · bias (B,): b of each row · pushes (B,): the
    sum of each row's σ(L_ij + b) over j ≠ i · pulls (B,): σ(−L_ii − b) · τ · reduction."""

    scores: "engine.Plan"
    bias: Array
    pushes: Array
    pulls: Array
    temperature: float
    reduction: Reduction


@isolate
def forward(
    image: Array,
    text: Array,
    *,
    temperature: float,
    bias: float,
    reduction: Reduction = "mean",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.siglip` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.siglip` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import siglip
    >>> value, cache = siglip.forward(np.eye(3), np.eye(3), temperature=0.1, bias=-5.0, tile=2)
    >>> print(f"{value:.6f} nats")
    0.020146 nats
    >>> print(siglip.backward(cache).image[0].round(4), siglip.backward(cache).bias.round(4))
    [-0.0223  0.0223  0.0223] 0.0067
    """
    xp, _ = check(image=(image, "B d"), text=(text, "B d"))
    tile = engine.check_tile(tile, xp)
    tau, b = check_positive("temperature", temperature), check_finite("bias", bias)
    # L = X Yᵀ / τ, the pairs on its diagonal                                 [M17]
    scores = engine.plan(image / tau, text, tile, progress, excluded=identity_mask)
    pair = -xp.linalg.vecdot(scores.rows, text) - b
    bias_of_rows = xp.zeros_like(pair) + b
    others, pushes = (sums.total for sums in scores.sums(shift=bias_of_rows))
    # ℓ_i = softplus(−L_ii − b) + Σ_{j≠i} softplus(L_ij + b)                  [F9, S1]
    value = reduce_losses(softplus(pair) + others, reduction)
    return value, Cache(scores, bias_of_rows, pushes, sigmoid(pair), tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    scores, bias, pushes, pulls, tau, reduction = cache
    xp = array_namespace(scores.rows)
    each = split_upstream(upstream, reduction, pulls)
    # G = σ(L + b) − 1[i = j], each row times its image's upstream: σ tile by tile off the diagonal, −σ(−L − b) on
    # it                                                                      [F10, S2]
    dimage, dtext = scores.products(Logistic(bias, each))
    pull = (each * pulls)[:, None]
    # ∂𝓛/∂X = G Y / τ,  ∂𝓛/∂Y = Gᵀ X / τ,  ∂𝓛/∂τ = −⟨X/τ, ∂𝓛/∂X⟩,  ∂𝓛/∂b = Σ G   [F10]
    dimage -= pull * scores.columns
    dimage /= tau
    dtext -= pull * scores.rows  # which are image/τ
    dtau, dbias = -xp.sum(scores.rows * dimage), xp.sum(each * pushes - each * pulls)
    return Gradients(dimage, dtext, dtau, dbias)


LOSS = engine.declare(PLAIN, forward, backward)
