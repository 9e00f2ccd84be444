"""DCL tile by tile: `losses.dcl`, which has the equations, in linear memory.

It is `ntxent` without its softplus; q, the weight of the negatives there, is 1 here [F3].
"""

from ..arrays import Array, array_namespace
from ..isolation import isolate
from ..losses.dcl import LOSS as PLAIN
from ..losses.dcl import Gradients as Gradients
from ..pairs import Layout
from ..reduction import Reduction
from . import engine, tiles, two_views
from .sums import Softmax, Sums
from .two_views import CacheByW as Cache


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
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.dcl` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.dcl` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import dcl
    >>> value, cache = dcl.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats", dcl.backward(cache).w[0].round(4))
    0.693147 nats [ 0.   0.5 -1.   0.5]
    """
    return two_views.forward_by_w(PLAIN, weigh, w, temperature, reduction, layout, tile, progress)


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    return Gradients(*two_views.backward_by_w(cache, upstream))


def weigh(positive: Array, sums: Sums) -> tuple[Array, Softmax]:
    """ℓ_i = LSE_{j≠i,p} L_ij − L_ip, and the softmax over the same j.        [F1, F2]"""
    return sums.above(positive), sums.softmax(array_namespace(positive).ones_like(positive))


LOSS = engine.declare(PLAIN, forward, backward)
