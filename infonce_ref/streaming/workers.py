"""Tiles on every core.

A matrix product of NumPy's runs on every core, its exponentials on one. So a few threads take tiles side by side
(NumPy releases Python's lock while it computes), and meanwhile BLAS, which computes the products, keeps to one core
in each. That needs a BLAS whose threads can be set, as threadpoolctl can those of OpenBLAS, MKL and BLIS. With any
other, and on a GPU, the tiles come one after another and the library's own threads do what they do.
"""

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import Context, copy_context
from functools import cache
from typing import Any

from threadpoolctl import ThreadpoolController

Tile = tuple[int, int]


@cache
def blas() -> ThreadpoolController:
    """Every loaded BLAS whose threads can be set, NumPy's among them if it is one of those."""
    return ThreadpoolController().select(user_api="blas")


def available() -> int:
    """How many tiles to work on at a time: as many as BLAS would use threads, so that OMP_NUM_THREADS and
    threadpool_limits hold here too."""
    return min((library["num_threads"] for library in blas().info()), default=1)


def one_thread() -> contextlib.AbstractContextManager:
    """BLAS on one thread from now on, and as before when a with block of it ends."""
    return blas().limit(limits=1)


class Limit:
    """BLAS on one thread from the first `with` block to the end of the last, on whichever threads, however nested.

    Nobody waits for it, so that a run may call for another, as a progress callback may."""

    def __init__(self) -> None:
        self.blocks, self.lock = 0, threading.Lock()

    def __enter__(self) -> None:
        with self.lock:
            self.blocks += 1
            if self.blocks == 1:
                self.until_the_last = one_thread()

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.blocks -= 1
            if self.blocks == 0:
                for library in blas().lib_controllers:
                    # threadpoolctl 3.8 lets none but the thread that began set OpenBLAS's number, until told so
                    if hasattr(library, "clear_controlling_thread"):
                        library.clear_controlling_thread(force=True)
                self.until_the_last.__exit__(None, None, None)


side_by_side = Limit()


def run(
    rounds: Sequence[Sequence[Tile]],
    work: Callable[[int, int, Any], None],
    spaces: Sequence[Any],
    progress: Callable[[int, int], None] | None,
) -> None:
    """work(i, j, space) for each tile of each round; a round is over before the next begins.

    spaces: one for each worker, an array that no other writes to.
    """
    done, to_do, workers = 0, sum(map(len, rounds)), len(spaces)

    def share(tiles: Iterator[Tile], space: Any) -> None:
        for i, j in tiles:
            work(i, j, space)

    with contextlib.ExitStack() as stack:
        if workers > 1:
            stack.enter_context(side_by_side)
            # a BLAS built on OpenMP keeps the number for each thread that calls it
            pool = stack.enter_context(ThreadPoolExecutor(workers, initializer=one_thread))
        for tiles in rounds:
            left = iter(tiles)  # each worker takes the next tile when it has done one
            if workers > 1:
                # NumPy keeps what it does about an overflow for each context, and a thread begins in a new one
                contexts = [copy_context() for _ in spaces]
                list(pool.map(Context.run, contexts, [share] * workers, [left] * workers, spaces))
            else:
                share(left, spaces[0])
            done += len(tiles)
            if progress:
                progress(done, to_do)
