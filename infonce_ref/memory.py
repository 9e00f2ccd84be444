"""Memory that one call leaves for the next.

The system clears every page of new memory, which takes 4 % to 12 % of a step, and longer if a virtual machine has
taken the page back. At most one block is kept, the last that was used, so a small batch replaces the block of a
large one; `IDLE.clear()` returns it to the system.
"""

import math
from collections import deque

import numpy as np

IDLE: deque[np.ndarray] = deque(maxlen=1)  # its methods are atomic, so that threads need no lock


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
    """Return an array with arbitrary contents. A block of more than twice its size is not taken, but kept for
    a larger array, such as one of SupCon's two arrays of scores.
    """
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
