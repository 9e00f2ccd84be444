"""Rotation (D3, pretext task): by how many quarter turns was the image turned? Four classes.

The slides give the title; the task is that of Gidaris et al. (2018), "Unsupervised representation learning by
predicting image rotations". If a digit looks the same upside down, a half turn cannot be recognised.
"""

import numpy as np

from .parts.images import digits, flat
from .pretext import Question, algorithm

TURNS = 4


def ask(x: np.ndarray, rng: np.random.Generator) -> Question:
    """Return each image (n, s, s), turned at random."""
    turns = rng.integers(TURNS, size=len(x))
    turned = np.stack([np.rot90(x, k, axes=(1, 2)) for k in range(TURNS)])[turns, np.arange(len(x))]
    return Question(flat(turned)[:, None], turns)


ALGORITHM = algorithm("rotation", "Pretext task: rotation", digits, ask, outputs=TURNS)
