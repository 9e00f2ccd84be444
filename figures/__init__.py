"""The figures, one file each; every curve of the library is drawn from its own results.

A figure is a file of this folder with

    its docstring            the caption: the message, what to see, and the setting, in plain words
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
    """One figure: title is the first line of its caption, its message; text is the rest; setting is the last
    paragraph of the text."""

    name: str
    title: str
    text: str
    claims: tuple[str, ...]
    draw: "Callable[[], Figure]"
    setting: str = ""

    def svg(self, theme: str = "light", size: str = "page") -> str:
        """Return the picture as SVG, in a theme and a size of `style`."""
        from . import style

        with style.apply(theme, size):
            return style.svg(self.picture())

    def picture(self) -> "Figure":
        """Return the picture in the theme and the size that are applied."""
        from . import style

        figure = self.draw()
        style.add_message(figure, self.title, f"{self.setting}  Claims: {', '.join(self.claims)}")
        style.place(figure)
        return figure


def load(name: str) -> Entry:
    """Return the figure of that name. Raises ValueError if there is none."""
    if name not in NAMES:
        raise ValueError(f"figures: {describe_unknown(name, NAMES)}")
    module = import_module(f"{__name__}.{name}")
    title, *text = cleandoc(str(module.__doc__)).split("\n\n")
    return Entry(
        name, " ".join(title.split()), "\n".join(text), module.CLAIMS, module.draw, " ".join(text[-1].split())
    )


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
            figure, words = entry.picture(), {"title": entry.title, "description": told}
            if size == "frames":
                files: dict[str, str | bytes] = {}
                for frame in style.build_up(figure):
                    files |= style.files(figure, f"{entry.name}-{frame}", formats, **words)
            else:
                files = style.files(figure, entry.name, formats, **words)
        written += hand_out(out, files, force)
        progress(entry.name, count, len(entries))
    return written
