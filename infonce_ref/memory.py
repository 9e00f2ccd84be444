"""Memory that one call leaves for the next.

The system clears every page of new memory, which takes 4 to 12 hundredths of a step. A virtual machine that has
taken the page back takes longer.

One block at most lies idle. It is the last that was used, so a small batch replaces the block of a large one;
`IDLE.clear()` gives it back to the system.
"""

import math
from collections import deque

import numpy as np

IDLE: deque[np.ndarray] = deque(maxlen=1)  # its methods are atomic, so that threads need no lock


class Block:
    """Lends memory to arrays, by NumPy's protocol. It is idle when the last of them is gone, whoever held it."""

    def __init__(self, memory: np.ndarray):
        self.memory = memory
        self.__array_interface__ = memory.__array_interface__

    def __del__(self, idle: deque[np.ndarray] = IDLE) -> None:  # at exit the module's names may be gone
        idle.append(self.memory)


def borrow(shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """An array of any numbers. A block of more than twice its size is left for a larger array, as of SupCon's two
    sets of scores."""
    size = math.prod(shape) * dtype.itemsize
    try:
        memory = IDLE.pop()
    except IndexError:
        memory = np.empty(0, np.uint8)
    if memory.nbytes > 2 * size:
        IDLE.append(memory)
    if not size <= memory.nbytes <= 2 * size:
        memory = np.empty(size, np.uint8)
    return np.asarray(Block(memory))[:size].view(dtype).reshape(shape)
