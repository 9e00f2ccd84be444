"""The number of threads of NumPy's BLAS: the only file that reads and sets it.

BLAS splits a product over its threads, so the last bits depend on their number. It also waits for each of them: if
other threads hold the cores, as PyTorch's do for some milliseconds after a product, or those of another process, a
product of a tenth of a millisecond may take a hundred times as long. So tiles, and passes over few rows, which gain
little from a second thread, use BLAS on one.

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
FEW_BESIDE_PYTORCH = 512  # up to here two may be faster, but not while PyTorch's threads hold the cores


@cache
def blas() -> list[LibController]:
    """Every loaded BLAS whose threads can be set, including NumPy's if possible."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


def numbers() -> list[int]:
    """The number of threads each uses now."""
    return [library.get_num_threads() for library in blas()]


def set_to(wanted: Iterable[int]) -> None:
    """Set the number of threads of each, unless it is that already."""
    for library, number in zip(blas(), wanted):
        if library.get_num_threads() != number:
            release(library)
            library.set_num_threads(number)
            release(library)


def release(library: LibController) -> None:
    """Let any thread set the number: threadpoolctl 3.8 silently ignores all but the first."""
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread(force=True)


class State:
    """blocks: the active `one_thread` blocks, on any thread · before: the numbers before the first; None if none is
    active.

    One thread may hold the lock twice, if a signal's handler computes a loss. A block that a Ctrl-C cut short
    drops out of `blocks` with its frame, and the next block's end restores the numbers. The same happens in a
    forked child, in which the blocks of other threads never end.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.blocks: WeakSet[one_thread] = WeakSet()
        self.before: list[int] | None = None

    def keep_this_thread(self) -> None:
        """Forget the blocks of other threads: a forked child has none of these threads."""
        self.lock = threading.RLock()
        self.blocks = WeakSet(block for block in self.blocks if block.thread == threading.get_ident())


state = State()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=state.keep_this_thread)


class one_thread:
    """`with one_thread():` use one BLAS thread from the first such block to the end of the last, on any
    threads, however nested. It never blocks, so that a progress callback may start another run.

    A BLAS built on OpenMP has a number for each thread: each block sets its own, and restores it.
    """

    def __enter__(self) -> Self:
        with state.lock:
            self.thread = threading.get_ident()
            self.of_this_thread = [n if counts_threads_apart(x) else None for x, n in zip(blas(), numbers())]
            if state.before is None:
                state.before = numbers()
            state.blocks.add(self)
            set_to([1] * len(blas()))
        return self

    def __exit__(self, *error: object) -> None:
        with state.lock:
            if state.before is not None and not any(block is not self for block in state.blocks):
                # keep a number that other code has set meanwhile
                set_to(before if now == 1 else now for before, now in zip(state.before, numbers()))
                state.before = None
            state.blocks.discard(self)
            for library, number in zip(blas(), self.of_this_thread):
                if number is not None:
                    library.set_num_threads(number)


def counts_threads_apart(library: LibController) -> bool:
    """Whether each thread of the process has its own number of BLAS threads."""
    return getattr(library, "threading_layer", None) == "openmp"


def count_available() -> int:
    """The number of threads of BLAS outside of `one_thread` blocks, so that OMP_NUM_THREADS and threadpool_limits
    hold for our own threads too."""
    with state.lock:
        return min(numbers() if state.before is None else state.before, default=1)


def are_few(shapes: Iterable[tuple[int, ...]]) -> bool:
    """Whether arrays of these shapes are best computed on one thread."""
    most = FEW_BESIDE_PYTORCH if "torch" in sys.modules else FEW
    return all(size <= most for shape in shapes for size in shape)
