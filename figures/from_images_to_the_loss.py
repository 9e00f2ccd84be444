"""Two views of each image become rows, and each row looks for its partner among all others.

An image is seen twice, each time turned, sheared, shifted and with noise. An encoder makes a row of numbers of
each view, of length 1. The matrix holds the cosine of each row with each other; the loss asks every line of it
which column is the partner (framed), by a softmax over all but the diagonal. Here the encoder is trained: in five
of the six lines the partner has the largest cosine. The loss never sees the images, nor what is on them.

Three handwritten digits that the encoder has not seen; SimCLR on the others, 600 steps, seed 0. Cosines and loss
are the library's NT-Xent at τ = 0.2, the temperature of the run.
"""

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate
from infonce_ref.algorithms.train import STEPS, advance, begin, one_thread
from infonce_ref.losses import ntxent

from . import measurements, style
from .matrix_of_forces import NAMES

CLAIMS = ("D3.2", "D3.3", "D3.4")

TEMPERATURE = 0.2
DIGITS = (0, 4, 7)


def measure() -> dict[str, Any]:
    """The images (3, 8, 8), their views (6, 8, 8), the first three and then the second, and the rows (6, d)."""
    with one_thread():
        run = advance(begin(ALL["simclr"], temperature=TEMPERATURE), STEPS)
        images, rng = run.algorithm.images(), np.random.default_rng(0)
        chosen = images.test[[np.flatnonzero(images.test_labels == digit)[0] for digit in DIGITS]]
        views = np.concatenate([images.view(chosen, rng) for _ in range(2)])
        embed = evaluate.freeze(run.algorithm.embedding(run.state), images.plain(images.train))
        found = {"images": chosen, "views": views.reshape(-1, 8, 8), "rows": evaluate.unit(embed(views))}
    return {name: np.round(array.astype(float), 3).tolist() for name, array in found.items()}


def read() -> dict[str, np.ndarray]:
    return {name: np.array(kept) for name, kept in measurements.read(__file__).items()}


def library(rows: np.ndarray) -> tuple[float, np.ndarray]:
    """The loss, and the cosines of the rows, from `ntxent`."""
    value, cache = ntxent.forward(rows, temperature=TEMPERATURE)
    return float(value), cache.sphere.z @ cache.sphere.z.T


def draw() -> Figure:
    figure, (images, views, rows, cosines) = style.panels(4, width=11, height=3.9)
    kept = read()
    loss, matrix = library(kept["rows"])
    style.matrix(cosines, matrix, NAMES, limit=1.6, digits=1)
    for k in range(6):
        style.frame(cosines, k, (k + 3) % 6)
    cosines.set(title="the cosines", xlabel=f"loss {loss:.2f} (blind guess: {np.log(5):.2f})")
    for axis, pictures in ((images, [kept["images"]]), (views, np.split(kept["views"], 2))):
        framed = [np.pad(stack, [(0, 0), (1, 1), (1, 1)], constant_values=np.nan) for stack in pictures]
        shown = np.hstack([np.concatenate(stack) for stack in framed])
        axis.pcolormesh(-shown, cmap="gray", edgecolors="face")
        axis.set(aspect="equal", ylim=(30, 0))
    images.set(title="3 images", xticks=())
    views.set(title="2 views of each", xticks=(5, 15), xticklabels=("a", "b"))
    rows.pcolormesh(kept["rows"], cmap="RdBu_r", vmin=-1, vmax=1, edgecolors="face")
    rows.set(title="encoder: a row of each", xlabel=f"{kept['rows'].shape[1]} numbers, length 1")
    rows.set(ylim=(6, 0), xticks=())
    for axis, names in ((images, "123"), (views, "123"), (rows, NAMES)):
        height = axis.get_ylim()[0] / len(names)
        axis.set_yticks(height * (np.arange(len(names)) + 0.5), names)
        axis.tick_params(length=0)
        axis.grid(False)
    return figure


if __name__ == "__main__":
    measurements.write(__file__, measure(), "numpy", "scikit-learn")
