"""Compute few rows on one thread of NumPy's BLAS, since more may take a hundred times as long beside PyTorch.

This is the only file that reads and sets the number of threads. BLAS splits a product over its threads, so the
last bits depend on their number. It also waits for each of its threads. If other threads hold the cores
(PyTorch's do for some milliseconds after a product), a product of a tenth of a millisecond may take a hundred
times as long. So tiles, and passes over few rows, use BLAS on one thread; a second one would gain little.

threadpoolctl can set the threads of OpenBLAS, MKL and BLIS. Any other BLAS keeps its own number.
"""

import os
import sys
import threading
from collections.abc import Iterable
from functools import cache
from typing import Self
from weakref import WeakSet

from threadpoolctl import LibController, ThreadpoolController

FEW = 128  # rows and features up to which one thread is as fast as two, even if nothing else runs
# up to this size two threads may be faster, but not while PyTorch's threads hold the cores
FEW_BESIDE_PYTORCH = 512


@cache
def blas() -> list[LibController]:
    """Every loaded BLAS whose threads can be set, including NumPy's if possible."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


def numbers() -> list[int]:
    """Return the number of threads that each BLAS uses now."""
    return [library.get_num_threads() for library in blas()]


def set_to(wanted: Iterable[int], now: Iterable[int]) -> None:
    """Set the number of threads of each BLAS that has another one now."""
    for library, present, number in zip(blas(), now, wanted):
        if present != number:
            # threadpoolctl 3.8 silently ignores all threads but the first that sets the number
            release = getattr(library, "clear_controlling_thread", lambda force: None)
            release(force=True)
            library.set_num_threads(number)
            release(force=True)


class State:
    """blocks: the active `one_thread` blocks, on any thread · before: the numbers before the first; None if none is
    active.

    The lock is reentrant, because a signal handler may compute a loss. A block that Ctrl-C interrupts leaves
    `blocks` with its frame, and the end of the next block restores the numbers. Likewise in a forked child, which
    forgets all blocks, because those of other threads never end there.
    """

    def __init__(self) -> None:
        self.before: list[int] | None = None
        self.forget_blocks()

    def forget_blocks(self) -> None:
        self.lock, self.blocks = threading.RLock(), WeakSet["one_thread"]()


state = State()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=state.forget_blocks)


class one_thread:
    """`with one_thread():` use one BLAS thread from the first such block to the end of the last, on any threads,
    however nested.

    It never waits, so that a progress callback may start another run. A BLAS built on OpenMP has a setting for
    each thread: each block sets its own thread's, and restores it.
    """

    def __enter__(self) -> Self:
        with state.lock:
            now = numbers()
            kinds = (getattr(library, "threading_layer", None) for library in blas())
            self.of_this_thread = [(x, n) for x, n, kind in zip(blas(), now, kinds) if kind == "openmp"]
            if state.before is None:
                state.before = now
            state.blocks.add(self)
            set_to([1] * len(now), now)
        return self

    def __exit__(self, *error: object) -> None:
        with state.lock:
            if state.before is not None and not any(block is not self for block in state.blocks):
                # keep a number that other code has set in the meantime
                now = numbers()
                set_to([before if number == 1 else number for before, number in zip(state.before, now)], now)
                state.before = None
            state.blocks.discard(self)
            for library, number in self.of_this_thread:
                library.set_num_threads(number)


def count_available() -> int:
    """Return the number of BLAS threads outside of `one_thread` blocks, which limits our own threads too, so
    that they obey OMP_NUM_THREADS and threadpool_limits.
    """
    with state.lock:
        return min(numbers() if state.before is None else state.before, default=1)


def are_few(shapes: Iterable[tuple[int, ...]]) -> bool:
    """Return whether arrays of these shapes are best computed on one thread."""
    most = FEW_BESIDE_PYTORCH if "torch" in sys.modules else FEW
    return all(size <= most for shape in shapes for size in shape)
