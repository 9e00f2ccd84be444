"""NT-Xent (D3) tile by tile: the value and gradients of `losses.ntxent` in linear memory.

    s_ij = w_i·w_j / (‖w_i‖ ‖w_j‖)                                      [D3.3]
    ℓ_i  = −log e^{s_ip/τ} / Σ_{k≠i} e^{s_ik/τ},   p = p(i)             [D3.2]
    𝓛    = (1/2B) Σ_i ℓ_i                                               [D3.4]

    w    rows of any length but 0; each has its partner p(i) among them         (2B, d)
    τ    temperature                                                            > 0
    𝓛    nats

How the tiles are made and used is told at the head of `tiles.py`.
"""

from typing import NamedTuple, get_args

from ..arrays import Array
from ..checks import check, check_choice, check_gradients, check_positive, check_value
from ..examples import ntxent_example
from ..isolation import isolate
from ..pairs import Layout, pair_count
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
    Raises ValueError for an odd number of rows, a zero row, NaN or infinity, a
    temperature that is not positive and finite, an unknown reduction or layout, a tile below 1, JAX arrays.
    Source: D3, NT-Xent and SimCLR's Algorithm 1.

    >>> import numpy as np
    >>> from infonce_ref.streaming import ntxent
    >>> value, _ = ntxent.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats")
    1.098612 nats
    """
    xp, size = check(w=(w, "N d"))
    tile = tiles.given(tile, xp)
    pair_count("w", size["N"])
    tau = check_positive("temperature", temperature)
    check_choice("layout", layout, get_args(Layout))
    known(reduction)
    x, length, scale = rows.on_sphere(two_views.side_by_side(w, layout), tau)
    # ℓ_i against everything but itself and its partner                       [D3.2]
    scores, positive, sums = two_views.forward(x, tile, progress)
    losses, softmax = tiles.cross_entropy(positive, sums)
    # 𝓛 = (1/2B) Σ ℓ_i                                                        [D3.4]
    losses = two_views.as_they_came(losses, layout)
    value = check_value("ntxent", reduced(losses, reduction))
    return value, Cache(length, scale, two_views.Cache(scores, softmax, tau), layout, reduction)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from what `forward` cached.

    >>> import numpy as np
    >>> from infonce_ref.streaming import ntxent
    >>> _, cache = ntxent.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(ntxent.backward(cache).w[0].round(4))
    [ 0.      0.3333 -0.6667  0.3333]
    """
    length, scale, pairs, layout, reduction = cache
    upstream = upstream_of_each(upstream, reduction, pairs.softmax.q)
    dz, dtau = two_views.backward(pairs, two_views.side_by_side(upstream, layout))
    dw = rows.by_w(dz, pairs.scores.rows, length, scale, "ntxent")
    return check_gradients("ntxent", Gradients(two_views.as_they_came(dw, layout), dtau))


LOSS = Loss(
    name="ntxent",
    forward=forward,
    backward=backward,
    differentiable=("w", "temperature"),
    example=ntxent_example,
    variants=({"layout": "interleaved"}, {"reduction": "sum"}, {"reduction": "none"}, {"tile": 2}),
    claims=("D3.2", "D3.3", "D3.4", "M5", "M7", "S1", "S2"),
)
