"""With one caption under the wrong image a learned temperature converges.

The loss, and its slope by the logarithm of the scale 1/τ, which is what is learned in practice. With every
caption nearest to its own image the loss falls for ever: the scale climbs until it is clamped, in CLIP at 100,
the dotted line. With the captions of some images exchanged the loss has its least value at the star, where the
scale comes to rest, the lower the more there are; the bars span where the theorem puts it. With all of them
exchanged, so that pairs are less alike than the batch is on average, the loss only rises, and the scale falls to
0. No batch of 16 pairs is below the thin dashed line; how far a loss is above it, its embeddings cost at this
temperature.

CLIP, 16 pairs of fixed embeddings. Lines are closed forms, markers the library.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure
from scipy.optimize import brentq
from scipy.special import logsumexp, softmax

from infonce_ref.floors import least
from infonce_ref.losses import clip

from . import style

CLAIMS = ("R1", "M17", "M30")

PAIRS, FEATURES = 16, 16
NOISE = 0.15  # of a caption's features, added to its image's, which have length 1
EXCHANGED = {0: "none", 2: "2 of 16", 6: "6 of 16", 16: "all"}
CLAMP = 100.0  # CLIP's
SCALES = np.geomspace(0.5, 200, 181)
SHOWN = SCALES[::12]


@cache
def embeddings(exchanged: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit rows: the images, and their captions, the first of them exchanged in pairs."""
    rng = np.random.default_rng(0)
    images = rng.standard_normal((PAIRS, FEATURES))
    images /= np.linalg.norm(images, axis=1, keepdims=True)
    captions = images + NOISE * rng.standard_normal((PAIRS, FEATURES))
    captions /= np.linalg.norm(captions, axis=1, keepdims=True)
    order = np.arange(PAIRS)
    order[:exchanged] ^= 1
    return images, captions[order]


def directions(exchanged: int) -> tuple[np.ndarray, np.ndarray]:
    """The cosines of each image with every caption, and of each caption with every image; pairs on the diagonal."""
    images, captions = embeddings(exchanged)
    return images @ captions.T, captions @ images.T


@cache
def closed_form(exchanged: int, scale: float) -> tuple[float, float]:
    """𝓛, and ∂𝓛/∂log β = β (mean of E_P[s] − s_p), at β = 1/τ.                          [R1, M17]"""
    loss = slope = 0.0
    for s in directions(exchanged):
        own, p = np.diag(s), softmax(scale * s, axis=1)
        loss += np.mean(logsumexp(scale * s, axis=1) - scale * own) / 2
        slope += scale * np.mean(np.sum(p * s, axis=1) - own) / 2
    return float(loss), float(slope)


@cache
def library(exchanged: int, scale: float) -> tuple[float, float]:
    """The same from `clip`: ∂𝓛/∂log β = −τ ∂𝓛/∂τ."""
    value, cache = clip.forward(*embeddings(exchanged), temperature=1 / scale)
    return float(value), float(-clip.backward(cache).temperature / scale)


def find_rest(exchanged: int) -> float | None:
    """The scale at which the slope is 0, if there is one."""
    least, most = 1e-6, 1e6
    if not closed_form(exchanged, least)[1] < 0 < closed_form(exchanged, most)[1]:
        return None
    return float(brentq(lambda scale: closed_form(exchanged, scale)[1] / scale, least, most, xtol=1e-12))


def limits(exchanged: int) -> tuple[float, float]:
    """Lower and upper bound on the resting scale. [R1]"""
    lead = behind = 0.0
    for s in directions(exchanged):
        lead += np.mean(np.diag(s) - np.mean(s, axis=1)) / 2
        behind += np.mean(np.max(s, axis=1) - np.diag(s)) / 2
    return float(lead), float(np.log(PAIRS) / behind) if behind else np.inf


def draw() -> Figure:
    figure, axes = style.panels(2, height=4.0)
    for i, (exchanged, name) in enumerate(EXCHANGED.items()):
        lines = zip(*(closed_form(exchanged, scale) for scale in SCALES))
        points = zip(*(library(exchanged, scale) for scale in SHOWN))
        # logits up to the scale, each rounded to eps; the loss itself is smaller
        tolerance = 64 * style.EPS, 64 * style.EPS * SHOWN**2
        for axis, line, found in zip(axes, lines, points):
            style.compare(axis, i, (SCALES, line), SHOWN, line[::12], found, *tolerance, label=name)
        if at := find_rest(exchanged):
            value, slope = library(exchanged, at)
            for axis, y in zip(axes, (value, slope)):
                axis.plot(at, y, color=style.line(i)["color"], **style.PEAK, zorder=4)
            axes[1].hlines(-1.6 - 0.12 * i, *limits(exchanged), color=style.line(i)["color"], linewidth=3)
    for axis in axes:
        axis.axvline(CLAMP, **style.RULE, linestyle=":")
        axis.set(xscale="log", xlabel="scale 1/τ", xticks=(1, 10, 100), xticklabels=(1, 10, 100))
    floor = [least("clip", pairs=PAIRS, features=FEATURES, temperature=1 / scale).value for scale in SCALES]
    axes[0].plot(SCALES, floor, **style.RULE, linestyle="--")
    axes[0].set(title="Loss (nats)", yscale="log", ylim=(1e-4, 60))
    axes[1].axhline(0, **style.RULE)
    axes[1].set(title="Slope by the logarithm of the scale", ylim=(-2.05, 2))
    axes[0].legend(title="captions exchanged", loc="lower left")
    return figure
