"""The pull on a positive, for every loss: which of them let go of what is already near?

The size of the gradient that the positive's row receives, against its similarity s to the anchor, all negatives
orthogonal to the anchor. With q = 1 − P_p and t = √(1 − s²), the length of what of the anchor is tangential at the
positive, the losses of the softmax pull with q t: the pull fades before s = 1, the earlier the colder. NCE with
noise of density 1 has the very same q. Where the positive is an anchor too, or the negatives of others, their
parts add. D1's q never falls below ½. DHN-NCE has no q, for its positive is not in its denominator: it pulls the
same at every τ. The hinge pulls with all its force or not at all; BYOL and SimSiam have t alone.
M = 8 negatives; unit rows, gradient through the norm, loss summed, times τ where there is one; lines are
the closed forms, markers the library.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from infonce_ref import sphere
from infonce_ref.losses import (
    byol,
    clip,
    cpc,
    dhn_nce,
    infonce,
    instance,
    instance_nce,
    nce,
    ntxent,
    query_key,
    simsiam,
    triplet,
)

from . import style
from .views import orthogonal_pairs

CLAIMS = ("M5", "M12", "M14", "M16", "M17", "M18", "M19", "M20", "D2.9", "D2.14", "D3.17", "D3.18")

M = 8
TEMPERATURES = (1.0, 0.5, 0.2)
MARGINS = (0.0, 0.5, 1.0)
ANCHOR, SIDEWAYS, APART = np.eye(3)[:, None, :]  # (1, 3) each
APARTS = np.repeat(APART, M, axis=0)


class Case(NamedTuple):
    """words: the closed form for the title · closed(s, setting) and library(s, setting), s one similarity ·
    settings: temperatures or margins, or one None."""

    words: str
    closed: Callable[[np.ndarray, Any], np.ndarray]
    library: Callable[[float, Any], float]
    settings: tuple = TEMPERATURES


def t(s: np.ndarray) -> np.ndarray:
    return np.sqrt(1 - s**2)


def q(s: np.ndarray, tau: float, itself: float = 0.0) -> np.ndarray:
    """1 − P_p, where the anchor weighs `itself` in its own denominator."""
    return (M + itself) / (M + itself + np.exp(s / tau))


def infonce_form(s: np.ndarray, tau: float) -> np.ndarray:
    itself = np.exp(1 / tau)
    negative = 1 / (M + itself + np.exp(s / tau))
    return 2 * np.sqrt((q(s, tau, itself) * t(s)) ** 2 + negative**2 * M * (1 + s))


# --- the library's gradient of the positive's row ------------------------------------------------------


def length(w: np.ndarray, dz: np.ndarray) -> float:
    """‖∂𝓛/∂w‖ of the first of the rows w, given ∂𝓛/∂z, through `sphere`."""
    _, cache = sphere.forward(w)
    return float(np.linalg.norm(sphere.backward(cache, dz)[0]))


def positive(s: float) -> np.ndarray:
    return s * ANCHOR + np.sqrt(1 - s**2) * SIDEWAYS


def of_infonce(s: float, tau: float) -> float:
    views = orthogonal_pairs(M // 2 + 1, s)
    _, cache = infonce.forward(views, temperature=tau, reduction="sum")
    return tau * length(views, infonce.backward(cache).z)


def of_ntxent(s: float, tau: float) -> float:
    _, cache = ntxent.forward(orthogonal_pairs(M // 2 + 1, s), temperature=tau, reduction="sum")
    return tau * float(np.linalg.norm(ntxent.backward(cache).w[0]))


def of_query_key(s: float, tau: float) -> float:
    _, cache = query_key.forward(ANCHOR, positive(s), APARTS, temperature=tau)
    return tau * length(positive(s), query_key.backward(cache).positive)


def of_cpc(s: float, tau: float) -> float:
    scores = np.array([[s] + [0.0] * M]) / tau
    _, cache = cpc.forward(scores, positive=np.array([0]))
    return length(positive(s), cpc.backward(cache).scores[:, :1] * ANCHOR)


def of_nce(s: float, tau: float) -> float:
    zeros = np.zeros((1, M))
    _, cache = nce.forward(np.array([s / tau]), zeros, log_noise_data=np.zeros(1), log_noise=zeros)
    return length(positive(s), nce.backward(cache).data_scores[:, None] * ANCHOR)


def of_instance(s: float, tau: float) -> float:
    bank = np.concatenate([positive(s), APARTS])
    _, cache = instance.forward(ANCHOR, bank, index=np.array([0]), temperature=tau)
    return tau * length(bank, instance.backward(cache).bank)


def of_instance_nce(s: float, tau: float) -> float:
    bank = np.concatenate([positive(s), APARTS])
    noise = np.arange(1, M + 1)[None, :]
    _, cache = instance_nce.forward(ANCHOR, bank, index=np.array([0]), noise_index=noise, temperature=tau)
    return tau * length(bank, instance_nce.backward(cache).bank)


def of_triplet(s: float, margin: float) -> float:
    _, cache = triplet.forward(ANCHOR, positive(s), APART, margin=margin)
    return length(positive(s), triplet.backward(cache).positive)


def of_byol(s: float, _: None) -> float:
    _, cache = byol.forward(positive(s), ANCHOR)
    return float(np.linalg.norm(byol.backward(cache).prediction))


def of_simsiam(s: float, _: None) -> float:
    _, cache = simsiam.forward(positive(s), ANCHOR, positive(s), ANCHOR)
    return float(np.linalg.norm(simsiam.backward(cache).p1))


def of_clip(s: float, tau: float) -> float:
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    _, cache = clip.forward(image, text, temperature=tau)
    return tau * len(text) * length(text, clip.backward(cache).text)


def of_dhn_nce(s: float, tau: float) -> float:
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    _, cache = dhn_nce.forward(image, text, temperature=tau, beta1=0.5, beta2=0.5)
    return tau * length(text, dhn_nce.backward(cache).text)


CASES = {
    "infonce": Case(r"$2\sqrt{q^2t^2 + P_n^2 M(1+s)}$", infonce_form, of_infonce),
    "ntxent": Case(
        r"$2q\sqrt{t^2 + (1+s)/M}$",
        lambda s, tau: 2 * q(s, tau) * np.sqrt(t(s) ** 2 + (1 + s) / M),
        of_ntxent,
    ),
    "query_key": Case("$q\\,t$", lambda s, tau: q(s, tau) * t(s), of_query_key),
    "cpc": Case("$q\\,t$", lambda s, tau: q(s, tau) * t(s), of_cpc),
    "nce": Case("$q\\,t$", lambda s, tau: q(s, tau) * t(s), of_nce),
    "instance": Case("$q\\,t$", lambda s, tau: q(s, tau) * t(s), of_instance),
    "instance_nce": Case("$q\\,t$", lambda s, tau: q(s, tau) * t(s), of_instance_nce),
    "clip": Case(r"$q\sqrt{t^2 + 1/M}$", lambda s, tau: q(s, tau) * np.sqrt(t(s) ** 2 + 1 / M), of_clip),
    "dhn_nce": Case(r"$2\sqrt{t^2 + 1/M}$", lambda s, tau: 2 * np.sqrt(t(s) ** 2 + 1 / M), of_dhn_nce),
    "triplet": Case(
        "$2t$, if $s < m/2$", lambda s, margin: np.where(s < margin / 2, 2 * t(s), 0.0), of_triplet, MARGINS
    ),
    "byol": Case("$2t$", lambda s, _: 2 * t(s), of_byol, (None,)),
    "simsiam": Case("$t/2$", lambda s, _: t(s) / 2, of_simsiam, (None,)),
}


def draw() -> Figure:
    figure, axes = style.panels(4, 3, width=11, height=7.6)
    fine, coarse = np.cos(np.linspace(0, np.pi, 401)), np.linspace(-1, 1, 21)
    for axis, name in zip(axes, CASES, strict=True):
        case = CASES[name]
        for i, setting in enumerate(case.settings):
            label = (
                f"m = {setting:g}" if case.settings is MARGINS else f"τ = {setting:g}" if setting else None
            )
            axis.plot(fine, case.closed(fine, setting), **style.line(i), label=label)
            axis.plot(coarse, [case.library(s, setting) for s in coarse], **style.marker(i))
        axis.set(
            title=f"{name}: {case.words}", xlim=(-1.05, 1.05), ylim=(0, 2.3), xticks=(-1, -0.5, 0, 0.5, 1)
        )
        if name in ("query_key", "triplet"):
            at = (
                {"loc": "upper right"}
                if name == "query_key"
                else {"loc": "lower left", "bbox_to_anchor": (0.05, 0)}
            )
            axis.legend(handlelength=2, **at)
    for axis in axes[-4:]:
        axis.set_xlabel("similarity s of the positive")
    figure.supylabel("size of the gradient on the positive, times τ", fontsize=10)
    return figure
