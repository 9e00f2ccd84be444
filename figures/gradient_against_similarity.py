"""The hardest negative is not pushed, the farthest positive is not pulled.

On the unit sphere only the tangential part of a force moves a row, and of a force along the anchor that is √(1 −
s²). The push on a negative, P(s) √(1 − s²) / τ, grows with its similarity s to the anchor only up to s* (star),
where s/(1 − s²) = (1 − P(s))/τ. Then it falls: a negative that coincides with the anchor has the largest P and is
not pushed at all, though beside that point it is. The pull on the positive, (1 − P_p) √(1 − s²) / τ, vanishes at s
= −1 as well as at s = 1. Times τ both have one scale; the last panel keeps the 1/τ, which makes the push on near
negatives strong where τ is small.

One anchor, its positive and eight negatives at right angles to it, but for the candidate that moves; with a moving
negative the positive stays at s = 0.5. Drawn is ‖∂ℓ/∂w‖ of what moves. Lines are the closed form, markers and
arrows the library's backward pass.
"""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from scipy.optimize import brentq

from infonce_ref import sphere
from infonce_ref.losses import query_key

from . import style

CLAIMS = ("D2.4", "D2.9", "D2.12", "D2.14", "D2.15a", "D2.15b", "M15")

TEMPERATURES = (1.0, 0.3, 0.1)
NEGATIVES = 8
POSITIVE = 0.5  # similarity of the positive while the negative moves


def probability(s: np.ndarray | float, tau: float, rest: float) -> np.ndarray:
    """P(s) of a candidate at similarity s, where all others together weigh `rest` = Σ e^{s_a/τ}."""
    return 1 / (1 + rest * np.exp(-np.asarray(s) / tau))


def sum_others(moving: str, tau: float) -> float:
    """Σ e^{s_a/τ} of everything but the candidate that moves: the orthogonal ones weigh 1 each."""
    return NEGATIVES if moving == "positive" else NEGATIVES - 1 + np.exp(POSITIVE / tau)


def closed_form(moving: str, s: np.ndarray | float, tau: float) -> np.ndarray:
    """‖∂ℓ/∂w‖ of the candidate that moves, ‖w‖ = 1; also its part of the anchor's gradient.  [D2.12, D2.14]"""
    p = probability(s, tau, sum_others(moving, tau))
    return (1 - p if moving == "positive" else p) * np.sqrt(1 - np.asarray(s) ** 2) / tau


def gradients(moving: str, s: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """∂ℓ/∂z and ∂ℓ/∂w (n, 3) of the candidate that moves, from `query_key` and `sphere`, one query for each
    similarity in s. The anchor is (1, 0, 0), the candidate (s, √(1 − s²), 0)."""
    anchor, sideways, still = np.eye(3)
    query = np.tile(anchor, (len(s), 1))
    moved, cache = sphere.forward(s[:, None] * anchor + np.sqrt(1 - s**2)[:, None] * sideways)
    positive = np.tile(POSITIVE * anchor + np.sqrt(1 - POSITIVE**2) * sideways, (len(s), 1))
    negatives = np.tile(still, (len(s), NEGATIVES, 1))
    if moving == "positive":
        positive = moved
    else:
        negatives[:, 0] = moved
    _, passed = query_key.forward(query, positive, negatives, temperature=tau, reduction="sum")
    grads = query_key.backward(passed)
    dz = grads.positive if moving == "positive" else grads.negatives[:, 0]
    return dz, sphere.backward(cache, dz)


def library(moving: str, s: np.ndarray, tau: float) -> np.ndarray:
    """‖∂ℓ/∂w‖ of the candidate that moves."""
    return np.linalg.norm(gradients(moving, s, tau)[1], axis=1)


def turning_point(tau: float) -> float:
    """s*, where the push on one negative is largest: s/(1 − s²) = (1 − P(s))/τ.      [D2.4]"""
    rest = sum_others("negative", tau)
    return brentq(lambda s: s / (1 - s**2) - (1 - probability(s, tau, rest)) / tau, 0, 1 - 1e-12)


def draw() -> Figure:
    figure, (push, pull, drawing, kept) = style.panels(2, 2, height=6.6)
    draw_curves(push, "negative", times_tau=True)
    draw_curves(pull, "positive", times_tau=True)
    draw_curves(kept, "negative", times_tau=False)
    push.set(title="Push on a negative, times τ", ylabel="τ · size of the gradient")
    pull.set(title="Pull on the positive, times τ: same scale")
    kept.set(title="The push, its 1/τ kept: another scale", ylabel="size of the gradient")
    for axis in (push, pull):
        axis.set_ylim(0, 1.08)
    least = TEMPERATURES[-1]
    peak = turning_point(least)
    at = (peak, least * float(closed_form("negative", peak, least)))
    far = {"textcoords": "data", "ha": "right", "arrowprops": style.ARROW | {"relpos": (1, 0)}}
    style.later(
        style.note(push, f"pushed hardest at s* = {peak:.2f}", at, (-8, 2), ha="right"),
        style.note(push, "at the anchor: not pushed", (1, 0), (1, 0.86), **far),
    )
    style.later(
        style.note(pull, "opposite: not pulled", (-1, 0), (-0.05, 0.13), **far | {"arrowprops": style.ARROW})
    )
    draw_forces(drawing)
    return figure


NAMED = {  # at which similarity a curve is named, to which side and how far above, for each temperature
    "negative": ((-0.5, "right", 3), (0.2, "right", 3), (0.5, "right", 3)),
    "positive": ((0.7, "left", 3), (0.82, "right", -8), (0.28, "right", -8)),
}


def draw_curves(axis: Axes, moving: str, times_tau: bool) -> None:
    """The sizes at each temperature."""
    fine, coarse = np.cos(np.linspace(0, np.pi, 401)), np.linspace(-1, 1, 21)
    for i, (tau, (at, side, up)) in enumerate(zip(TEMPERATURES, NAMED[moving])):
        factor = tau if times_tau else 1
        line, closed = (factor * closed_form(moving, s, tau) for s in (fine, coarse))
        # the logits are accurate to eps/τ [S3], sizes are of order 1/τ, and √(1 − s²) is as accurate as s
        tolerance = 16 * style.EPS / tau, 16 * style.EPS / tau
        style.compare(
            axis, i, (fine, line), coarse, closed, factor * library(moving, coarse, tau), *tolerance
        )
        if moving == "negative":
            peak = np.array([turning_point(tau)])
            axis.plot(peak, factor * closed_form(moving, peak, tau), **(style.line(i) | style.PEAK))
        named = (at, factor * float(closed_form(moving, at, tau)))
        style.name(axis, f"τ = {tau:g}", named, i, (-9 if side == "right" else 9, up), ha=side)
    axis.set(xlim=(-1.03, 1.03), ylim=(0, None), xticks=(-1, -0.5, 0, 0.5, 1))
    axis.set_xlabel(f"similarity s of the {moving} to the anchor")


def draw_forces(axis: Axes) -> None:
    """A half circle with the anchor at its right end, negatives, and the library's forces at the least τ."""
    tau, length = TEMPERATURES[-1], 0.62
    turn = np.linspace(0, np.pi, 181)
    axis.plot(np.cos(turn), np.sin(turn), **style.RULE)
    angles = np.radians([45, 18, 0])
    rows = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    whole, tangential = (-tau * length * part[:, :2] for part in gradients("negative", rows[:, 0], tau))
    for row, force, left in zip(rows, whole, tangential):
        for vector, colour in ((force, style.GREY), (left, style.GREEN)):
            axis.annotate("", row + vector, row, arrowprops=style.ARROW | {"color": colour, "linewidth": 1.8})
    axis.plot(*rows.T, **style.marker(2))
    axis.plot(1, 0, marker="o", markersize=9, color=style.BLACK, zorder=1)
    across = np.array([-rows[0, 1], rows[0, 0]])
    axis.plot(
        *np.stack([rows[0] - 0.45 * across, rows[0] + 0.75 * across]).T, **style.LIMIT, color=style.GREY
    )
    notes = (
        ("anchor", (1, 0), (8, -3), "left", style.BLACK),
        ("negative", rows[0], (8, 0), "left", style.BLACK),
        ("push of the softmax, P/τ", rows[0] + whole[0], (-4, -12), "center", style.GREY),
        ("part along the tangent", rows[0] + tangential[0], (-8, 3), "right", style.GREEN),
        ("it points inwards:\nno tangent part", rows[2] + whole[2], (-6, -3), "right", style.GREY),
    )
    for words, at, offset, side, colour in notes:
        style.note(axis, words, at, offset, ha=side, color=colour)
    axis.set(title="Why: only the tangent part moves a row", aspect="equal")
    axis.set(xlim=(-1.1, 1.5), ylim=(-0.12, 1.2))
    axis.set_axis_off()
