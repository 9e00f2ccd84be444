"""Tiles on every core.

A matrix product of NumPy's runs on every core, its exponentials on one. So a few threads take tiles side by side
(NumPy lets go of Python's lock while it computes), and BLAS keeps to one core in each meanwhile. That needs a
say over BLAS's threads, which OpenBLAS, the one in NumPy's wheels, gives. With any other BLAS, and on a GPU, the
tiles come one after another and the library's own threads do what they do.
"""

import contextlib
import ctypes
import importlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

Tile = tuple[int, int]

_one_at_a_time = threading.Lock()  # two runs that each put back the other's setting would leave it wrong


class Blas(NamedTuple):
    """How many threads OpenBLAS uses: to ask, and to say."""

    get: Callable[[], int]
    set: Callable[[int], Any]


@cache
def openblas() -> Blas | None:
    """The OpenBLAS that NumPy is linked to, or None."""
    with contextlib.suppress(AttributeError, OSError):
        library = ctypes.CDLL(importlib.import_module("numpy._core._multiarray_umath").__file__)
        for name in (
            "scipy_openblas_{}_num_threads64_",
            "scipy_openblas_{}_num_threads",
            "openblas_{}_num_threads",
        ):
            with contextlib.suppress(AttributeError):
                return Blas(getattr(library, name.format("get")), getattr(library, name.format("set")))
    return None


def available() -> int:
    """How many tiles to work on at a time: as many as BLAS would use threads, so OMP_NUM_THREADS holds here."""
    blas = openblas()
    return blas.get() if blas else 1


@contextlib.contextmanager
def one_thread_each() -> Iterator[None]:
    """BLAS on one thread, and as before afterwards, whatever happens."""
    blas = openblas()
    assert blas is not None, "more than one worker is planned only where OpenBLAS is found"
    with _one_at_a_time:
        before = blas.get()
        blas.set(1)
        try:
            yield
        finally:
            blas.set(before)


def run(
    rounds: Sequence[Sequence[Tile]],
    work: Callable[[int, int, Any], None],
    spaces: Sequence[Any],
    progress: Callable[[int, int], None] | None,
) -> None:
    """work(i, j, space) for each tile of each round; a round is over before the next begins.

    spaces: one for each worker, memory that is its own.
    """
    done, to_do, workers = 0, sum(map(len, rounds)), len(spaces)

    def share(tiles: Iterator[Tile], space: Any) -> None:
        for i, j in tiles:
            work(i, j, space)

    with contextlib.ExitStack() as stack:
        if workers > 1:
            stack.enter_context(one_thread_each())
            pool = stack.enter_context(ThreadPoolExecutor(workers))
        for tiles in rounds:
            left = iter(tiles)  # each worker takes the next tile when it has done one
            if workers > 1:
                list(pool.map(share, [left] * workers, spaces))
            else:
                share(left, spaces[0])
            done += len(tiles)
            if progress:
                progress(done, to_do)
