"""The clamp of the debiased loss makes the gradient jump: the pull on the positive drops, and the push on the
negatives stops.

The debiased loss takes the mean of e^{s/τ} over the negatives, less what the anchor's own class adds to it, for
what a true negative is worth, and keeps that from falling below e^{−1/τ}, the least it can be. At this clamp the
loss is continuous and its slopes are not. Left: the pull on a positive at s_p = 0.8, with the prior 0.1, against
the one similarity of its 256 negatives; in grey with the prior 0, without the correction. To the right of the
dotted lines the pull grows as the negatives move away, above 1 even, up to the clamp; beyond, it is what
negatives at −1 would leave, and nothing pushes the negatives. Right: the factor of the fall, 1 + π⁺/(1 − π⁺)
e^{(1 + s_p)/τ}, which no number of negatives changes.

256 negatives. Lines are the proved slopes, markers differences of the loss that the library computes.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import hard_negative

from . import style

CLAIMS = ("R5",)

NEGATIVES = 256
POSITIVE, PRIOR = 0.8, 0.1
TEMPERATURES = (0.5, 0.3, 0.2)
PRIORS = (0.1, 0.01, 0.001)
STEP = 1e-6


def true_negative(own: float, negative: np.ndarray, tau: float, prior: float) -> np.ndarray:
    """(U − π⁺ e^{L⁺})/(1 − π⁺), the estimate for a true negative before the clamp. [R5]"""
    return (np.exp(negative / tau) - prior * np.exp(own / tau)) / (1 - prior)


def loss(own: float, negative: float, tau: float, prior: float) -> float:
    """ℓ of an anchor with these similarities to its positive and its negatives, by the library."""
    positive = [own, np.sqrt(1 - own**2), 0.0]
    others = [[negative, 0.0, np.sqrt(1 - negative**2)]] * NEGATIVES
    rows = np.array([[1.0, 0.0, 0.0], positive, *others])
    losses, _ = hard_negative.forward(
        rows, temperature=tau, beta=0.0, prior=prior, reduction="none", layout="interleaved"
    )
    return float(losses[0])


def pull(own: float, negative: np.ndarray, tau: float, prior: float) -> np.ndarray:
    """−∂ℓ/∂L⁺ = M (g⁻ + θ e^{L⁺})/(e^{L⁺} + M g⁻), θ = π⁺/(1 − π⁺) where the clamp is open, else 0.   [R5]"""
    free, least = true_negative(own, negative, tau, prior), np.exp(-1 / tau)
    odds = np.where(free > least, prior / (1 - prior), 0)
    worth, whole = np.maximum(free, least), np.exp(own / tau)
    return NEGATIVES * (worth + odds * whole) / (whole + NEGATIVES * worth)


def edge(own: float, tau: float, prior: float) -> float:
    """The similarity of the negatives at which the clamp begins to bind."""
    return float(tau * np.log((1 - prior) * np.exp(-1 / tau) + prior * np.exp(own / tau)))


def drop(own: np.ndarray, tau: float, prior: float) -> np.ndarray:
    """1 + π⁺/(1 − π⁺) e^{(1 + s_p)/τ}.                                                            [R5]"""
    return 1 + prior / (1 - prior) * np.exp((1 + own) / tau)


def slope(own: float, negative: float, tau: float, prior: float) -> float:
    """The pull as a difference of the loss, by the logit of the positive."""
    ahead, behind = (loss(own + side * STEP * tau, negative, tau, prior) for side in (1, -1))
    return (behind - ahead) / (2 * STEP)


def draw() -> Figure:
    figure, (pulls, factors) = style.panels(2, height=4.0)
    for i, tau in enumerate(TEMPERATURES):
        at = edge(POSITIVE, tau, PRIOR)
        pulls.plot([], [], **style.line(i), label=f"τ = {tau:g}")
        for low, high in ((-1, at - 1e-9), (at + 1e-9, 1)):
            fine = np.linspace(low, high, 300)
            pulls.plot(fine, pull(POSITIVE, fine, tau, PRIOR), **style.line(i))
        some = np.linspace(-0.975, 0.975, 14)
        pulls.plot(some, [slope(POSITIVE, each, tau, PRIOR) for each in some], **style.marker(i))
        pulls.axvline(at, color=style.line(i)["color"], linewidth=0.9, linestyle=":")
        whole = np.linspace(-1, 1, 200)
        pulls.plot(whole, pull(POSITIVE, whole, tau, 0.0), color=style.GREY, linewidth=0.9, zorder=1)
    pulls.plot([], [], color=style.GREY, linewidth=0.9, label="prior 0")
    pulls.set(title="Pull on the positive", xlabel="similarity of the negatives", yscale="log")
    pulls.set(xticks=(-1, -0.5, 0, 0.5, 1))
    pulls.legend(loc="lower right")
    own = np.linspace(-1, 1, 200)
    for i, tau in enumerate(TEMPERATURES):
        for prior, width in zip(PRIORS, (2.2, 1.4, 0.8)):
            factors.plot(own, drop(own, tau, prior), **style.line(i) | {"linewidth": width})
    factors.legend(
        handles=[
            *(style.proxy(f"τ = {tau:g}", **style.line(i)) for i, tau in enumerate(TEMPERATURES)),
            *(
                style.proxy(f"prior {prior:g}", linestyle="-", linewidth=width)
                for prior, width in zip(PRIORS, (2.2, 1.4, 0.8))
            ),
        ],
        loc="upper left",
    )
    factors.set(title="Factor by which it drops", xlabel="similarity $s_p$ of the positive", yscale="log")
    factors.set(xticks=(-1, -0.5, 0, 0.5, 1))
    return figure
