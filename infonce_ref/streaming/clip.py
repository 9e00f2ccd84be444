"""CLIP (D3) tile by tile: the value and gradients of `losses.clip` in linear memory.

S_ij = x_i·y_j / τ                                                  [M17]
ℓ_i = ½ [−log softmax_j(S_ij)_i − log softmax_j(S_ji)_i]            [M17]
𝓛 = (1/B) Σ_i ℓ_i,   ∂𝓛/∂S = (P^r + P^c − 2I) / (2B)                [M17]

x    images                                                                 (B, d)
y    texts; text i belongs to image i                                       (B, d)
P^r  softmax over the texts of each row, P^c over the images of each column (B, B)
τ    temperature                                                            > 0
ℓ_i  of pair i: half its image's row and half its text's column             nats

With symmetric=False the rows alone are left: ℓ_i = −log softmax_j(S_ij)_i, and ∂𝓛/∂S = (P^r − I) / B  [M41].
"""

from typing import NamedTuple

from ..arrays import Array, array_namespace
from ..checks import check, check_choice, check_gradients, check_positive, check_value
from ..elementary import identity_mask
from ..examples import clip_example
from ..isolation import isolate
from ..reduction import Reduction, check_reduction, reduce_losses, split_upstream
from ..registry import Loss
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


class Gradients(NamedTuple):
    """∂𝓛/∂image, ∂𝓛/∂text (B, d) and ∂𝓛/∂τ (0-d)."""

    image: Array
    text: Array
    temperature: Array


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
    """The loss in nats, a 0-d array, and the cache for `backward`.

    symmetric: whether the columns count as much as the rows; False leaves the rows alone.
    The arrays may be memory-mapped. tile: the side of a tile in rows;
    chosen from the cache if None. progress(done, to_do): called after each round of tiles, of either pass.
    Raises ValueError for unequal shapes, NaN or infinity, a temperature that is not positive and finite, a
    symmetric that is neither True nor False, an unknown reduction, a tile below 1, JAX arrays.
    Source: Radford et al. (2021), "Learning transferable visual models from natural language supervision",
    Figure 3.

    >>> import numpy as np
    >>> from infonce_ref.streaming import clip
    >>> value, _ = clip.forward(np.eye(3), np.eye(3), temperature=1.0, tile=2)
    >>> print(f"{value:.6f} nats")
    0.551445 nats
    """
    xp, _ = check(image=(image, "B d"), text=(text, "B d"))
    tile = engine.check_tile(tile, xp)
    tau = check_positive("temperature", temperature)
    check_choice("symmetric", symmetric, (True, False))
    check_reduction(reduction)
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
    value = check_value("clip", reduce_losses(losses, reduction))
    return value, Cache(scores, rows, columns, tau, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`.

    >>> import numpy as np
    >>> from infonce_ref.streaming import clip
    >>> _, cache = clip.forward(np.eye(3), np.eye(3), temperature=1.0, tile=2)
    >>> print(clip.backward(cache).image[0].round(4))
    [-0.1413  0.0706  0.0706]
    """
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
    return check_gradients("clip", Gradients(dimage, dtext, -xp.sum(scores.rows * dimage)))


LOSS = Loss(
    name="clip",
    forward=forward,
    backward=backward,
    differentiable=("image", "text", "temperature"),
    example=clip_example,
    variants=({"reduction": "sum"}, {"reduction": "none"}, {"tile": 3}, {"symmetric": False}),
)
