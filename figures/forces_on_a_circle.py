"""The smaller the temperature, the more of the push goes to the nearest strangers.

Lines tie the framed row to all others, as thick as their coefficients in its force: blue where it is pulled, to the
partner, and red where it is pushed, from strangers. At a large temperature the push is spread over everybody, and
much of it cancels; at a small one it goes to the nearest strangers, and a pair that is nearer to each other than to
any stranger is hardly moved, times τ. Arrows are the steps of descent, along the circle, for what points out of it
is lost.

Four images, two views each, disc and square of a colour. A line is as thick as the entry of G + Gᵀ; an arrow is a
third of −Nτ times the gradient. Both are the library's NT-Xent.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import ntxent

from . import matrix_of_forces, style

CLAIMS = ("D1.15", "M5", "M15")

TEMPERATURES = (1.0, 0.3, 0.1)
DEGREES = ((20, 115, 200, 300), (60, 130, 255, 345))  # of the first views, and of the second


def rows() -> np.ndarray:
    angle = np.radians(np.ravel(DEGREES))
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def library(z: np.ndarray, tau: float) -> np.ndarray:
    """τ times the force on each of these unit rows, from `ntxent`."""
    _, cache = ntxent.forward(z, temperature=tau, reduction="sum")
    return -tau * ntxent.backward(cache).w


def draw() -> Figure:
    figure, axes = style.panels(len(TEMPERATURES), width=10, height=3.7)
    z, turn = rows(), np.linspace(0, 2 * np.pi, 361)
    for axis, tau in zip(axes, TEMPERATURES):
        axis.plot(np.cos(turn), np.sin(turn), **style.RULE)
        g = matrix_of_forces.library(z, tau)
        for other, along in zip(z[1:], (g + g.T)[0, 1:]):
            colour = style.VERMILLION if along > 0 else style.BLUE
            axis.plot(*np.stack([z[0], other]).T, color=colour, linewidth=8 * abs(along), alpha=0.6, zorder=1)
        for k, (row, force) in enumerate(zip(z, library(z, tau) / 3)):
            look = {"marker": "os"[k // 4], "markersize": 8, "linestyle": "none", "zorder": 3}
            axis.plot(*row, **style.line(k % 4) | look)
            axis.annotate("", row + force, row, arrowprops=style.ARROW | {"linewidth": 1.6}, zorder=4)
        axis.plot(*z[0], marker="o", markersize=14, color=style.BLACK, fillstyle="none")
        axis.set(title=f"τ = {tau:g}", aspect="equal", xlim=(-1.25, 1.3), ylim=(-1.25, 1.25))
        axis.set_axis_off()
    return figure
