"""DCL, the decoupled contrastive loss (F), tile by tile: `losses.dcl` in linear memory.

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖),   L = s/τ                           [D3.3]
    ℓ_i  = log Σ_{j≠i,p} e^{L_ij} − L_ip,   p = p(i)                    [F1]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [F1]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats; may be negative

It is `ntxent` without its softplus, and so without its q, the weight of the negatives, which is 1 here [F3].
How the tiles are made and used is told at the head of `tiles.py`. What cancels by nature, `losses.dcl` says.
"""

from typing import NamedTuple, get_args

from ..arrays import Array
from ..checks import check, check_choice, check_gradients, check_positive, check_value
from ..examples import ntxent_example
from ..isolation import isolate
from ..pairs import Layout, pair_count, some_negative
from ..reduction import Reduction, known, reduced, upstream_of_each
from ..registry import Loss
from . import rows, tiles, two_views


class Cache(NamedTuple):
    """length, scale: ‖w‖ in two factors (N, 1), as in `sphere` · pairs: z/√τ and its softmax, partners side by side
    here and there · layout · reduction."""

    length: Array
    scale: Array
    pairs: two_views.Cache
    layout: Layout
    reduction: Reduction


class Gradients(NamedTuple):
    """∂𝓛/∂w (N, d), orthogonal to each row, and ∂𝓛/∂τ (0-d)."""

    w: Array
    temperature: Array


@isolate
def forward(
    w: Array,
    *,
    temperature: float,
    reduction: Reduction = "mean",
    layout: Layout = "concatenated",
    tile: int | None = None,
    progress: tiles.Progress | None = None,
) -> tuple[Array, Cache]:
    """The loss in nats, a 0-d array, and the cache for `backward`.

    w may be memory-mapped. tile: the side of a tile in rows, made even; chosen from the cache if None.
    progress(done, to_do): called after each round of tiles, of either pass.
    Raises ValueError for an odd number of rows, a single pair, a zero row, NaN or infinity, a
    temperature that is not positive and finite, an unknown reduction or layout, a tile below 1, JAX arrays.
    Source: Yeh et al. (2022), "Decoupled contrastive learning".

    >>> import numpy as np
    >>> from infonce_ref.streaming import dcl
    >>> value, _ = dcl.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats")
    0.693147 nats
    """
    xp, size = check(w=(w, "N d"))
    tile = tiles.given(tile, xp)
    some_negative("w", pair_count("w", size["N"]))
    tau = check_positive("temperature", temperature)
    check_choice("layout", layout, get_args(Layout))
    known(reduction)
    x, length, scale = rows.on_sphere(two_views.side_by_side(w, layout), tau)
    # ℓ_i = LSE_{j≠i,p} L_ij − L_ip, and the softmax over these j             [F1]
    scores, positive, sums = two_views.forward(x, tile, progress)
    losses, softmax = sums.above(positive), sums.softmax(xp.ones_like(positive))
    # 𝓛 = (1/2B) Σ ℓ_i                                                        [F1]
    losses = two_views.as_they_came(losses, layout)
    value = check_value("dcl", reduced(losses, reduction))
    return value, Cache(length, scale, two_views.Cache(scores, softmax, tau), layout, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from what `forward` cached.

    >>> import numpy as np
    >>> from infonce_ref.streaming import dcl
    >>> _, cache = dcl.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(dcl.backward(cache).w[0].round(4))
    [ 0.   0.5 -1.   0.5]
    """
    length, scale, pairs, layout, reduction = cache
    upstream = upstream_of_each(upstream, reduction, pairs.softmax.q)
    # G = r − 1[positive], each row times the anchor's upstream               [F2]
    dz, dtau = two_views.backward(pairs, two_views.side_by_side(upstream, layout))
    dw = rows.by_w(dz, pairs.scores.rows, length, scale, "dcl")
    return check_gradients("dcl", Gradients(two_views.as_they_came(dw, layout), dtau))


LOSS = Loss(
    name="dcl",
    forward=forward,
    backward=backward,
    differentiable=("w", "temperature"),
    example=ntxent_example,
    variants=({"layout": "interleaved"}, {"reduction": "sum"}, {"reduction": "none"}, {"tile": 2}),
    claims=("F1", "F2", "F3", "D3.3", "M5", "M7", "S1"),
)
