"""Context prediction (D3, pretext task): where does the second patch lie, seen from the first? Eight classes.

The slides give the title and two questions of two patches each; the task is that of Doersch et al. (2015),
"Unsupervised visual representation learning by context prediction". A crop of a photograph is a 3 × 3 grid of
cells; the patches are windows of two cells, moved at random within them, so that edges that continue from one patch
into the other do not reveal the answer. Both patches go through the same encoder.
"""

import numpy as np

from .parts.images import CROP, WINDOW, flat, grey, photographs, windows
from .pretext import Question, algorithm

CELL = CROP // 3
NEIGHBOURS = np.array([place for place in range(9) if place != 4])  # row by row, 4 is the middle


def ask(x: np.ndarray, rng: np.random.Generator) -> Question:
    """Return the middle cell of each crop (n, CROP, CROP, 3) and a random neighbour of it, in grey."""
    n = len(x)
    which = rng.integers(len(NEIGHBOURS), size=n)
    cells = grey(x).reshape(n, 3, CELL, 3, CELL).swapaxes(2, 3).reshape(n, 9, CELL, CELL)
    middle, neighbour = cells[:, 4], cells[np.arange(n), NEIGHBOURS[which]]
    return Question(np.stack([flat(windows(part, WINDOW, rng)) for part in (middle, neighbour)], 1), which)


ALGORITHM = algorithm(
    "context_prediction",
    "Pretext task: context prediction",
    photographs,
    ask,
    outputs=len(NEIGHBOURS),
    parts=2,
)
