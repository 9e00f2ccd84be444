"""More candidates: the coefficient 1 − P_p saturates, and the gradient's norm falls.

Left and middle: against M negatives of equal similarity 1 − P_p = M / (M + e^{(s_p − s_n)/τ}), the line; the
library's NT-Xent gives the markers. The bars span all anchors of a batch of random rows. All of them stay
within the shaded bounds M/(M + e^{2/τ}) and M/(M + e^{−2/τ}): what cannot pass 1 is not proportional to the
number of candidates. Right: the norm of the full gradient of the mean loss grows as long as 1 − P_p grows
fast, and then falls as one over the square root of the number of rows.
The batch of the lines: B pairs, s_p = 0.5 within each and similarity 0 between them, so M = 2B − 2.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent

from . import style
from .views import orthogonal_pairs

CLAIMS = ("D2.17", "D2.18", "M5", "M14")

PAIRS = (2, 4, 8, 16, 32, 64, 128, 256)
POSITIVE = 0.5  # similarity within each pair
BOUNDED = (1.0, 0.25)  # temperatures of the first two panels
TEMPERATURES = (1.0, 0.5, 0.25, 0.1)  # of the third


def random_pairs(pairs: int) -> np.ndarray:
    """An ordinary batch: Gaussian rows in the plane, the second view equal to the first plus as much noise."""
    rng = np.random.default_rng(pairs)
    first = rng.standard_normal((pairs, 2))
    return np.concatenate([first, first + rng.standard_normal((pairs, 2))])


def coefficient(negatives: np.ndarray | float, tau: float, margin: float = POSITIVE) -> np.ndarray:
    """1 − P_p = M / (M + e^{(s_p − s_n)/τ}), where margin = s_p − s_n.               [D2.17, M14]"""
    return negatives / (negatives + np.exp(margin / tau))


def norm(pairs: np.ndarray | int, tau: float) -> np.ndarray:
    """‖∂𝓛/∂w‖ over all N = 2B rows, from M5 for `orthogonal_pairs`.

    Row a_k: Σ_j (G_kj + G_jk) z_j = 2 [−q b_k + q/(2B − 2) Σ_{l≠k} 2 cos φ u_l]. The tangential part of b_k
    has length √(1 − s_p²), the sum has length 2 cos φ √(B − 1), is orthogonal to it and to a_k, and
    cos² φ = (1 + s_p)/2.
    """
    q = coefficient(2 * pairs - 2, tau)
    row = 2 * q * np.sqrt(1 - POSITIVE**2 + (1 + POSITIVE) / (2 * (pairs - 1)))
    return row / (np.sqrt(2 * pairs) * tau)


def library(views: np.ndarray, tau: float) -> tuple[np.ndarray, float]:
    """1 − P_p of every anchor, and the norm of the full gradient, from `ntxent`."""
    _, cache = ntxent.forward(views, temperature=tau)
    return cache.rows.q, float(np.linalg.norm(ntxent.backward(cache).w))


def draw() -> Figure:
    figure, axes = style.panels(3, width=11, height=3.7)
    negatives, fine = 2 * np.array(PAIRS) - 2, np.geomspace(2, 2 * PAIRS[-1] - 2, 200)
    for i, (axis, tau) in enumerate(zip(axes, BOUNDED)):
        low, high = coefficient(fine, tau, 2), coefficient(fine, tau, -2)
        axis.fill_between(fine, low, high, color=style.GREY, alpha=0.15, linewidth=0, label="bounds")
        anchors = [library(random_pairs(pairs), tau)[0] for pairs in PAIRS]
        axis.vlines(
            negatives, [min(q) for q in anchors], [max(q) for q in anchors], style.BLACK, label="random rows"
        )
        equal = [library(orthogonal_pairs(pairs, POSITIVE), tau)[0].mean() for pairs in PAIRS]
        axis.plot(fine, coefficient(fine, tau), **style.line(i), label="equal negatives")
        axis.plot(negatives, equal, **style.marker(i))
        axis.set(title=f"$1 - P_p$ of an anchor, τ = {tau:g}", ylim=(0, 1.02))
        axis.legend(loc="lower right")
    for i, tau in enumerate(TEMPERATURES):
        norms = [library(orthogonal_pairs(pairs, POSITIVE), tau)[1] for pairs in PAIRS]
        axes[2].plot(fine, norm(fine / 2 + 1, tau), **style.line(i), label=f"τ = {tau:g}")
        axes[2].plot(negatives, norms, **style.marker(i))
    axes[2].set(title="Norm of the full gradient, mean loss", yscale="log")
    axes[2].legend(loc="lower left")
    for axis in axes:
        axis.set(xscale="log", xlabel="negatives M", xticks=(2, 10, 100, 500), xticklabels=(2, 10, 100, 500))
        axis.minorticks_off()
    return figure
