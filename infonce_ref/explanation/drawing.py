"""The figures of an explanation, each with its caption."""

from functools import partial

import numpy as np
from matplotlib.figure import Figure

from ..figures import Entry, style
from .record import Record

BIN = 2  # bins of the histogram per drawn bar


def entries(found: Record) -> dict[str, Entry]:
    """Return the figures by name."""
    drawn = (
        Entry(
            "similarities",
            "Cosines of this batch.",
            "Positives, negatives, and negatives of the anchor's label if there are labels; each adds up to 1. "
            "Where they overlap the loss has work to do.",
            ("D3.3",),
            partial(similarities, found),
        ),
        Entry(
            "pushes",
            f"How hard row {found.typical.name}, of the median loss, pushes each of its negatives.",
            "Lines: P √(1 − s²), what a negative of cosine s adds to the gradient along the sphere, over "
            "the largest there can be. Markers: its own negatives. The smaller τ, the fewer have a part in it, and "
            "the very nearest, at s = 1, has none.",
            ("M15", "D2.14"),
            partial(pushes, found),
        ),
        Entry(
            "temperatures",
            "The table as curves.",
            "The loss between its floor and its ceiling, and that of a collapsed batch; the effective "
            "negatives; who gets the push; and the length of the gradient. The upright line is the temperature "
            "asked about, the dotted one that at which a learned one would stop.",
            ("M4", "M23", "M8", "M15", "M5", "R1"),
            partial(temperatures, found),
        ),
    )
    return {entry.name: entry for entry in drawn}


def similarities(found: Record) -> Figure:
    figure, (axis,) = style.panels(1, width=7.5, height=3.2)
    edges = np.array(found.histogram.edges)[::BIN]
    kinds = {
        "positives": found.histogram.positives,
        "negatives": found.histogram.negatives,
        "negatives of the anchor's label": found.histogram.same_label,
    }
    for i, (name, counts) in enumerate(kinds.items()):
        if counts is not None and any(counts):
            shares = np.add.reduceat(counts, np.arange(0, len(counts), BIN)) / np.sum(counts)
            axis.stairs(shares, edges, label=name, **style.line(i), linewidth=1.8)
    seen = np.flatnonzero(np.add(found.histogram.positives, found.histogram.negatives))
    low, high = (found.histogram.edges[place] for place in (seen[0], seen[-1] + 1))
    axis.set(xlabel="cosine", ylabel="share", ylim=(0, None), xlim=(low - 0.05, high + 0.05))
    axis.legend(loc="upper left")
    return figure


def size(s: np.ndarray, tau: float, log_total: float) -> np.ndarray:
    """P √(1 − s²) / τ of a negative at cosine s: the length of its part of the anchor's gradient.  [D2.14, M15]"""
    return np.exp(s / tau - log_total) * np.sqrt(np.maximum(1 - s * s, 0)) / tau


def pushes(found: Record) -> Figure:
    figure, (axis,) = style.panels(1, width=7.5, height=3.4)
    negatives = np.array(found.typical.negatives)
    fine = np.cos(np.linspace(0, np.pi, 2001))
    warmest, asked, coldest = 0, found.table.index(found.row), len(found.table) - 1
    for i, t in enumerate(sorted({warmest, asked, coldest})):
        tau, total = found.table[t].temperature, found.typical.log_total[t]
        largest = size(fine, tau, total).max()
        axis.plot(fine, size(fine, tau, total) / largest, **style.line(i), label=f"τ = {tau:g}")
        axis.plot(negatives, size(negatives, tau, total) / largest, **style.marker(i) | {"markersize": 3.5})
    axis.axvline(found.typical.positive, **style.LIMIT | {"color": style.GREY})
    at, apart = (found.typical.positive, 1.0), {"textcoords": "offset points", "annotation_clip": False}
    axis.annotate("positive", at, (3, 4), color=style.GREY, **apart)
    axis.set(xlabel="cosine of the negative", ylabel="size, of the largest", xlim=(-1.03, 1.03))
    axis.set(ylim=(0, None))
    axis.legend(loc="upper left")
    return figure


def temperatures(found: Record) -> Figure:
    figure, (loss, negatives, shares, gradient) = style.panels(2, 2, width=9.0, height=6.4)
    tau = [row.temperature for row in found.table]
    curves = {
        loss: (
            ("loss", [row.loss for row in found.table]),
            ("floor", [row.floor for row in found.table]),
            ("ceiling", [row.ceiling for row in found.table]),
            ("collapsed", [np.log(2 * found.batch - 1)] * len(tau)),
        ),
        negatives: (("effective negatives", [row.effective_negatives for row in found.table]),),
        shares: (
            (f"nearest {found.nearest}", [row.hardest_share for row in found.table]),
            ("same label", [row.same_label_share for row in found.table]),
            ("same label by chance", [row.same_label_chance for row in found.table]),
        ),
        gradient: (("‖∂𝓛/∂w‖".replace("𝓛", "L"), [row.gradient_norm for row in found.table]),),
    }  # fmt: skip
    for axis, lines in curves.items():
        for i, (name, values) in enumerate(lines):
            if not np.isnan(values).all():
                axis.plot(tau, values, label=name, marker="o", markersize=3, **style.line(i))
        axis.set(xscale="log", xlabel="τ")
        axis.axvline(found.temperature, **style.RULE)
        if tau[-1] <= found.rest.temperature <= tau[0]:
            axis.axvline(found.rest.temperature, **style.LIMIT | {"color": style.GREY, "linestyle": ":"})
    loss.set(title="Loss, nats", ylim=(0, 1.6 * np.log(2 * found.batch)))
    negatives.set(title=f"Effective negatives, of {2 * found.batch - 2}", yscale="log")
    shares.set(title="Share of the push", ylim=(0, 1.02))
    gradient.set(title="Length of the gradient", ylim=(0, None))
    for axis in (loss, shares):
        axis.legend()
    return figure
