"""DHN-NCE pushes hard negatives more, and attracts easy ones.

Left: the weight W of a negative in the sum, against its similarity: β = 0 weighs all alike, a larger β moves the
same total B − 1 to the hardest. Right: the gradient with respect to a negative's similarity. If the weights are
held constant (thin), every negative is pushed away. If they are differentiated, as the formula is printed,
the gradient of an easy negative is below 0, and descent pulls it in: raising an easy similarity takes
weight away from the hard ones. It is so exactly where r^(1+β)/r^(β) < β/(1+β), left of the star.

One image against 24 texts of evenly spaced similarity, τ = 0.5; lines are the closed forms, markers the library.
"""

import numpy as np
from matplotlib.figure import Figure

from infonce_ref.losses import dhn_nce
from infonce_ref.pairs import WeightMode

from . import style

CLAIMS = ("D4.3", "D4.12", "M20", "M21")

TEMPERATURE = 0.5
BETAS = (0.0, 0.5, 1.0, 3.0)
S = np.linspace(-1, 1, 24)


def softmax(c: float, s: np.ndarray) -> np.ndarray:
    """r^(c) at the similarities s: e^{cs/τ} over its sum for the 24 negatives."""
    return np.exp(c * s / TEMPERATURE) / np.sum(np.exp(c * S / TEMPERATURE))


def weight(beta: float, s: np.ndarray) -> np.ndarray:
    """W = (B − 1) r^(β)                                                              [D4.12]"""
    return len(S) * softmax(beta, s)


def gradient(beta: float, s: np.ndarray, weights: str) -> np.ndarray:
    """τ ∂ℓ/∂s of a negative: (1 + β) r^(1+β) − β r^(β), or r^(1+β) if W is constant.  [M20]"""
    hard = softmax(1 + beta, s)
    return hard if weights == "constant" else (1 + beta) * hard - beta * softmax(beta, s)


def turning_point(beta: float) -> float:
    """The similarity below which a negative is attracted: e^{s/τ} Z_β/Z_{1+β} = β/(1+β).   [M21]"""
    ratio = softmax(1 + beta, np.zeros(1)) / softmax(beta, np.zeros(1))
    return TEMPERATURE * float(np.log(beta / (1 + beta) / ratio[0]))


def library(beta: float, weights: WeightMode) -> tuple[np.ndarray, np.ndarray]:
    """W and τ ∂ℓ/∂s of the negatives from `dhn_nce`.

    The texts are unit vectors of the axes, so that image 0 *is* its row of similarities and the gradient with
    respect to the one is the gradient with respect to the other; all other images are so near to every text
    that image 0 has no share, e^{−100}, in the other direction of the loss.
    """
    similarities = np.full((len(S) + 1, len(S) + 1), 50.0)
    similarities[0] = [0.5, *S]
    texts, tau = np.eye(len(S) + 1), TEMPERATURE
    _, cache = dhn_nce.forward(similarities, texts, temperature=tau, beta1=beta, beta2=0.0, weights=weights)
    return len(S) * cache.forth.plain[0, 1:], tau * dhn_nce.backward(cache).image[0, 1:]


def draw() -> Figure:
    figure, (weights, slopes) = style.panels(2)
    fine = np.linspace(-1, 1, 201)
    for i, beta in enumerate(BETAS):
        line, look = (fine, weight(beta, fine)), {"label": f"β = {beta:g}"}
        heavy, pushed = library(beta, "constant")
        style.compare(weights, i, line, S, weight(beta, S), heavy, 64 * style.EPS, **look)
        # logits up to 2 (1 + β)/τ = 16; the gradient is a difference of numbers up to 1 + β
        tolerance = 64 * style.EPS, 64 * style.EPS
        style.require_close(pushed, gradient(beta, S, "constant"), *tolerance)
        slopes.plot(fine, gradient(beta, fine, "constant"), **style.line(i) | {"linewidth": 0.8})
        line, found = (fine, gradient(beta, fine, "differentiated")), library(beta, "differentiated")[1]
        closed = gradient(beta, S, "differentiated")
        style.compare(slopes, i, line, S[::2], closed[::2], found[::2], *tolerance)
        if beta > 0:
            slopes.plot(turning_point(beta), 0, **style.line(i) | style.PEAK)
    weights.set(title="Weight W of a negative", yscale="log", ylim=(1e-4, 30))
    weights.legend(loc="lower right")
    slopes.axhline(0, **style.RULE)
    slopes.set(title="Gradient by its similarity, times τ", ylim=(-0.045, 0.12))
    slopes.legend(
        handles=[
            style.proxy("weights differentiated", linestyle="-"),
            style.proxy("weights constant", linestyle="-", linewidth=0.8),
            style.proxy("below: attracted", **style.PEAK),
        ],
        loc="upper left",
    )
    for axis in (weights, slopes):
        axis.set(xlabel="similarity of the negative", xticks=(-1, -0.5, 0, 0.5, 1))
    return figure
