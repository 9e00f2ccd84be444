"""At a small τ a softmax stops pulling a near positive, unless its denominator lacks it.

The size of the gradient that the positive's row receives, against its similarity s to the anchor, all negatives
orthogonal to the anchor. With q = 1 − P_p and t = √(1 − s²), the length of what of the anchor is tangential at the
positive, the losses of the softmax pull with q t: the pull fades before s = 1, earlier at smaller τ. NCE with
noise of density 1 has the very same q, and SigLIP with the bias −log M. Where the positive is an anchor too, or
the negatives of others, their parts add. D1's q never falls below ½. DHN-NCE has no q, for its positive is not in
its denominator: it pulls the same at every τ. SupCon's anchor shares its pull among its positives, here two, and
pushes one that has more than its share; the debiased estimate lets go at its clamp, all at
once. The hinge pulls with all its force or not at all; BYOL and SimSiam have t alone.

M = 8 negatives; unit rows, gradient through the norm, loss summed, times τ where there is one; lines are
the closed forms, markers the library. Each panel has a scale of its own.
"""

from collections.abc import Callable
from functools import cache, partial
from textwrap import fill
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from infonce_ref import losses, sphere

from . import style
from .views import orthogonal_pairs

M = 8
TEMPERATURES = ("τ", (1.0, 0.5, 0.2))
ALONE = ("", (None,))
ANCHOR, SIDEWAYS, APART = np.eye(3)[:, None, :]  # (1, 3) each
APARTS = np.repeat(APART, M, axis=0)
COLUMNS = 4


class Panel(NamedTuple):
    """A loss's panel.

    formula: the closed form, for the title · claims: the ids of the ledger that it shows · closed: the closed form
    at similarities (n,) and a setting · pull: the library's, at one similarity · settings: what the lines differ
    in, a symbol and its values.
    """

    formula: str
    claims: tuple[str, ...]
    closed: Callable[[np.ndarray, Any], np.ndarray]
    pull: Callable[[float, Any], float]
    settings: tuple[str, tuple] = TEMPERATURES


def t(s: Any) -> Any:
    """The length of the anchor's part that is tangential at the positive."""
    return np.sqrt(1 - s**2)


def q(s: Any, tau: float, itself: float = 0.0) -> Any:
    """1 − P_p, if the anchor has the weight `itself` in its own denominator."""
    return (M + itself) / (M + itself + np.exp(s / tau))


def positive(s: float) -> np.ndarray:
    return s * ANCHOR + t(s) * SIDEWAYS


def pull(loss: str, by: str, upstream: Any = None, row: int = 0, /, **arguments: Any) -> float:
    """‖∂𝓛/∂w‖ of a row of this input, through its norm.

    upstream: the weights of the rows of a loss without reduction.
    """
    module = getattr(losses, loss)
    _, cache = module.forward(**arguments)
    grads = module.backward(cache) if upstream is None else module.backward(cache, upstream)
    return length(arguments[by][row], getattr(grads, by)[row])


def length(z: np.ndarray, dz: np.ndarray) -> float:
    _, cache = sphere.forward(z[None])
    return float(np.linalg.norm(sphere.backward(cache, dz[None])))


def pull_on_a_view(loss: str, s: float, tau: float, by: str = "w") -> float:
    """The pull of all anchors on a row that is an anchor too."""
    views = {by: orthogonal_pairs(M // 2 + 1, s)}
    return tau * pull(loss, by, temperature=tau, reduction="sum", **views)


def pull_of_one_anchor(loss: str, s: float, tau: float, **options: Any) -> float:
    """The pull of one of the anchors on its positive."""
    w, first = orthogonal_pairs(M // 2 + 1, s), np.eye(M + 2)[0]
    return tau * pull(loss, "w", first, M // 2 + 1, w=w, temperature=tau, reduction="none", **options)


def pull_on_a_text(loss: str, s: float, tau: float, **options: Any) -> float:
    """The pull of the images on the text of the first one."""
    image, text = np.split(orthogonal_pairs(M + 1, s), 2)
    return tau * pull(loss, "text", image=image, text=text, temperature=tau, **options)


def infonce(s: np.ndarray, tau: float) -> np.ndarray:
    itself = np.exp(1 / tau)
    negative = 1 / (M + itself + np.exp(s / tau))
    return 2 * np.sqrt((q(s, tau, itself) * t(s)) ** 2 + negative**2 * M * (1 + s))


PRIOR = 0.1  # the share of all rows that are in the anchor's class


def hard_negative(s: np.ndarray, tau: float) -> np.ndarray:
    """The pull by the estimate for a true negative, or by its floor where the estimate is clamped."""
    own, floor = np.exp(s / tau), np.exp(-1 / tau)
    estimate = (1 - PRIOR * own) / (1 - PRIOR)  # all negatives are orthogonal: e⁰
    pulling = np.where(estimate > floor, M / (1 - PRIOR), M * floor)
    return pulling / (own + M * np.maximum(estimate, floor)) * t(s)


def labels() -> np.ndarray:
    """SupCon's anchor has another positive, orthogonal like the negatives."""
    found = np.tile(np.arange(M // 2 + 1), 2)
    found[1] = found[0]
    return found


def pull_of_scores(loss: str, s: float, tau: float, by: str = "scores", **options: Any) -> float:
    """The pull on a row by a loss of scores s/τ, by the chain rule."""
    module = getattr(losses, loss)
    options = options or {"scores": np.array([[s] + [0.0] * M]) / tau, "positive": np.array([0])}
    _, cache = module.forward(**options)
    return length(positive(s)[0], getattr(module.backward(cache), by).flat[0] * ANCHOR[0])


def pull_of_nce(s: float, tau: float) -> float:
    """With noise of density 1, so that m p_n = M."""
    zeros = np.zeros((1, M))
    noise = {"noise_scores": zeros, "log_noise_data": np.zeros(1), "log_noise": zeros}
    return pull_of_scores("nce", s, tau, "data_scores", data_scores=np.array([s / tau]), **noise)


def pull_on_a_key(s: float, tau: float) -> float:
    keys = {"query": ANCHOR, "positive": positive(s), "negatives": APARTS}
    return tau * pull("query_key", "positive", temperature=tau, **keys)


def pull_on_a_bank(loss: str, s: float, tau: float, **options: Any) -> float:
    rows = np.concatenate([positive(s), APARTS])
    return tau * pull(loss, "bank", v=ANCHOR, bank=rows, index=np.array([0]), temperature=tau, **options)


def softmax(s: np.ndarray, tau: float) -> np.ndarray:
    return q(s, tau) * t(s)


PANELS = {
    "infonce": Panel(
        r"$2√(q^2t^2 + P_n^2 M(1+s))$", ("D1.13",), infonce, partial(pull_on_a_view, "infonce", by="z")
    ),
    "ntxent": Panel(
        r"$2q√(t^2 + (1+s)/M)$",
        ("M5",),
        lambda s, tau: 2 * q(s, tau) * np.sqrt(t(s) ** 2 + (1 + s) / M),
        partial(pull_on_a_view, "ntxent"),
    ),
    "dcl": Panel(
        r"$2√(t^2 + (1+s)/M)$",
        ("F2",),
        lambda s, tau: 2 * np.sqrt(t(s) ** 2 + (1 + s) / M),
        partial(pull_on_a_view, "dcl"),
    ),
    "hard_negative": Panel(
        r"$P\,t$, clamped $\varphi\,t$",
        ("F30", "R5"),
        hard_negative,
        partial(pull_of_one_anchor, "hard_negative", beta=1.0, prior=PRIOR),
    ),
    "supcon": Panel(
        r"$|q - \frac{1}{2}|\,t$",
        ("F23",),
        lambda s, tau: np.abs(q(s, tau) - 0.5) * t(s),
        partial(pull_of_one_anchor, "supcon", labels=labels()),
    ),
    "query_key": Panel(r"$q\,t$", ("D2.9", "D2.14", "M14"), softmax, pull_on_a_key),
    "clip": Panel(
        r"$q√(t^2 + 1/M)$",
        ("M17",),
        lambda s, tau: q(s, tau) * np.sqrt(t(s) ** 2 + 1 / M),
        lambda s, tau: (M + 1) * pull_on_a_text("clip", s, tau),  # a mean over the pairs
    ),
    "siglip": Panel(  # at the bias −log M the positive's sigmoid is the softmax's q
        r"$√(q^2 t^2 + M/(M+1)^2)$",
        ("F10",),
        lambda s, tau: np.sqrt((q(s, tau) * t(s)) ** 2 + M / (M + 1) ** 2),
        partial(pull_on_a_text, "siglip", bias=-np.log(M), reduction="sum"),
    ),
    "cpc": Panel(r"$q\,t$", ("D1.7",), softmax, partial(pull_of_scores, "cpc")),
    "triplet": Panel(
        "$2t$, if $s < m/2$",
        ("M12",),
        lambda s, margin: np.where(s < margin / 2, 2 * t(s), 0.0),
        lambda s, margin: pull(
            "triplet", "positive", anchor=ANCHOR, positive=positive(s), negative=APART, margin=margin
        ),
        ("m", (0.0, 0.5, 1.0)),
    ),
    "byol": Panel(
        "$2t$",
        ("M18",),
        lambda s, _: 2 * t(s),
        lambda s, _: pull("byol", "prediction", prediction=positive(s), target=ANCHOR),
        ALONE,
    ),
    "simsiam": Panel(
        "$t/2$",
        ("M19",),
        lambda s, _: t(s) / 2,
        lambda s, _: pull("simsiam", "p1", p1=positive(s), z1=ANCHOR, p2=positive(s), z2=ANCHOR),
        ALONE,
    ),
    "dhn_nce": Panel(
        r"$2√(t^2 + 1/M)$",
        ("M20",),
        lambda s, tau: 2 * np.sqrt(t(s) ** 2 + 1 / M),
        partial(pull_on_a_text, "dhn_nce", beta1=0.5, beta2=0.5),
    ),
    "instance": Panel(r"$q\,t$", ("M16",), softmax, partial(pull_on_a_bank, "instance")),
    "nce": Panel(r"$q\,t$", ("D3.18",), softmax, pull_of_nce),
    "instance_nce": Panel(
        r"$q\,t$",
        ("D3.17",),
        softmax,
        partial(pull_on_a_bank, "instance_nce", noise_index=np.arange(1, M + 1)[None, :]),
    ),
}
PANELS = {name: panel._replace(pull=cache(panel.pull)) for name, panel in PANELS.items()}  # for several sizes
CLAIMS = tuple(dict.fromkeys(id for panel in PANELS.values() for id in panel.claims))


def draw() -> Figure:
    alike: dict[str, list[str]] = {}  # the losses of each formula
    for name, panel in PANELS.items():
        alike.setdefault(panel.formula, []).append(name)
    rows = -(-len(alike) // COLUMNS)
    figure, axes = style.panels(COLUMNS, rows, width=11, height=2.5 * rows + 0.4)
    for unused in axes[len(alike) :]:
        unused.remove()
    fine, coarse = np.cos(np.linspace(0, np.pi, 401)), np.linspace(-1, 1, 22)  # none on a hinge's kink
    # the logits' error [S3]; towards s = ±1 the tangential part is a difference of numbers near 1
    tolerance = 64 * style.EPS, 64 * style.EPS
    for axis, (formula, names) in zip(axes, alike.items(), strict=False):
        for panel in (PANELS[name] for name in names):
            for i, setting in enumerate(panel.settings[1]):
                line, found = panel.closed(fine, setting), [panel.pull(s, setting) for s in coarse]
                style.compare(axis, i, (fine, line), coarse, panel.closed(coarse, setting), found, *tolerance)
        axis.set(title=fill(", ".join(names), 28), xlim=(-1.05, 1.05), xticks=(-1, -0.5, 0, 0.5, 1))
        axis.set_ylim(bottom=0)
        style.note(axis, formula, (0.44, 0.12), (0, 0), xycoords="axes fraction", ha="center", fontsize=10)
    for axis in axes[max(len(alike) - COLUMNS, 0) : len(alike)]:
        axis.set_xlabel("similarity s of the positive")
    axes[0].set_ylabel("size, times τ")
    one_line = axes[list(alike).index(PANELS["byol"].formula)]
    handles = [style.proxy(words, **style.line(i)) for i, words in enumerate(lines())]
    look: dict[str, Any] = {"fontsize": 8, "handlelength": 1.8, "labelspacing": 0.2}
    one_line.legend(handles=handles, loc="center", bbox_to_anchor=(0.5, 0.48), **look)
    return figure


def lines() -> list[str]:
    """The meaning of the first, the second … line of each panel."""
    kinds = dict.fromkeys(panel.settings for panel in PANELS.values() if panel.settings[0])
    return [
        " or ".join(f"{symbol} = {values[i]:g}" for symbol, values in kinds if i < len(values))
        for i in range(max(len(values) for _, values in kinds))
    ]
