"""Barlow Twins cannot reach 0 with more features than rows, and aligned views cost more than others.

The standardised features of B rows lie in B − 1 dimensions, so that d > B − 1 of them cannot all be uncorrelated.
Left: the floor of the loss for each feature, λκ/(1 + λκ) with κ = d/(B − 1) − 1, against d/(B − 1). In grey, the
least that aligned views, the same in both, can cost: λκ, reached by batches that share it evenly (crosses). The
star is the paper's setting, 2048 rows and 8192 features at λ = 1/200: a loss of more than 121. Right: the
correlation of each feature with itself in the other view at the floor, 1/(1 + λκ): below 1, so that to be at the
floor the two views must differ.

B rows of d = 64 features. Lines are the proved floors, markers and crosses the library's loss of batches made to
reach them.
"""

import numpy as np
from matplotlib.figure import Figure
from scipy.linalg import hadamard

from infonce_ref.losses import barlow_twins

from . import style

CLAIMS = ("R4",)

WEIGHTS = (1 / 200, 0.05, 0.5)
FEATURES = 64
ROWS = (64, 33, 17, 9, 5, 3)
PAPER = (2048, 8192, 1 / 200)  # rows, features, weight


def kappa(ratio: np.ndarray | float) -> np.ndarray | float:
    """κ = d/(B − 1) − 1, or 0 if d ≤ B − 1."""
    return np.maximum(ratio - 1, 0)


def level(ratio: np.ndarray | float, weight: float) -> np.ndarray | float:
    """C_aa at the floor, 1/(1 + λκ).                                                                [R4]"""
    return 1 / (1 + weight * kappa(ratio))


def floor(ratio: np.ndarray | float, weight: float) -> np.ndarray | float:
    """The least loss for each feature, λκ/(1 + λκ).                                                 [R4]"""
    return 1 - level(ratio, weight)


def at_the_floor(rows: int, weight: float) -> tuple[np.ndarray, np.ndarray]:
    """Two views (B, d) whose loss is the floor.

    In M = B − 1 dimensions feature a of view 1 is f_a, of view 2 h_a = α (F Fᵀ)⁻¹ f_a, so that C = Fᵀ H is α times
    a projection. With f_a = (± x_i) by rows of a Hadamard matrix F Fᵀ = d diag(x_i²), so that all C_aa are αM/d;
    and |f_a| = |h_a| = 1 where Σ x_i² = 1 and Σ 1/x_i² = (d/α)² = M² (1 + λκ)².
    """
    m, d = rows - 1, FEATURES
    alpha = d / m * level(d / m, weight)
    # x_1² = share, the others alike: 1/share + (m − 1)²/(1 − share) = (d/α)², the smaller root
    total = (d / alpha) ** 2
    half = (total + 1 - (m - 1) ** 2) / 2
    share = (half - np.sqrt(max(half**2 - total, 0))) / total
    x = np.sqrt([share, *[(1 - share) / (m - 1)] * (m - 1)])
    f = hadamard(d)[:m] * x[:, None]
    return spread(f), spread(alpha / (d * x[:, None] ** 2) * f)


def aligned(rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Two views that are the same, in which the M dimensions are shared evenly."""
    f = hadamard(FEATURES)[: rows - 1] / np.sqrt(rows - 1)
    return spread(f), spread(f)


def spread(columns: np.ndarray) -> np.ndarray:
    """Features (M, d) as columns of B = M + 1 rows, each of mean 0."""
    rows = len(columns) + 1
    basis, _ = np.linalg.qr(np.eye(rows) - 1 / rows)
    return basis[:, : rows - 1] @ columns


def library(z1: np.ndarray, z2: np.ndarray, weight: float) -> tuple[float, np.ndarray]:
    """The loss, and the correlation of each feature with itself, from `barlow_twins`."""
    value, cache = barlow_twins.forward(z1, z2, weight=weight)
    return float(value), 1 - cache.shortfall


def draw() -> Figure:
    figure, (losses, levels) = style.panels(2, height=4.0)
    fine = np.geomspace(0.9, 40, 200)
    ratios = np.array([FEATURES / (rows - 1) for rows in ROWS])
    tolerance = 256 * style.EPS  # 64² correlations, each a sum of up to 64 products
    for i, weight in enumerate(WEIGHTS):
        reached, diagonals = zip(*(library(*at_the_floor(rows, weight), weight) for rows in ROWS))
        found = np.array(reached) / FEATURES, diagonals
        for axis, of, x in zip((losses, levels), (floor, level), found):
            line, look = (fine, of(fine, weight)), {"label": f"λ = 1/{round(1 / weight)}"}
            style.compare(
                axis, i, line, ratios, of(ratios, weight), x, tolerance, tolerance / FEATURES, **look
            )
        losses.plot(fine, weight * kappa(fine), color=style.GREY, linewidth=0.9, zorder=1)
        alike = [library(*aligned(rows), weight)[0] / FEATURES for rows in ROWS]
        style.require_close(alike, weight * kappa(ratios), tolerance, tolerance / FEATURES)
        losses.plot(ratios, alike, "x", color=style.GREY, markersize=5)
    rows, features, weight = PAPER
    for axis, of in ((losses, floor), (levels, level)):
        axis.plot(features / (rows - 1), of(features / (rows - 1), weight), color=style.BLACK, **style.PEAK)
        axis.set_xlabel("d/(B − 1)")
        style.logarithmic(axis, x=(1, 2, 4, 10, 32))
    losses.plot([], [], color=style.GREY, linewidth=0.9, marker="x", label="aligned views")
    losses.set(title="Least loss for each feature", yscale="log", ylim=(1e-3, 20))
    levels.set(title="A feature's own correlation at the floor", ylim=(0, 1.05))
    losses.legend(loc="upper left")
    return figure
