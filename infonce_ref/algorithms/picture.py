"""The figure of a run: its loss, and where the held-out images lie, before and after."""

from io import BytesIO

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .parts.evaluate import freeze, unit
from .parts.images import Images
from .parts.networks import Network
from .train import Run, begin

SETTINGS = {"svg.hashsalt": "infonce_ref", "axes.spines.top": False, "axes.spines.right": False}
SHOWN = 200  # images


def files(run: Run, name: str) -> dict[str, bytes]:
    """Return the contents of name.svg and name.png, reproducible byte for byte."""
    svg, png = BytesIO(), BytesIO()
    with matplotlib.style.context(["default", SETTINGS]):
        figure = draw(run)
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        figure.savefig(png, format="png", metadata={"Software": None}, dpi=160)
    return {f"{name}.svg": svg.getvalue(), f"{name}.png": png.getvalue()}


def draw(run: Run) -> Figure:
    """Draw the loss of each step with its least possible value, and the unit embeddings on their first two
    principal components.
    """
    figure = Figure(figsize=(11, 3.8), layout="constrained")
    loss, before, after = figure.subplots(1, 3)
    loss.plot(np.arange(1, len(run.losses) + 1), run.losses, color="black", linewidth=0.8)
    if run.algorithm.floor:
        floor = run.algorithm.floor(run.options)
        label = "least that a batch can have" if floor.reached else "no batch is below"
        loss.axhline(floor.value, color="grey", linestyle="--", linewidth=0.8, label=label)
        loss.legend(frameon=False, fontsize=8)
    loss.set(title=f"{run.algorithm.title}, seed {run.seed}", xlabel="step", ylabel="loss")
    images = run.algorithm.images()
    untrained = begin(run.algorithm, seed=run.seed, **run.options._asdict()).state
    scatter(before, run.algorithm.embedding(untrained), images)
    before.set_title("untrained: held-out images")
    scatter(after, run.algorithm.embedding(run.state), images)
    after.set_title(f"after {len(run.losses)} steps")
    return figure


def scatter(axis: Axes, embedding: Network, images: Images) -> None:
    """Plot each image's label at the first two principal components (PCA) of its embedding; both axes have
    one scale, so that a collapsed embedding is a point.
    """
    encode = freeze(embedding, images.plain(images.train))
    z = unit(encode(images.plain(images.test)))
    z = z - z.mean(axis=0)
    _, lengths, axes = np.linalg.svd(z, full_matrices=False)
    shares = lengths**2 / max(np.sum(lengths**2), np.finfo(z.dtype).tiny)  # all 0 if all rows are equal
    some = np.random.default_rng(0).choice(len(z), SHOWN, replace=False)
    for (x, y), label in zip((z @ axes[:2].T)[some], images.test_labels[some]):
        axis.text(x, y, str(label), color=f"C{label}", fontsize=7, ha="center", va="center")
    first, second = (f"PCA {k}: {share:.0%} of the variance" for k, share in enumerate(shares[:2], 1))
    axis.set(xlim=(-1.05, 1.05), ylim=(-1.05, 1.05), aspect="equal", xticks=[], yticks=[])
    axis.set(xlabel=first, ylabel=second)
