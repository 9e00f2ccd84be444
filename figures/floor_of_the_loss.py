"""A loss is read against its floor, which rises with the batch and with the temperature.

No batch of B pairs has a mean loss below log(1 + (2B − 2) e^{−B/((B − 1) τ)}); a collapsed one has the blind guess,
log(2B − 1). Left: the floor grows with the batch, so that a larger batch has the larger loss although its rows may
be no worse. Middle: with the temperature it climbs from 0 towards the blind guess, so that at τ = 1 the best loss
is about a nat below that. Right: SimCLR on the digits. The runs at large temperatures end with the larger loss, and
nearer to their floor (dashes).

Lines are the floor; markers the library's NT-Xent of B different images at the corners of a regular simplex, both
views alike. Runs: batches of 128 images, 600 steps, seed 0, means over 20 steps.
"""

from collections.abc import Iterator

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.train import STEPS, begin, one_thread, steps
from infonce_ref.floors import least
from infonce_ref.losses import ntxent

from . import measurements, style

CLAIMS = ("M4", "M8")

TEMPERATURES = (1.0, 0.3, 0.1)
PAIRS = (2, 8, 64, 256)
SHOWN = (0.05, 0.1, 0.2, 0.5, 1.0, 3.0)
MEAN = 20  # steps


def floor(pairs: int, tau: float, features: int = 512) -> float:
    """The least mean loss of B pairs.                                                       [M4]"""
    return least("ntxent", pairs=pairs, features=features, temperature=tau).value


def library(pairs: int, tau: float) -> float:
    """The loss of a batch that reaches it."""
    simplex = np.eye(pairs) - 1 / pairs
    return float(ntxent.forward(np.concatenate([simplex, simplex]), temperature=tau)[0])


def run(tau: float, count: int) -> Iterator[float]:
    """The mean loss of each MEAN steps of a run."""
    with one_thread():
        *_, last = steps(begin(ALL["simclr"], temperature=tau), count)
    yield from np.mean(np.reshape(last.losses, (-1, MEAN)), axis=1)


def draw() -> Figure:
    figure, (by_batch, by_temperature, runs) = style.panels(3, width=11, height=3.9)
    batches, temperatures = np.unique(np.geomspace(2, 512, 100).astype(int)), np.geomspace(0.03, 5, 100)
    kept = measurements.read(__file__)
    for i, tau in enumerate(TEMPERATURES):
        line = [floor(pairs, tau) for pairs in batches]
        closed, found = ([of(pairs, tau) for pairs in PAIRS] for of in (floor, library))
        style.compare(by_batch, i, (batches, line), PAIRS, closed, found, 16 * style.EPS / tau)
        style.name(by_batch, f"τ = {tau:g}", (128, floor(128, tau)), i, (6, 4 if i == 2 else -12))
        runs.plot(np.arange(MEAN, STEPS + 1, MEAN), kept[f"{tau:g}"], **style.line(i))
        runs.axhline(floor(128, tau, 16), **style.line(i) | style.LIMIT)
        style.name(runs, f"τ = {tau:g}", (STEPS, kept[f"{tau:g}"][-1]), i, (0, 5), ha="right")
    by_batch.plot(batches, np.log(2 * batches - 1), **style.RULE)
    style.note(by_batch, "blind guess, log(2B − 1)", (40, np.log(79)), (-4, 4), ha="right")
    for i, pairs in enumerate(PAIRS):
        line = [floor(pairs, tau) for tau in temperatures]
        closed, found = ([of(pairs, tau) for tau in SHOWN] for of in (floor, library))
        style.compare(
            by_temperature, i, (temperatures, line), SHOWN, closed, found, 16 * style.EPS / np.array(SHOWN)
        )
        style.name(by_temperature, f"B = {pairs}", (5, floor(pairs, 5.0)), i, (0, 4), ha="right")
    by_batch.set(title="Floor by the batch (nats)", xlabel="images B in the batch", ylim=(0, 7.4))
    style.logarithmic(by_batch, x=(2, 8, 32, 128, 512))
    by_temperature.set(title="Floor by the temperature", xlabel="temperature τ", ylim=(0, 7.4))
    style.logarithmic(by_temperature, x=(0.05, 0.2, 1, 5))
    runs.set(title="Loss of a run, and its floor", xlabel="training step", ylim=(0, 7.4))
    return figure


if __name__ == "__main__":
    found = {f"{tau:g}": [round(float(x), 4) for x in run(tau, STEPS)] for tau in TEMPERATURES}
    measurements.write(__file__, found, "numpy", "scikit-learn")
