"""log N − loss is a bound on mutual information; NT-Xent's log(2N − 1) − loss is none.

Left: log N − 𝓛 for correlated Gaussians, whose information is known, with the best score there is,
log p(y|x)/p(y): it follows the truth up to log N, and no loss of N candidates can say more. Middle: the law of one
fair bit, I = log 2, whose two views are equal, and every batch of N images counted with its probability. NT-Xent
compares 2N − 1 candidates, but log(2N − 1) − 𝓛 is no bound: both views of an image come together. log N − 𝓛 is one.
Right: by how much log(2N − 1) − 𝓛 passes the truth, in thousandths of a nat: from five images on, if τ is small
enough.

Lines are closed forms (left: the lesser of I and log N), markers the library.
"""

from functools import cache
from math import comb, log

import numpy as np
from matplotlib.figure import Figure

from infonce_ref import information
from infonce_ref.losses import cpc, ntxent

from . import style

CLAIMS = ("D3.32", "P1", "P2")

CANDIDATES = (4, 16, 64, 256)
DIMENSION = 4  # independent coordinates, each of correlation ρ
SAMPLES = 3000
INFORMATION = tuple(np.arange(1.0, 9.0))

IMAGES = tuple(range(2, 13))
TEMPERATURES = (0.1, 0.3, 0.4)
BIT = log(2)


@cache
def gaussian(candidates: int, truth: float) -> float:
    """log N − 𝓛 from `cpc`, the mean over the samples: the positive stands first, the others are independent."""
    rng = np.random.default_rng(candidates)
    rho2 = 1 - np.exp(-2 * truth / DIMENSION)  # I = −(d/2) log(1 − ρ²)
    x = rng.standard_normal((SAMPLES, 1, DIMENSION))
    y = rng.standard_normal((SAMPLES, candidates, DIMENSION))
    y[:, :1] = np.sqrt(rho2) * x + np.sqrt(1 - rho2) * y[:, :1]
    # log p(y|x)/p(y) = d/2 log 1/(1 − ρ²) + ½ Σ [y² − (y − ρx)²/(1 − ρ²)]
    scores = truth + np.sum(y**2 - (y - np.sqrt(rho2) * x) ** 2 / (1 - rho2), axis=2) / 2
    value, _ = cpc.forward(scores, positive=np.zeros(SAMPLES, dtype=int))
    return float(information.bound("cpc", value, candidates=candidates))


def bit_loss(images: int, tau: float) -> float:
    """The expected NT-Xent loss in closed form: K of the other images, binomial, show the anchor's bit."""
    n = images - 1
    return sum(comb(n, k) * log(1 + 2 * k + 2 * (n - k) * np.exp(-2 / tau)) for k in range(n + 1)) / 2**n


@cache
def library_bit_loss(images: int, tau: float) -> float:
    """The same bound from `ntxent`: every batch of bits ±1, both views equal, weighted by the number of its
    orders."""

    def value(ones: int) -> float:
        bits = np.repeat([1.0, -1.0], [ones, images - ones])
        return float(ntxent.forward(np.tile(bits, 2)[:, None], temperature=tau)[0])

    return sum(comb(images, ones) * value(ones) for ones in range(images + 1)) / 2**images


def draw() -> Figure:
    figure, (saturation, bounds, excess) = style.panels(3, width=11, height=3.8)
    fine = np.linspace(0, 8, 161)
    saturation.plot(fine, fine, **style.RULE, linestyle=":")
    for i, n in enumerate(CANDIDATES):
        saturation.plot(
            fine, np.minimum(fine, log(n)), **style.line(i) | {"linewidth": 1.1}, label=f"N = {n}"
        )
        saturation.plot(INFORMATION, [gaussian(n, truth) for truth in INFORMATION], **style.marker(i))
    saturation.set(
        title="log N − loss, Gaussians", xlabel="true information (nats)", xlim=(0, 8), ylim=(0, 8)
    )
    saturation.legend(loc="upper left")

    found = {t: [[of(n, t) for n in IMAGES] for of in (bit_loss, library_bit_loss)] for t in TEMPERATURES}
    wrong = np.log(2 * np.array(IMAGES) - 1)
    excess.axhline(0, **style.RULE)
    for i, (tau, (losses, computed)) in enumerate(found.items()):
        # sums of positive terms over 13 batches; the logits' error is eps/τ [S3]
        style.require_close(computed, losses, 16 * style.EPS / tau)
        excess.plot(IMAGES, 1000 * (wrong - losses - BIT), **style.line(i), label=f"τ = {tau:g}")
        excess.plot(IMAGES, 1000 * (wrong - computed - BIT), **style.marker(i))
    excess.set(title="log(2N − 1) − loss − truth, nats/1000", xlabel="images N", ylim=(-16, 6))
    excess.legend(loc="lower right")

    tau, (losses, computed) = next(iter(found.items()))
    right = [information.bound("ntxent", loss, pairs=n) for loss, n in zip(computed, IMAGES)]
    bounds.axhline(BIT, **style.RULE)
    style.note(bounds, "truth, log 2", (12, BIT), (0, -15), ha="right")
    bounds.plot(IMAGES, wrong - losses, **style.line(1), label="log(2N − 1) − loss")
    bounds.plot(IMAGES, wrong - computed, **style.marker(1))
    bounds.plot(IMAGES, np.log(IMAGES) - losses, **style.line(0), label="log N − loss")
    bounds.plot(IMAGES, right, **style.marker(0))
    bounds.set(title=f"NT-Xent, one bit, τ = {tau:g}", xlabel="images N", ylim=(0, 0.8))
    bounds.legend(loc="center right")
    return figure
