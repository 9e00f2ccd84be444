"""CLIP tile by tile: `losses.clip`, which has the equations."""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_positive
from ..elementary import identity_mask
from ..isolation import isolate
from ..losses.clip import LOSS as PLAIN
from ..losses.clip import Gradients as Gradients
from ..reduction import Reduction, reduce_losses, split_upstream
from . import engine, tiles
from .sums import Softmax, compute_losses, weight


class Cache(NamedTuple):
    """scores: the tiles of S, of image/τ and text · rows, columns: their softmax, no columns if
    symmetric=False · τ · reduction."""

    scores: "engine.Plan"
    rows: Softmax
    columns: Softmax | None
    temperature: float
    reduction: Reduction


@isolate
def forward(
    image: Array,
    text: Array,
    *,
    temperature: float,
    symmetric: bool = True,
    reduction: Reduction = "mean",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.clip` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.clip` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import clip
    >>> value, cache = clip.forward(np.eye(3), np.eye(3), temperature=1.0, tile=2)
    >>> print(f"{value:.6f} nats")
    0.551445 nats
    >>> print(clip.backward(cache).image[0].round(4))
    [-0.1413  0.0706  0.0706]
    """
    xp, _ = check(image=(image, "B d"), text=(text, "B d"))
    tile = engine.check_tile(tile, xp)
    tau = check_positive("temperature", temperature)
    # S = X Yᵀ / τ, the pairs on its diagonal                                 [M17]
    scores = engine.plan(image / tau, text, tile, progress, excluded=identity_mask)
    positive = xp.linalg.vecdot(scores.rows, text)
    # the cross-entropy of each row [M41, S1], or half of it and half that of each column [M17]
    of_rows, *of_columns = scores.sums(of_columns=symmetric)
    losses, rows = compute_losses(positive, of_rows)
    columns = None
    if symmetric:
        column_losses, columns = compute_losses(positive, *of_columns)
        losses = (losses + column_losses) / 2
    return reduce_losses(losses, reduction), Cache(scores, rows, columns, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    scores, rows, columns, tau, reduction = cache
    xp = array_namespace(scores.rows)
    share = split_upstream(upstream, reduction, rows.q) / (1 if columns is None else 2)
    rows, columns = weight(rows, share), columns and weight(columns, share)
    # M = P^r − I or ½ (P^r + P^c − 2I), row i of P^r and column i of P^c times the upstream of pair i: P off the
    # diagonal tile by tile, P − 1 = −q on it                                 [M41, M17, S2]
    dimage, dtext = scores.products(rows, columns)
    diagonal = (rows.q if columns is None else rows.q + columns.q)[:, None]
    # ∂𝓛/∂X = M Y / τ,  ∂𝓛/∂Y = Mᵀ X / τ,  ∂𝓛/∂τ = −⟨X/τ, ∂𝓛/∂X⟩              [M17]
    dimage -= diagonal * scores.columns
    dimage /= tau
    dtext -= diagonal * scores.rows  # which are image/τ
    return Gradients(dimage, dtext, -xp.sum(scores.rows * dimage))


LOSS = engine.declare(PLAIN, forward, backward)
