"""The figures, one file each; every curve of the library is drawn from its own results.

A figure is a file of this folder with

    its docstring            the caption: what to see, in plain words
    CLAIMS                   the ids of the ledger that it shows
    draw() -> Figure         the picture

and is found by its file's name: a new file needs no entry anywhere.
"""

from collections.abc import Callable, Sequence
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, NamedTuple

from infonce_ref.names import describe_unknown
from infonce_ref.output import hand_out

if TYPE_CHECKING:  # so that the names alone need no matplotlib
    from matplotlib.figure import Figure

NAMES: tuple[str, ...] = tuple(
    sorted(
        module.name
        for module in iter_modules(__path__)
        if module.name not in ("style", "views", "measurements")
    )
)


class Entry(NamedTuple):
    """One figure: title is the first line of its caption, text the rest."""

    name: str
    title: str
    text: str
    claims: tuple[str, ...]
    draw: "Callable[[], Figure]"

    def svg(self, theme: str = "light", size: str = "page") -> str:
        """The picture as SVG, of a theme and a size of `style`."""
        from . import style

        with style.apply(theme, size):
            return style.svg(self.draw())


def load(name: str) -> Entry:
    """The figure of that name; ValueError if there is none."""
    if name not in NAMES:
        raise ValueError(f"figures: {describe_unknown(name, NAMES)}")
    module = import_module(f"{__name__}.{name}")
    title, _, text = cleandoc(str(module.__doc__)).partition("\n\n")
    return Entry(name, title, text, module.CLAIMS, module.draw)


def build(
    out: Path,
    only: Sequence[str] = (),
    progress: Callable[[str, int, int], None] = lambda *_: None,
    *,
    formats: Sequence[str] = ("svg", "png"),
    theme: str = "light",
    size: str = "page",
    force: bool = False,
) -> list[Path]:
    """Draw the figures named in `only`, or all, into the folder `out`, in these formats, the captions beside them.

    formats: of style.FORMATS; theme: of style.THEMES; size: of style.SIZES. progress is called with (name, figures
    written, figures in all) after each; force: also replace files that somebody changed. Returns the files written,
    the same bytes on every run. Raises ValueError for an unknown name, before anything is drawn.
    """
    from . import style

    entries = [load(name) for name in only or NAMES]
    written: list[Path] = []
    for count, entry in enumerate(entries, 1):
        with style.apply(theme, size):
            told = f"{entry.text}\n\nClaims: {', '.join(entry.claims)}"
            files = style.files(entry.draw(), entry.name, formats, title=entry.title, description=told)
        written += hand_out(out, files, force)
        progress(entry.name, count, len(entries))
    return written
