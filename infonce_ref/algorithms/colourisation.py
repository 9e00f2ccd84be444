"""Colourisation (D3, pretext task): which colours has this grey window of a photograph? A regression.

The slides give the title; the task is that of Zhang et al. (2016), "Colorful image colorization", as the plain
regression that they start from. The answer is the colour that grey lacks: red and blue minus the luminance.
"""

import numpy as np

from .parts.images import WINDOW, flat, grey, photographs, windows
from .pretext import Question, algorithm


def ask(x: np.ndarray, rng: np.random.Generator) -> Question:
    """Return a window of each crop (n, CROP, CROP, 3): its luminance and its two chrominances."""
    colour = windows(x, WINDOW, rng)
    luminance = grey(colour)
    return Question(flat(luminance)[:, None], flat(colour[..., [0, 2]] - luminance[..., None]))


ALGORITHM = algorithm(
    "colourisation", "Pretext task: colourisation", photographs, ask, outputs=2 * WINDOW * WINDOW
)
