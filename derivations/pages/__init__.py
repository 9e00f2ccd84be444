"""Build the lessons from the proofs; a page cannot show an equation that was not checked.

`lessons/` holds the texts, `lesson` their form, `book` the claims that they show, `mathematics` and `html` make
pages of them, `terminal` prints one, `controls` says what the sliders must compute, `geometry` what points on the
sphere must feel. Beside the lessons stand the `cheat_sheet`, its words in `cards/`, the index of
`symbols_and_claims`, the `sources_page`, and what `search`es all pages; `pdf` prints them as one book.
The figures are drawn from `infonce_ref`, which nothing here imports: who builds the pages hands them in.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..ledger import Settled
from . import html, search, sources_page
from .book import choose, index_standing
from .cheat_sheet import Sheet
from .symbols_and_claims import index


def texts(
    only: Sequence[str],
    entries: Iterable[Settled],
    figures: html.Figures,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> dict[str, str]:
    """Return the HTML of the lessons in `only`, or of all pages, by name in reading order.

    entries: the claims of `book.list_needed(only)`, settled. figures: the figure of a name, with title, text,
    claims and svg(). progress is called with (lesson, lessons made, lessons in all). Raises ValueError for an
    unknown lesson, an equation without a claim, a claim without a verdict or that does not stand.
    """
    lessons, standing_claims = choose(only), index_standing(entries)
    names = [lesson.name for lesson in lessons]
    made = [html.Page(lesson, standing_claims, figures, names) for lesson in lessons]
    pages: dict[str, str] = {}
    for done, page in enumerate(made):
        progress(page.lesson.name, done, len(made))
        pages[page.lesson.name] = page.html()
    if only:
        return pages
    return {
        "index": html.index(standing_claims),
        **pages,
        "cheat_sheet": Sheet(standing_claims, names).html(),
        "symbols_and_claims": index(standing_claims, made),
        "sources": sources_page.page(standing_claims),
    }


def files(pages: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a folder of pages: one HTML file each, and a search script if there are several."""
    beside = {"search.js": search.script(pages)} if len(pages) > 1 else {}
    return {f"{name}.html": text for name, text in pages.items()} | beside
