"""How many threads NumPy's BLAS uses: the one file that asks, and that sets it.

BLAS cuts a product up for its threads, so its last bits depend on how many there are. And it waits for each of
them: if other threads hold the cores, as PyTorch's do for some milliseconds after one of its products, or those of
another process, a product of a tenth of a millisecond may take a hundred times as long. So tiles, and passes over
few rows, which gain little from a second thread, are computed with BLAS on one.

threadpoolctl can set the threads of OpenBLAS, MKL and BLIS. Any other BLAS keeps its own.
"""

import os
import sys
import threading
from collections.abc import Iterable
from functools import cache
from typing import Self
from weakref import WeakSet

from threadpoolctl import LibController, ThreadpoolController

FEW = 128  # rows and features: up to here one thread is as fast as two, even if nothing else runs
FEW_BESIDE_PYTORCH = 512  # up to here two may be faster, but not while PyTorch's threads hold the cores


@cache
def blas() -> list[LibController]:
    """Every loaded BLAS whose threads can be set, NumPy's among them if it is one of those."""
    return ThreadpoolController().select(user_api="blas").lib_controllers


def numbers() -> list[int]:
    """How many threads each uses now."""
    return [library.get_num_threads() for library in blas()]


def set_to(wanted: Iterable[int]) -> None:
    """Set how many each uses, where that is not so already."""
    for library, number in zip(blas(), wanted):
        if library.get_num_threads() != number:
            release(library)
            library.set_num_threads(number)
            release(library)


def release(library: LibController) -> None:
    """Let any thread set the number: threadpoolctl 3.8 silently ignores all but the one that did first."""
    if hasattr(library, "clear_controlling_thread"):
        library.clear_controlling_thread(force=True)


class State:
    """blocks: the `one_thread` blocks at work, on any thread · before: the numbers when the first began, None if no
    block is at work.

    One thread may hold the lock twice, as where a signal's handler computes a loss. A block that a Ctrl-C cut short
    drops out of `blocks` with its frame, and the next block's end puts the numbers back. So it does in a forked
    child, in which the blocks of other threads never end.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.blocks: WeakSet[one_thread] = WeakSet()
        self.before: list[int] | None = None

    def keep_this_thread(self) -> None:
        """Forget what other threads hold: a forked child has none of them."""
        self.lock = threading.RLock()
        self.blocks = WeakSet(block for block in self.blocks if block.thread == threading.get_ident())


state = State()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=state.keep_this_thread)


class one_thread:
    """`with one_thread():` BLAS on one thread, from the first such block to the end of the last, on whichever
    threads, however nested. Nobody waits for it, so that a run may call for another, as a progress callback may.

    A BLAS built on OpenMP keeps the number for each thread: each block sets its own, and puts it back.
    """

    def __enter__(self) -> Self:
        with state.lock:
            self.thread = threading.get_ident()
            self.of_this_thread = [n if each_has_its_own(x) else None for x, n in zip(blas(), numbers())]
            if state.before is None:
                state.before = numbers()
            state.blocks.add(self)
            set_to([1] * len(blas()))
        return self

    def __exit__(self, *error: object) -> None:
        with state.lock:
            if state.before is not None and not any(block is not self for block in state.blocks):
                # a number that somebody else has set meanwhile stays
                set_to(before if now == 1 else now for before, now in zip(state.before, numbers()))
                state.before = None
            state.blocks.discard(self)
            for library, number in zip(blas(), self.of_this_thread):
                if number is not None:
                    library.set_num_threads(number)


def each_has_its_own(library: LibController) -> bool:
    """Whether the number is one for each thread of the process, and not one for all."""
    return getattr(library, "threading_layer", None) == "openmp"


def available() -> int:
    """How many threads BLAS uses if no `one_thread` block is at work, so that OMP_NUM_THREADS and threadpool_limits
    hold for our own threads too."""
    with state.lock:
        return min(numbers() if state.before is None else state.before, default=1)


def few(shapes: Iterable[tuple[int, ...]]) -> bool:
    """Whether arrays of these shapes are best computed on one thread."""
    most = FEW_BESIDE_PYTORCH if "torch" in sys.modules else FEW
    return all(size <= most for shape in shapes for size in shape)
