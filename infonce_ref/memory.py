"""Lend the memory of one call to the next, which saves 4 % to 12 % of a step.

The system clears every page of new memory, which takes that time, and longer if a virtual machine has taken the
page back. At most three blocks are kept, the last that were used: the tiles of a loss's sets of scores (SupCon
has two) and the work space. So small batches replace the blocks of a large one; `IDLE.clear()` returns them to
the system.
"""

import contextlib
import math
from collections import deque

import numpy as np

IDLE: deque[np.ndarray] = deque(maxlen=3)  # its methods are atomic, so that threads need no lock


class Block:
    """Lends memory to arrays through NumPy's protocol, and becomes idle when the last of these arrays is
    deleted.
    """

    def __init__(self, memory: np.ndarray):
        self.memory = memory
        self.__array_interface__ = memory.__array_interface__

    def __del__(self, idle: deque[np.ndarray] = IDLE) -> None:  # at exit the module's names may be gone
        idle.append(self.memory)


def borrow(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return an array with arbitrary contents, in the smallest idle block that is large enough. One of more than
    twice its size is kept for a larger array.
    """
    size = math.prod(shape) * dtype.itemsize
    idle: list[np.ndarray] = []
    with contextlib.suppress(IndexError):
        while True:
            idle.insert(0, IDLE.pop())
    fitting = [block for block in idle if size <= block.nbytes <= 2 * size]
    memory = min(fitting, key=len) if fitting else np.empty(size, np.uint8)
    IDLE.extend(block for block in idle if block is not memory)
    return np.asarray(Block(memory))[:size].view(dtype).reshape(shape)
