"""The smaller the temperature, the fewer negatives share the push.

Left: the softmax over the negatives alone gives each the weight r_n, here in even shares of 1/M. Two of them stand
in the ratio e^{(s_n − s_m)/τ}, a straight line of slope 1/τ: hard negatives are mined by the softmax, with or
without unit norms. Right: the effective number of negatives, 1/Σ r_n², of M = 256 random unit rows: all of them at
a large temperature, a handful at a small one; and the more dimensions, the smaller that temperature may be, because
random rows are then nearly orthogonal. Rows of real images are not random: training gathers them into groups, and
at τ = 0.1 an anchor of the digits meets some 12 negatives that count. Thin dashes: the limit of many negatives, M
E[e^{s/τ}]² / E[e^{2s/τ}] on the sphere.

Left, 24 negatives: lines are the closed form, markers the library. Right, all from the library: random rows, and
257 held-out digits, as pixels and as rows of SimCLR's trained encoder (600 steps, seed 0); medians of 64 anchors.
"""

import numpy as np
from matplotlib.figure import Figure
from scipy.special import hyp0f1

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate
from infonce_ref.algorithms.train import STEPS, advance, begin, one_thread
from infonce_ref.losses import query_key

from . import measurements, style

CLAIMS = ("D2.4", "M15")

NEGATIVES = 256
SHOWN = 24  # negatives of the left panel, evenly spaced in similarity
TEMPERATURES = (1.0, 0.5, 0.2, 0.1)  # the hardnesses of the left panel
DIMENSIONS = (3, 16, 128)  # of the right panel
AT = np.geomspace(0.01, 10, 25)  # the temperatures at which the digits are measured


def library(negatives: np.ndarray, tau: float, anchor: np.ndarray | None = None) -> np.ndarray:
    """r (M,) for the anchor (1, d), by default (1, 0, …), and these unit rows, from `query_key`."""
    if anchor is None:
        anchor = np.eye(negatives.shape[1])[:1]
    _, cache = query_key.forward(anchor, anchor, negatives, temperature=tau)
    return cache.rows.r.reshape(-1)


def space(count: int) -> np.ndarray:
    """Unit rows in the plane whose similarities to (1, 0) are evenly spaced from −1 to 1."""
    s = np.linspace(-1, 1, count)
    return np.stack([s, np.sqrt(1 - s**2)], axis=1)


def closed_form(s: np.ndarray, of: np.ndarray, tau: float) -> np.ndarray:
    """r at similarity s among negatives at the similarities `of`.                    [M15]"""
    return np.exp(s / tau) / np.sum(np.exp(of / tau))


def random_negatives(dimension: int) -> np.ndarray:
    rows = np.random.default_rng(dimension).standard_normal((NEGATIVES, dimension))
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def many(dimension: int, tau: np.ndarray) -> np.ndarray:
    """M E[e^{s/τ}]² / E[e^{2s/τ}], where E e^{ts} = ₀F₁(d/2; t²/4) for s of uniform unit rows."""
    return NEGATIVES * hyp0f1(dimension / 2, 1 / (2 * tau) ** 2) ** 2 / hyp0f1(dimension / 2, 1 / tau**2)


def measure(rows: np.ndarray) -> list[float]:
    """Effective numbers at each temperature of AT: the median of the first 64 anchors, each before the others."""
    counts = [
        [1 / np.sum(library(np.delete(rows, k, axis=0), tau, rows[k : k + 1]) ** 2) for k in range(64)]
        for tau in AT
    ]
    return [round(float(count), 2) for count in np.median(counts, axis=1)]


def digits() -> dict[str, np.ndarray]:
    """257 held-out digits as unit rows: their pixels, and what SimCLR makes of them."""
    with one_thread():
        run = advance(begin(ALL["simclr"]), STEPS)
        images = run.algorithm.images()
        pixels, train = (images.plain(x).astype(float) for x in (images.test[: NEGATIVES + 1], images.train))
        embed = evaluate.freeze(run.algorithm.embedding(run.state), train)
        return {"digits, pixels": evaluate.unit(pixels), "digits, SimCLR": evaluate.unit(embed(pixels))}


def draw() -> Figure:
    figure, (weights, count) = style.panels(2)
    s = space(SHOWN)[:, 0]
    for i, tau in enumerate(TEMPERATURES):
        closed, found = SHOWN * closed_form(s, s, tau), SHOWN * library(space(SHOWN), tau)
        style.compare(weights, i, (s, closed), s, closed, found, 16 * style.EPS / tau, label=f"τ = {tau:g}")
    weights.set(title="Weight of a negative, $M r_n$", xlabel="similarity $s_n$", yscale="log")
    weights.set(ylim=(1e-3, 30), xticks=(-1, -0.5, 0, 0.5, 1))
    weights.legend(loc="lower right")
    cold_to_warm = np.geomspace(0.01, 10, 91)
    for i, dimension in enumerate(DIMENSIONS):
        negatives = random_negatives(dimension)
        effective = [1 / np.sum(library(negatives, t) ** 2) for t in cold_to_warm]
        count.plot(cold_to_warm, effective, **style.line(i), label=f"{dimension} dimensions")
        shown = cold_to_warm[cold_to_warm > 0.03]
        count.plot(shown, many(dimension, shown), **style.line(i) | style.LIMIT)
    for i, (name, effective) in enumerate(measurements.read(__file__).items()):
        count.plot(AT, effective, **style.marker(3 + i) | {"markersize": 4}, label=name)
    count.axhline(NEGATIVES, **style.RULE)
    count.set(title=r"Effective number of negatives, $1/\sum r_n^2$, of 256", ylim=(0.9, 400))
    count.set(xlabel="temperature τ", xscale="log", yscale="log")
    count.set_yticks((1, 10, 100, 256), ("1", "10", "100", "256"))
    limit = style.proxy("limit of many", **style.LIMIT)
    lines = count.get_lines()
    of_digits = lines[2 * len(DIMENSIONS) :][:2]
    count.legend(handles=[*lines[: 2 * len(DIMENSIONS) : 2], limit, *of_digits], loc="lower right")
    return figure


if __name__ == "__main__":
    found = {name: measure(rows) for name, rows in digits().items()}
    measurements.write(__file__, found, "numpy", "scikit-learn")
