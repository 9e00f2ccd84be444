"""Cut scores into tiles, wherever their rows are: on this machine's cores, a GPU, Dask's workers, or ranks."""

import inspect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from array_api_compat import (
    is_array_api_strict_namespace,
    is_cupy_namespace,
    is_dask_namespace,
    is_numpy_namespace,
    is_torch_namespace,
)

from ..arrays import Array, array_namespace
from ..checks import check_count
from ..registry import Loss
from ..threads import count_available
from . import ranks, tiles
from .classes import Part

if TYPE_CHECKING:
    from . import kernels

    Plan: TypeAlias = "tiles.Scores | kernels.Scores"


INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"  # kernels by Triton on the CPU, for tests
# libraries in which a write into a slice changes the array, or a block of it; in JAX it raises, in others it may be
# lost
SERVED = (
    is_numpy_namespace,
    is_cupy_namespace,
    is_torch_namespace,
    is_dask_namespace,
    is_array_api_strict_namespace,
)


def declare(loss: Loss, forward: Callable, backward: Callable) -> Loss:
    """The entry of a loss tile by tile: the same inputs, and those options that tiles take."""
    takes = inspect.signature(forward).parameters.keys()
    variants = [options for options in loss.variants if loss.example(**options).keys() <= takes]
    return Loss(loss.name, forward, backward, loss.differentiable, loss.example, (*variants, {"tile": 2}))


def check_tile(tile: int | None, xp: Any) -> int | None:
    """Return the side of a tile that the caller asked for, as an int.

    Raises ValueError unless it is a positive integer, and for a library whose arrays cannot be written in place.
    """
    if not any(serves(xp) for serves in SERVED):
        raise ValueError(
            f"streaming writes its sums in place, which arrays of {xp.__name__} do not support: "
            "use infonce_ref.losses, or pass NumPy arrays"
        )
    return None if tile is None else check_count("tile", tile)


def plan(
    rows: Array,
    columns: Array,
    tile: int | None,
    progress: tiles.Progress | None,
    *,
    excluded: Callable[[Array, int], Array] | None = None,
    even: bool = False,
    part: Part | None = None,
) -> "Plan":
    """Cut the scores of rows and columns into tiles, or give them to the kernels of a GPU. The side of a tile is
    chosen for the machine unless given. excluded(x, n): mask of the scores that a tile of n rows on the diagonal
    leaves out, (n, n), on x's device.

    even: make the side even, so that two adjacent rows stay together. part: which scores count, if not all; tiles
    without any are not computed.
    """
    xp = array_namespace(rows)
    if on_dask := is_dask_namespace(xp):
        from . import cluster  # the array comes from Dask, so Dask is installed

        rows, columns = cluster.leave_with_workers(rows, columns, excluded is not None, progress)
    # the probabilities within a class may sum to e^{−2·bound}, which is divided by a sum of up to e^bound
    bounds = tiles.bound_scores(rows, columns, 3 if part and part.within else 2)
    scores = tiles.Scores(rows, columns, *bounds, excluded, even, part, tile or 0, progress)
    if on_dask:
        return cluster.Scores(*scores)
    workers = count_available() if is_numpy_namespace(xp) else 1
    if peers := ranks.PEERS.get():
        return ranks.cut(scores, peers, workers)
    if tile is None and is_torch_namespace(xp) and (rows.device.type == "cuda" or INTERPRETED):
        try:
            from . import kernels
        except ImportError:  # without Triton
            pass
        else:
            if kernels.serves(rows, scores.bound):
                return kernels.plan(scores)
    return scores.cut(workers, tiles.KEPT)
