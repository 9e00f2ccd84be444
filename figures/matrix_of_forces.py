"""A row is moved by its line of G and by its column; detached candidates lose the column.

G is the softmax of each row over all others, less 1 at its partner. A line of it says how hard that row, as the
anchor, pushes each other row away (above 0), or pulls its partner nearer (below 0). Its column says how hard all
others, as anchors, push and pull the row itself; transposed, that is a line too. The gradient has both, ∂𝓛/∂z_k =
Σ_j (G + Gᵀ)_kj z_j / (Nτ): in the sum partners attract and all others repel, and the matrix is symmetric. The
framed row is the same in all three.

Three images, two views each, a and b; τ = 0.5. Every number is the library's NT-Xent.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent

from . import style

CLAIMS = ("D1.12", "D1.13", "D1.15", "M6")

TEMPERATURE = 0.5
NAMES = ("a₁", "a₂", "a₃", "b₁", "b₂", "b₃")
ROW = 0  # the framed one


def rows() -> np.ndarray:
    """Six unit rows: the second view equal to the first plus noise."""
    first, noise = np.random.default_rng(5).standard_normal((2, 3, 3))
    z = np.concatenate([first, first + 0.7 * noise])
    return z / np.linalg.norm(z, axis=1, keepdims=True)


def library(z: np.ndarray, tau: float) -> np.ndarray:
    """G (N, N) from the forward pass: q_i = 1 − P_ip, and r_ij, the softmax over the negatives alone."""
    _, cache = ntxent.forward(z, temperature=tau)
    partner = np.roll(np.eye(len(z)), len(z) // 2, axis=1)
    return cache.rows.q[:, None] * (cache.rows.r - partner)


def draw() -> Figure:
    figure, axes = style.panels(3, width=10, height=3.7)
    g = library(rows(), TEMPERATURE)
    titles = (
        "G: what a row wants as an anchor",
        "Gᵀ: what the others want of it",
        "G + Gᵀ: what moves the row",
    )
    for axis, matrix, title in zip(axes, (g, g.T, g + g.T), titles):
        style.matrix(axis, matrix, NAMES, limit=1.5)
        axis.set(title=title)
        style.frame(axis, ROW, 0, columns=len(g))
    style.frame(axes[0], 0, ROW, rows=len(g), linestyle=":")
    axes[1].set_xlabel("blue: pulled nearer, red: pushed away")
    return figure
