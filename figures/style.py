"""The one style of all figures: colours for every eye, dashes for a grey print, the same bytes always.

Nothing here touches pyplot, a display, or the reader's own matplotlib settings.
"""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

# Okabe and Ito's palette, without its yellow, which paper does not show; order: far apart in grey as well.
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
)
GREY = "#767676"

_SERIES = (
    (BLUE, "-", "o"),
    (VERMILLION, (0, (6, 2)), "s"),
    (GREEN, (0, (6, 2, 1.2, 2)), "^"),
    (PURPLE, (0, (1.2, 1.6)), "D"),
    (ORANGE, (0, (9, 2)), "v"),
    (SKY, (0, (3, 1.5)), "P"),
)

_SETTINGS: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # ships with matplotlib
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "figure.constrained_layout.use": True,
    "svg.fonttype": "path",  # the same on a machine without the font
    "svg.hashsalt": "infonce_ref",
}


def applied() -> AbstractContextManager[None]:
    """The style, on top of matplotlib's defaults instead of the reader's own settings, for a with block."""
    return matplotlib.style.context(["default", _SETTINGS])


def panels(
    columns: int, rows: int = 1, *, width: float = 9.0, height: float = 3.8
) -> tuple[Figure, list[Axes]]:
    """An empty figure of that many panels, in inches, and its axes in reading order."""
    figure = Figure(figsize=(width, height))
    return figure, list(np.atleast_1d(figure.subplots(rows, columns)).flat)


def line(i: int) -> dict[str, Any]:
    """Colour and dashes of the i-th series, for `plot`."""
    colour, dashes, _ = _SERIES[i]
    return {"color": colour, "linestyle": dashes}


def marker(i: int) -> dict[str, Any]:
    """The i-th series as open markers, for what the library computed on top of a closed form's line."""
    colour, _, shape = _SERIES[i]
    return {"color": colour, "linestyle": "none", "marker": shape, "markerfacecolor": "white"}


RULE: dict[str, Any] = {"color": BLACK, "linewidth": 0.8}
LIMIT: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (3, 2))}
PEAK: dict[str, Any] = {"marker": "*", "markersize": 12, "markeredgecolor": "black", "markeredgewidth": 0.7}


def proxy(label: str, **look: Any) -> Line2D:
    """A legend's entry that belongs to no one series."""
    return Line2D([], [], label=label, **({"color": BLACK, "linestyle": "none"} | look))


def witnesses() -> list[Line2D]:
    """The legend's entries that tell a closed form's line from the library's markers."""
    return [
        proxy("closed form", linestyle="-"),
        proxy("library's backward pass", marker="o", markerfacecolor="white"),
    ]


def save(figure: Figure, stem: Path, *, title: str, description: str) -> list[Path]:
    """Write stem.svg and stem.png, with the caption inside and neither date nor version."""
    words = {"Title": title, "Description": description}
    paths = [stem.with_suffix(".svg"), stem.with_suffix(".png")]
    figure.savefig(paths[0], metadata={**words, "Date": None, "Creator": None})
    figure.set_layout_engine("none")  # placed once, so that both files agree
    figure.savefig(paths[1], metadata={**words, "Software": None}, dpi=160)
    return paths
