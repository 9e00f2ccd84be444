"""At similarity ½ a larger batch makes the force on a row grow, and saturate.

Left: the force that the loss, summed over its anchors, exerts on one row, times τ. It is 2 (1 − P_p) √(1 − s_p² +
(1 + s_p)/(2B − 2)) with 1 − P_p = M/(M + e^{(s_p − s_n)/τ}), nearly proportional to the number of negatives M = 2B
− 2 while that is far below the exponential; it saturates above it, the later the smaller τ, and cannot pass 1.
Right: the norm of the gradient of the mean loss, times τ. The mean divides each row's force by the number of rows,
N = 2B, and N such forces have a norm √N times that of one: √N/N, a slope of −½. That is the division, not a weaker
force; an encoder's gradient is the average of N such forces, each through its own row.

B images, twice each: similarity 0.5 within a pair, 0 between pairs. Lines are the closed form, markers the
library's NT-Xent. Grey: random rows of 64 features with that similarity on average, at τ = 0.1; dots are medians,
bars span nine rows in ten.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent
from infonce_ref.streaming import ntxent as streaming

from . import style
from .views import orthogonal_pairs

CLAIMS = ("D2.17", "D2.18", "M5", "M14")

PAIRS = (2, 4, 8, 16, 32, 64, 128, 256)
POSITIVE = 0.5  # similarity within each pair
TEMPERATURES = (1.0, 0.2, 0.1, 0.07)
MARKED = (256, 512, 4096)  # batches that are known from papers
RANDOM = (4, 64, *MARKED)
RANDOM_TEMPERATURE = 0.1


def coefficient(negatives: np.ndarray | float, tau: float) -> np.ndarray:
    """1 − P_p = M / (M + e^{(s_p − s_n)/τ}), with s_n = 0.                            [D2.17, M14]"""
    return negatives / (negatives + np.exp(POSITIVE / tau))


def closed_form(pairs: np.ndarray | int, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """τ times the force on a row, and τ ‖∂𝓛/∂w‖ over all N = 2B rows, from M5 for `orthogonal_pairs`.

    Row a_k: Σ_j (G_kj + G_jk) z_j = 2 [−q b_k + q/(2B − 2) Σ_{l≠k} 2 cos φ u_l]. The tangential part of b_k
    has length √(1 − s_p²), the sum has length 2 cos φ √(B − 1), is orthogonal to it and to a_k, and
    cos² φ = (1 + s_p)/2.
    """
    q = coefficient(2 * pairs - 2, tau)
    row = 2 * q * np.sqrt(1 - POSITIVE**2 + (1 + POSITIVE) / (2 * (pairs - 1)))
    return row, row / np.sqrt(2 * pairs)


def library(views: np.ndarray, tau: float) -> tuple[np.ndarray, float]:
    """The same of these unit rows, the force on each of them, from `ntxent`; tile by tile where they are many."""
    loss = ntxent if len(views) <= 1024 else streaming
    _, cache = loss.forward(views, temperature=tau)
    each = tau * np.linalg.norm(loss.backward(cache).w, axis=1)
    return len(views) * each, float(np.linalg.norm(each))


@cache
def of_random_pairs(pairs: int) -> tuple[np.ndarray, float]:
    """The same: the first views Gaussian, the second equal to them plus noise that leaves them similar to 0.5."""
    rng = np.random.default_rng(pairs)
    first = rng.standard_normal((pairs, 64), np.float32)
    second = first + np.sqrt(3, dtype=np.float32) * rng.standard_normal((pairs, 64), np.float32)
    rows = np.concatenate([first, second])
    return library(rows / np.linalg.norm(rows, axis=1, keepdims=True), RANDOM_TEMPERATURE)


def draw() -> Figure:
    figure, (row, mean) = style.panels(2, height=4.2)
    fine = np.geomspace(PAIRS[0], MARKED[-1], 200)
    random = [of_random_pairs(pairs) for pairs in RANDOM]
    low, median, high = np.transpose([np.percentile(forces, (5, 50, 95)) for forces, _ in random])
    row.vlines(RANDOM, low, high, style.GREY, alpha=0.5, linewidth=4)
    row.plot(RANDOM, median, color=style.GREY, marker="o", linestyle="none", zorder=1)
    mean.plot(RANDOM, [norm for _, norm in random], color=style.GREY, marker="o", linestyle="none", zorder=1)
    for i, tau in enumerate(TEMPERATURES):
        found = zip(*(library(orthogonal_pairs(pairs, POSITIVE), tau) for pairs in PAIRS))
        # the logits' error [S3]; a matrix product may add its 2N terms sequentially
        rtol = 16 * style.EPS / tau + 2 * PAIRS[-1] * style.EPS
        lines = closed_form(fine, tau), closed_form(np.array(PAIRS), tau), found
        for axis, line, closed, points in zip((row, mean), *lines):
            style.compare(axis, i, (fine, line), PAIRS, closed, points, rtol)
    limit = 2 * np.sqrt(1 - POSITIVE**2)
    row.axhline(limit, **style.RULE)
    style.note(row, f"limit {limit:.2f}: 1 − P cannot pass 1", (2, limit), (2, 4))
    for i, (tau, at) in enumerate(zip(TEMPERATURES, (4, 8, 36, 200))):
        look = {"ha": "right"} if i else {"ha": "left", "va": "top"}
        style.name(row, f"τ = {tau:g}", (at, float(closed_form(at, tau)[0])), i, (-6 if i else 6, 0), **look)
        style.name(mean, f"τ = {tau:g}", (2, float(closed_form(2, tau)[1])), i, (2, -9), va="top")
    mean.plot(fine, limit / np.sqrt(2 * fine), **style.LIMIT, color=style.BLACK)
    why = "slope −½: the mean's 1/N,\nnot a weaker force.\nN forces over N: √N/N"
    style.later(style.note(mean, why, (24, 0.4), (0, 0)))
    row.set(title="Force on one row, times τ", ylim=(0, 2))
    mean.set(title="Norm of the mean loss's gradient, times τ", ylim=(7e-4, 2))
    style.logarithmic(mean, y=(0.001, 0.01, 0.1, 1))
    for axis in (row, mean):
        axis.set(xscale="log", xlabel="images B in the batch")
        axis.set_xticks((2, 8, 32, *MARKED), ("2", "8", "32", "256", "\n512", "4,096"))
        axis.minorticks_off()
        for pairs in MARKED:
            axis.axvline(pairs, **style.LIMIT, color=style.GREY)
    return figure
