"""In these runs the stop-gradient prevents collapse, and a slow target is not needed.

The spread of embeddings is the standard deviation of the unit rows times the root of their width: near 1 where
they fill the sphere, 0 where all are one point. No loss here has negatives, and a constant output attains its
least value. With the stop-gradient SimSiam stays away from it; without, the spread falls within tens of steps,
and goes on falling. BYOL needs no slow target for that: the online network itself, held constant, keeps the
spread as an average does. Once the gradient flows into the target too, the spread falls.

Embeddings of 500 held-out digits along real runs of 600 steps, seed 0.
"""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate
from infonce_ref.algorithms.train import STEPS, Run, begin, one_thread, steps

from . import measurements, style

CLAIMS = ("D3.42", "D3.43", "D3.45", "D3.46")

AT = (0, *(int(t) for t in np.unique(np.geomspace(1, STEPS, 60).round())))  # the steps that are measured

RUNS: dict[str, tuple[str, dict[str, Any]]] = {  # the algorithm, its options
    "SimSiam, with the stop-gradient": ("simsiam", {}),
    "SimSiam, without": ("simsiam", {"stop_gradient": False}),
    "BYOL, target an average": ("byol", {}),
    "BYOL, target the online network, held constant": ("byol", {"target": "online"}),
    "BYOL, target the online network, trained": ("byol", {"target": "trained"}),
}


def spread(run: Run) -> float:
    """√d · std of the unit embeddings of held-out views, as in `evaluate.measure`."""
    images = run.algorithm.images()
    embed = evaluate.freeze(run.algorithm.embedding(run.state), images.plain(images.train))
    z = evaluate.unit(embed(images.view(images.test, np.random.default_rng(0))))
    return float(np.sqrt(z.shape[1]) * np.mean(np.std(z, axis=0)))


def spreads(name: str, count: int) -> Iterator[float]:
    """The spreads in a run, after each step of AT up to its length."""
    algorithm, options = RUNS[name]
    start = begin(ALL[algorithm], **options)
    with one_thread():
        for run in chain([start], steps(start, count)):
            if len(run.losses) in AT:
                yield spread(run)


def measure() -> dict[str, list[float]]:
    """Measure the spread in each run after each step of AT; this machine's curves are kept beside this file."""
    return {name: [round(s, 4) for s in spreads(name, STEPS)] for name in RUNS}


def draw() -> Figure:
    figure, axes = style.panels(2)
    kept = measurements.read(__file__)
    for axis, family, looks in zip(axes, ("SimSiam", "BYOL"), ((0, 1), (0, 2, 1))):  # 1 is what falls
        names = [name for name in RUNS if name.startswith(family)]
        untrained = kept[names[0]][0]
        axis.axhline(untrained, color=style.GREY, **style.LIMIT)
        style.note(axis, "untrained", (STEPS, untrained), (0, -4), ha="right", va="top")
        for name, look in zip(names, looks):
            axis.plot(AT[1:], kept[name][1:], **style.line(look), label=name.removeprefix(f"{family}, "))
        style.logarithmic(axis, x=(1, 10, 100, STEPS), y=(0.01, 0.03, 0.1, 0.3, 1))
        axis.set(
            title=f"{family}: spread √d · std", xlabel="training step", xlim=(1, STEPS), ylim=(0.01, 1.2)
        )
        axis.legend(loc="lower left")
    return figure


if __name__ == "__main__":
    measurements.write(__file__, measure(), "numpy", "scikit-learn")
