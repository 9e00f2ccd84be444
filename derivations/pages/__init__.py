"""The lessons: pages built from the proofs, so that an equation that was not checked cannot be on one.

`lessons/` holds the texts, `lesson` their form, `book` the claims that they show, `mathematics` and `html` make
pages of them, `terminal` prints one, `controls` says what the sliders must compute,
`geometry` what points on the sphere must feel.
The figures are drawn from `infonce_ref`, which nothing here imports: who builds the pages hands them in.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..ledger import Settled
from . import html
from .book import chosen, standing


def build(
    out: Path,
    only: Sequence[str],
    entries: Iterable[Settled],
    figures: html.Figures,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> list[Path]:
    """Build the lessons named in `only`, or all and their index, into the folder `out`, one HTML file each.

    entries: the claims of `book.needed(only)`, settled. figures: the figure of a name, with title, text, claims and
    draw(). progress is called with (lesson, lessons written, lessons in all). Returns the files written. Raises
    ValueError for an unknown lesson, an equation without a claim, a claim without a verdict or that does not stand.
    """
    lessons, standing_claims = chosen(only), standing(entries)
    names = [lesson.name for lesson in lessons]
    pages: dict[str, str] = {} if only else {"index": html.index(standing_claims)}
    for done, lesson in enumerate(lessons):
        progress(lesson.name, done, len(lessons))
        pages[lesson.name] = html.Page(lesson, standing_claims, figures, names).html()
    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name, text in pages.items():
        written.append(out / f"{name}.html")
        written[-1].write_text(text, encoding="utf-8")
    return written
