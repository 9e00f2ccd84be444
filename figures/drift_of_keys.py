"""The slower MoCo's key encoder, the less a key drifts in the queue; too slow, and the loss lags.

Left: 1 minus the cosine of the keys of 500 held-out views with the keys that the encoder made of the same views 8
steps before. Right: the loss, in the mean over 20 steps; the dashes are a blind guess among 1,025. A
copy of the trained encoder, m = 0, moves most: its old keys are another encoder's. The average of m = 0.99 ends
at less than a hundredth of that, and at the lowest loss. That of m = 0.999 moves least, and lags: after 600 steps
more than half of it is still the untrained encoder.

Runs of MoCo on the digits, seed 0: 1,024 keys in the queue, 128 a step, so that a key waits 8 steps.
"""

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate, networks
from infonce_ref.algorithms.train import STEPS, begin, one_thread, steps

from . import measurements, style

CLAIMS = ("D3.37", "D3.38", "D3.39")

MOMENTA = (0.0, 0.9, 0.99, 0.999)
KEYS = 1024  # in the queue, the algorithm's default
WAIT = 8  # steps that a key waits in it
SMOOTHED = 20  # number of steps over which the loss is averaged
AT = tuple(int(t) for t in np.unique(np.geomspace(WAIT, STEPS, 40).round()))  # the steps that are measured


class Found(NamedTuple):
    """At one step: mean 1 − cosine of keys WAIT steps apart; mean loss over its last steps."""

    drift: float
    loss: float


def runs(momentum: float, count: int) -> Iterator[Found]:
    """Results of the run with that momentum, after each step of AT up to its length."""
    past: deque[networks.Network] = deque(maxlen=WAIT + 1)
    start = begin(ALL["moco"], momentum=momentum)
    with one_thread():
        for run in chain([start], steps(start, count)):
            past.append(run.state.f_k)
            if len(run.losses) in AT:
                images = run.algorithm.images()
                views = images.view(images.test, np.random.default_rng(0))
                now, then = (
                    evaluate.unit(evaluate.freeze(encoder, images.plain(images.train))(views))
                    for encoder in (past[-1], past[0])
                )
                # 1 − cos is half a squared chord, which keeps its digits
                yield Found(
                    float(np.mean(np.sum((now - then) ** 2, axis=1)) / 2),
                    float(np.mean(run.losses[-SMOOTHED:])),
                )


def measure() -> dict[str, list[list[float]]]:
    """Measure this machine's runs, which are kept beside this file."""
    return {f"{m:g}": [[float(f"{x:.4g}") for x in found] for found in runs(m, STEPS)] for m in MOMENTA}


def read() -> dict[float, list[Found]]:
    """The runs by their momentum."""
    return {float(m): [Found(*found) for found in run] for m, run in measurements.read(__file__).items()}


def draw() -> Figure:
    figure, (drift, loss) = style.panels(2)
    for look, (momentum, found) in enumerate(read().items()):
        shown = style.line(look) | {"label": f"m = {momentum:g}"}
        drift.plot(AT, [at.drift for at in found], **shown)
        loss.plot(AT, [at.loss for at in found], **shown)
    drift.set(title=f"1 − cosine of keys {WAIT} steps apart", yscale="log", ylim=(1e-5, 3))
    drift.legend(loc="lower left", ncols=2)
    loss.axhline(np.log(KEYS + 1), color=style.GREY, **style.LIMIT)
    loss.set(title="Loss, nats", ylim=(4.5, 7.5))
    loss.legend(loc="lower left")
    for axis in (drift, loss):
        style.logarithmic(axis, x=(10, 100, STEPS))
        axis.set(xlabel="training step", xlim=(WAIT, STEPS))
    return figure


if __name__ == "__main__":
    measurements.write(__file__, measure(), "numpy", "scikit-learn")
