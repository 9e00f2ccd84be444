"""Jigsaw (D3, pretext task): in which order were the four tiles of the image laid? 4! = 24 classes.

The slides give the title; the task is that of Noroozi and Favaro (2016), "Unsupervised learning of visual
representations by solving jigsaw puzzles", with 2 × 2 tiles instead of 3 × 3, and one encoder that sees them all.
"""

from itertools import permutations

import numpy as np

from .parts.images import digits, flat
from .pretext import Question, algorithm

ORDERS = np.array(list(permutations(range(4))))


def ask(x: np.ndarray, rng: np.random.Generator) -> Question:
    """Return each image (n, s, s) with its quarters in a random order."""
    n, half = len(x), x.shape[1] // 2
    order = rng.integers(len(ORDERS), size=n)
    tiles = x.reshape(n, 2, half, 2, half).swapaxes(2, 3).reshape(n, 4, half, half)
    laid = tiles[np.arange(n)[:, None], ORDERS[order]]
    picture = laid.reshape(n, 2, 2, half, half).swapaxes(2, 3)
    return Question(flat(picture)[:, None], order)


ALGORITHM = algorithm("jigsaw", "Pretext task: jigsaw", digits, ask, outputs=len(ORDERS))
