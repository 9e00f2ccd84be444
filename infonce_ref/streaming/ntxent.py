"""NT-Xent tile by tile: `losses.ntxent`, which has the equations, in linear memory."""

from ..arrays import Array
from ..isolation import isolate
from ..losses.ntxent import LOSS as PLAIN
from ..losses.ntxent import Gradients as Gradients
from ..pairs import Layout
from ..reduction import Reduction
from . import engine, sums, tiles, two_views
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
    """The loss in nats, a 0-d array, and the cache for `backward`, as `losses.ntxent` has them.

    tile, progress: see `infonce_ref.streaming`. Raises ValueError where `losses.ntxent` does, or for a bad tile.

    >>> import numpy as np
    >>> from infonce_ref.streaming import ntxent
    >>> value, cache = ntxent.forward(np.eye(4), temperature=0.5, tile=2)
    >>> print(f"{value:.6f} nats", ntxent.backward(cache).w[0].round(4))
    1.098612 nats [ 0.      0.3333 -0.6667  0.3333]
    """
    return two_views.forward_by_w(
        PLAIN, sums.compute_losses, w, temperature, reduction, layout, tile, progress
    )


@isolate
def backward(cache: Cache, upstream: float | Array = 1.0) -> Gradients:
    """The gradients of upstream · 𝓛, from the cache of `forward`."""
    return Gradients(*two_views.backward_by_w(cache, upstream))


LOSS = engine.declare(PLAIN, forward, backward)
