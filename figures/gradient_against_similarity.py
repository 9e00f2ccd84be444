"""The push or pull on a candidate, against its similarity to the anchor.

Lines are the closed form, markers the library's own backward pass. Left, the positive: its pull
(1 − P_p) √(1 − s²) / τ is not largest where the positive is farthest: on the unit sphere it vanishes at
s = −1 as well as at s = 1. Right, one negative: its push P(s) √(1 − s²) / τ grows with the similarity only up
to s* (star), where s/(1 − s²) = (1 − P(s))/τ, and then falls to 0: the very hardest negative is not pushed
at all.
One anchor, one positive, eight negatives, orthogonal to the anchor but for the one that moves; right, the
positive stays at s = 0.5. Drawn is τ ‖∂ℓ/∂w‖ of the candidate that moves, as long as its part of the
anchor's gradient.
"""

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq

from infonce_ref import sphere
from infonce_ref.losses import query_key

from . import style

CLAIMS = ("D2.4", "D2.9", "D2.12", "D2.14", "D2.15a", "D2.15b", "M15")

TEMPERATURES = (1.0, 0.5, 0.2, 0.1)
NEGATIVES = 8
POSITIVE = 0.5  # similarity of the positive while the negative moves


def probability(s: np.ndarray | float, tau: float, rest: float) -> np.ndarray:
    """P(s) of a candidate at similarity s, where all others together weigh `rest` = Σ e^{s_a/τ}."""
    return 1 / (1 + rest * np.exp(-np.asarray(s) / tau))


def sum_others(moving: str, tau: float) -> float:
    """Σ e^{s_a/τ} of everything but the candidate that moves: the orthogonal ones weigh 1 each."""
    return NEGATIVES if moving == "positive" else NEGATIVES - 1 + np.exp(POSITIVE / tau)


def closed_form(moving: str, s: np.ndarray, tau: float) -> np.ndarray:
    """‖∂ℓ/∂w‖ of the candidate that moves, ‖w‖ = 1; also its part of the anchor's gradient.  [D2.12, D2.14]"""
    p = probability(s, tau, sum_others(moving, tau))
    return (1 - p if moving == "positive" else p) * np.sqrt(1 - s**2) / tau


def library(moving: str, s: np.ndarray, tau: float) -> np.ndarray:
    """The same from `query_key` on `sphere`, one query for each similarity in s."""
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
    return np.linalg.norm(sphere.backward(cache, dz), axis=1)


def turning_point(tau: float) -> float:
    """s*, where the push on one negative is largest: s/(1 − s²) = (1 − P(s))/τ.      [D2.4]"""
    rest = sum_others("negative", tau)
    return brentq(lambda s: s / (1 - s**2) - (1 - probability(s, tau, rest)) / tau, 0, 1 - 1e-12)


def draw() -> Figure:
    figure, axes = style.panels(2)
    fine, coarse = np.cos(np.linspace(0, np.pi, 401)), np.linspace(-1, 1, 21)
    for axis, moving in zip(axes, ("positive", "negative")):
        for i, tau in enumerate(TEMPERATURES):
            axis.plot(fine, tau * closed_form(moving, fine, tau), **style.line(i), label=f"τ = {tau:g}")
            axis.plot(coarse, tau * library(moving, coarse, tau), **style.marker(i))
        axis.set(xlim=(-1.03, 1.03), ylim=(0, None), xticks=(-1, -0.5, 0, 0.5, 1))
        axis.set_xlabel(f"similarity s of the {moving}")
    pull, push = axes
    pull.set(title="Pull of the positive", ylabel="τ · size of the gradient")
    push.set(title="Push of one negative")
    pull.legend(loc="lower center")
    for i, tau in enumerate(TEMPERATURES):
        peak = np.array([turning_point(tau)])
        height = tau * closed_form("negative", peak, tau)
        push.vlines(peak, 0, height, **(style.line(i) | {"linestyle": ":", "linewidth": 1}))
        push.plot(peak, height, **(style.line(i) | style.PEAK))
    push.legend(handles=[*style.witnesses(), style.proxy("largest, at s*", **style.PEAK)], loc="upper left")
    return figure
