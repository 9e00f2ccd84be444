"""The anchor in its own denominator: no loss below log 2, and aligned pairs are still pulled.

Left: D1's loss, which keeps the anchor among its candidates, against SimCLR's, which masks it. An anchor is at
least as similar to itself as to its positive, so P_p ≤ ½ and D1's loss stays above log 2 however well the pairs
are aligned; SimCLR's falls to log(1 + (2B − 2) e^{−1/τ}). Right: the coefficient 1 − P_p of the positive.
SimCLR's falls away as the pairs align, the faster the smaller the temperature; D1's never falls below ½.

B = 8 pairs, similarity s within a pair and 0 between pairs; lines are the closed forms, markers the library.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref import cross_entropy
from infonce_ref.losses import infonce, ntxent

from . import style
from .views import orthogonal_pairs

CLAIMS = ("D1.3", "M1", "M2", "M3")

PAIRS = 8
TEMPERATURES = (0.5, 0.2, 0.1)
LOSSES = {"infonce": infonce, "ntxent": ntxent}


def closed_form(loss: str, s: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """ℓ and 1 − P_p: a negative weighs 1, the positive e^{s/τ}, and with D1 the anchor e^{1/τ}.  [M2]"""
    others = (2 * PAIRS - 2 + (np.exp(1 / tau) if loss == "infonce" else 0)) * np.exp(-s / tau)
    return np.log1p(others), others / (1 + others)


def library(loss: str, s: np.ndarray, tau: float) -> tuple[np.ndarray, np.ndarray]:
    """The same from the forward pass: the value, and q = 1 − P_p, the same for every anchor."""
    passes = [LOSSES[loss].forward(orthogonal_pairs(PAIRS, x), temperature=tau) for x in s]
    rows = [cache.rows for _, cache in passes]
    q = [x.own + x.others if isinstance(x, cross_entropy.Anchored) else x.q for x in rows]
    return np.array([value for value, _ in passes]), np.array([x.mean() for x in q])


def draw() -> Figure:
    figure, (values, coefficients) = style.panels(2)
    fine, coarse = np.linspace(0, 1, 201), np.linspace(0, 1, 11)
    for i, tau in enumerate(TEMPERATURES):
        for loss, width in (("infonce", 2.2), ("ntxent", 1.2)):
            parts = closed_form(loss, fine, tau), closed_form(loss, coarse, tau), library(loss, coarse, tau)
            for axis, line, closed, found in zip((values, coefficients), *parts):
                look = {"linewidth": width, "filled": loss == "infonce"}
                style.compare(axis, i, (fine, line), coarse, closed, found, 16 * style.EPS / tau, **look)
    values.axhline(np.log(2), **style.RULE)
    style.note(values, "log 2", (0, np.log(2)), (2, 3))
    coefficients.axhline(0.5, **style.RULE)
    values.set(title="Loss (nats)", yscale="log")
    coefficients.set(title="Coefficient of the positive, $1 - P_p$", ylim=(0, 1.03))
    values.legend(
        handles=[
            *(style.proxy(f"τ = {tau:g}", **style.line(i)) for i, tau in enumerate(TEMPERATURES)),
            style.proxy("anchor kept (D1)", marker="o"),
            style.proxy("anchor masked (SimCLR)", marker="o", markerfacecolor=style.WHITE),
        ],
        loc="lower left",
    )
    for axis in (values, coefficients):
        axis.set(xlabel="similarity s of each pair", xlim=(-0.02, 1.02))
    return figure
