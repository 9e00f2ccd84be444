"""The one style of all figures: colours safe for colour blindness, dashes for black-and-white print, reproducible
bytes.

No function here uses pyplot, a display, or the reader's own matplotlib settings.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from io import BytesIO, StringIO
from itertools import chain
from textwrap import fill
from typing import Any, NamedTuple

import matplotlib.style
import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.rcsetup import cycler
from matplotlib.text import Annotation
from matplotlib.transforms import ScaledTranslation

# Colours are places in matplotlib's cycle, so that a theme may change them. Okabe and Ito's palette without its
# yellow, which paper does not show, in an order that is far apart in grey as well.
BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK, GREY, WHITE = (f"C{place}" for place in range(9))
_PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")

FORMATS = ("svg", "png", "pdf")
EPS = float(np.finfo(np.float64).eps)
BELOW = -36  # points: below the ticks and the label of an axis

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
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.8,
    "lines.markersize": 5,
    "legend.fontsize": 9,
    "legend.frameon": False,
    "legend.handlelength": 3.2,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "svg.fonttype": "none",  # text stays text
    "pdf.fonttype": 42,
    "svg.hashsalt": "infonce_ref",
}


def _theme(ink: str, grey: str, paper: str, grid: str, palette: tuple[str, ...]) -> dict[str, Any]:
    """The colour of each part of a figure."""
    inks = ("text.color", "axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color")
    papers = ("figure.facecolor", "axes.facecolor", "savefig.facecolor")
    return {
        "axes.prop_cycle": cycler(color=(*palette, ink, grey, paper)),
        "grid.color": grid,
        **dict.fromkeys(inks, ink),
        **dict.fromkeys(papers, paper),
    }


THEMES = {
    "light": _theme("#000000", "#767676", "#FFFFFF", "#E3E3E3", _PALETTE),
    "dark": _theme(
        "#E6E4DF", "#9A9A9F", "#17181B", "#3A3C42", ("#4BA3DB", "#F0783A", "#2FBF97", *_PALETTE[3:])
    ),
}


class Size(NamedTuple):
    """The size of a figure, in inches; None keeps the drawn size. settings: those that the size changes."""

    width: float | None
    shape: float | None  # height / width
    settings: dict[str, Any]


# A slide is as wide as a page, so that its letters are large on a screen; frames are slides that add one part each.
# In a column panels stand one above another; its smallest letters are 9 px high on a phone of 390 px.
SIZES = {
    "page": Size(None, None, {}),
    "slide": (slide := Size(10.0, 9 / 16, {})),
    "frames": slide,
    "column": Size(3.8, None, {"xtick.labelsize": 10, "ytick.labelsize": 10, "legend.handlelength": 2.6}),
}
_size: ContextVar[Size] = ContextVar("size", default=SIZES["page"])


@contextmanager
def apply(theme: str = "light", size: str = "page") -> Iterator[None]:
    """Apply the style within a with block, on top of matplotlib's defaults and not of the reader's settings."""
    settings = [_SETTINGS, THEMES[theme], SIZES[size].settings]
    token = _size.set(SIZES[size])
    try:
        with matplotlib.style.context(["default", *settings]):
            yield
    finally:
        _size.reset(token)


def panels(
    columns: int, rows: int = 1, *, width: float = 9.0, height: float = 3.8
) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with that many panels, and its axes in reading order. Sizes are inches on a page."""
    size = _size.get()
    if size.width and _stack():  # as many panels side by side as keep their width
        count, wide, high = columns * rows, width / columns, height / rows
        columns = max(1, round(size.width / wide))
        rows = -(-count // columns)
        each = size.width / columns
        height = rows * max(high * min(1, each / wide), 0.8 * each)
    elif size.width and size.shape:
        height = size.width * size.shape
    figure = Figure(figsize=(size.width or width, height))
    return figure, list(np.atleast_1d(figure.subplots(rows, columns)).flat)


def _stack() -> bool:
    return _size.get() is SIZES["column"]


def line(i: int) -> dict[str, Any]:
    """Return colour and dashes of the i-th series, for `plot`."""
    colour, dashes, _ = _SERIES[i]
    return {"color": colour, "linestyle": dashes}


def marker(i: int) -> dict[str, Any]:
    """Return open markers of the i-th series, for the library's results on the line of a closed form."""
    colour, _, shape = _SERIES[i]
    return {"color": colour, "linestyle": "none", "marker": shape, "markerfacecolor": WHITE}


def compare(
    axis: Axes, i: int, drawn: tuple, at: Any, closed: Any, found: Any, rtol: Any, atol: Any = 0, **look: Any
) -> None:
    """Draw the i-th series: a closed form as a line, and the library's results as markers, or their means.

    drawn: the line's places and heights. at: the markers' places; closed: their heights by the closed form.
    rtol, atol: of the results; 16 eps/τ where nothing else is said, as logits are accurate to eps/τ [S3]. look: of
    the line, and whether the markers are filled.
    """
    require_close(found, closed, rtol, atol)
    face = {"markerfacecolor": _SERIES[i][0]} if look.pop("filled", False) else {}
    axis.plot(*drawn, **line(i) | look)
    axis.plot(at, [np.mean(x) for x in found], **marker(i) | face)


def require_close(found: Any, closed: Any, rtol: Any, atol: Any = 0) -> None:
    """Raise ValueError if the library's results are not those of a closed form, so that neither is drawn."""
    bounds = (np.broadcast_to(bound, len(found)) for bound in (rtol, atol))
    for x, y, relative, absolute in zip(found, closed, *bounds, strict=True):
        if not np.allclose(x, y, relative, absolute):
            raise ValueError(f"figures: the library gives {x}, the closed form {y}")


def logarithmic(axis: Axes, **ticks: Sequence[float]) -> None:
    """Make axes logarithmic, x or y, with these ticks and no others."""
    for name, places in ticks.items():
        labels = [f"{place:,g}" for place in places]
        axis.set(**{f"{name}scale": "log", f"{name}ticks": places, f"{name}ticklabels": labels})
    axis.minorticks_off()


def note(
    axis: Axes, text: str, at: tuple[float, float], offset: tuple[float, float], **look: Any
) -> Annotation:
    """Write words at a place of the panel, shifted by `offset` points, instead of a legend."""
    usual: dict[str, Any] = {"textcoords": "offset points", "fontsize": 9, "annotation_clip": False}
    return axis.annotate(text, at, offset, **usual | look)


def name(
    axis: Axes, text: str, at: tuple[float, float], i: int, offset: tuple[float, float] = (4, 4), **look: Any
) -> None:
    """Name the i-th series beside its curve, in its colour."""
    note(axis, text, at, offset, color=_SERIES[i][0], fontsize=10, **look)


def matrix(axis: Axes, numbers: np.ndarray, names: Sequence[str], limit: float, digits: int = 2) -> None:
    """Draw a square matrix with its numbers: blue below 0, red above, darkest at ±limit."""
    count = len(numbers)
    axis.pcolormesh(numbers, cmap="RdBu_r", vmin=-limit, vmax=limit, edgecolors="face")
    for (i, j), number in np.ndenumerate(numbers):
        ink = "white" if abs(number) > 0.6 * limit else "black"
        words = f"{number:z.{digits}f}".replace("-", "−")
        note(axis, words, (j + 0.5, i + 0.5), (0, 0), ha="center", va="center", color=ink)
    places = np.arange(count) + 0.5
    axis.set(xticks=places, xticklabels=names, yticks=places, yticklabels=names, aspect="equal")
    axis.set(xlim=(0, count), ylim=(count, 0))
    axis.tick_params(length=0)
    axis.grid(False)


def frame(axis: Axes, row: int, column: int, rows: int = 1, columns: int = 1, **look: Any) -> None:
    """Frame cells of a matrix, which are light in every theme."""
    usual: dict[str, Any] = {"fill": False, "edgecolor": "black", "linewidth": 2}
    axis.add_patch(Rectangle((column, row), columns, rows, **usual | look))


def later(*artists: Artist) -> None:
    """Show these artists in a frame of their own, after their panel."""
    for artist in artists:
        artist.set_gid("later")


def add_message(figure: Figure, message: str, setting: str) -> None:
    """On a slide, which has no caption beside it, put the message above the panels and the setting below."""
    if _size.get() is SIZES["slide"]:
        figure.suptitle(fill(message, 98), fontsize=14, x=0.01, ha="left").set_gid("message")
        figure.supxlabel(fill(setting, 158), fontsize=8.5, x=0.01, ha="left", color=GREY)


def build_up(figure: Figure) -> Iterator[int]:
    """Hide all panels, then show one part after another: a panel, then its `later` artists. The message, which
    tells the answer, comes with the last part."""
    parts: list[list[Artist]] = []
    for axis in figure.axes:
        parts += [[axis], axis.findobj(lambda artist: artist.get_gid() == "later")]
    parts = [part for part in parts if part]
    parts[-1] += figure.findobj(lambda artist: artist.get_gid() == "message")
    for artist in chain(*parts):
        artist.set_visible(False)
    for count, part in enumerate(parts, 1):
        for artist in part:
            artist.set_visible(True)
        yield count


RULE: dict[str, Any] = {"color": BLACK, "linewidth": 0.8}
LIMIT: dict[str, Any] = {"linewidth": 0.9, "linestyle": (0, (3, 2))}
ARROW: dict[str, Any] = {"arrowstyle": "->", "shrinkA": 0, "shrinkB": 0, "color": BLACK, "linewidth": 0.9}
PEAK: dict[str, Any] = {"marker": "*", "markersize": 12, "markeredgecolor": BLACK, "markeredgewidth": 0.7}


def proxy(label: str, **look: Any) -> Line2D:
    """Return a legend's entry that belongs to no single series."""
    return Line2D([], [], label=label, **({"color": BLACK, "linestyle": "none"} | look))


def place(figure: Figure) -> None:
    """Place the panels, once, so that all files and frames agree, and since it takes as long as to draw them."""
    if _stack():
        for axis in figure.axes:
            if legend := axis.get_legend():  # in its old place it would hide a curve
                legend.set_loc("upper left")
                below = ScaledTranslation(0, BELOW / 72, figure.dpi_scale_trans)
                legend.set_bbox_to_anchor((0, 0), axis.transAxes + below)
    FigureCanvasSVG(figure)  # its letters are as wide as those of the file
    ConstrainedLayoutEngine().execute(figure)


def svg(figure: Figure, **words: str) -> str:
    """Return the figure as SVG, with neither date nor version. words: its metadata. Without matplotlib's font, a
    reader gets another one of the same width."""
    buffer = StringIO()
    figure.savefig(buffer, format="svg", metadata={**words, "Date": None, "Creator": None})
    return re.sub(
        "'DejaVu Sans'(?:, sans-serif)?", "'DejaVu Sans', Verdana, sans-serif", _compact(buffer.getvalue())
    )


def _compact(svg: str) -> str:
    """Round coordinates to a hundredth of a point, and write each axis, legend and definition on one line."""

    def round_to(attribute: re.Match) -> str:
        text = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}", attribute[0])
        return " ".join(text.split())

    svg = re.sub(r'\b(?:d|x|y|transform)="[^"]*"', round_to, svg)
    svg = re.sub(
        r' id="(?:later|message|(?:text|line2d|patch|xtick|ytick)_\d+)"', "", svg
    )  # nothing refers to them
    return re.sub(r"\n\s*(?=<)(?!<g id|<defs|<metadata|<!|<svg)", "", svg)


def files(
    figure: Figure, name: str, formats: Iterable[str] = FORMATS[:2], *, title: str, description: str
) -> dict[str, str | bytes]:
    """Return files by name: the figure in each format, with its caption but without date and version, and the
    caption as text."""
    words = {"Title": title, "Description": description}
    text = svg(figure, **words)
    undated = {"CreationDate": None, "Creator": None, "Producer": None}
    options: dict[str, dict[str, Any]] = {
        "png": {"metadata": {**words, "Software": None}, "dpi": 160},
        "pdf": {"metadata": {"Title": title, "Subject": description, **undated}},
    }
    made: dict[str, str | bytes] = {}
    for kind in formats:
        made[f"{name}.{kind}"] = text if kind == "svg" else render(figure, kind, **options[kind])
    return made | {f"{name}.txt": f"{title}\n\n{description}\n"}


def render(figure: Figure, kind: str, **options: Any) -> bytes:
    """The figure as a file of that format."""
    buffer = BytesIO()
    figure.savefig(buffer, format=kind, **options)
    return buffer.getvalue()
