"""Build the lessons from the proofs; a page cannot show an equation that was not checked.

`lessons/` holds the texts, `lesson` parses them, `book` finds the claims that they show, `formula` checks the
formulas of their prose, with letters from `situations`. `mathematics` and `html` make pages, `terminal`
prints one lesson, `notebook` makes cells of one. `controls` has reference values for the sliders, `geometry`
for points on the sphere, `course` the experiments of the opening page; `cards/` declares each loss's `points`,
and its words for the `cheat_sheet`.
`symbols_and_claims` is the index, `sources_page` lists documents and papers, `search` searches all pages,
`packing` compresses folded derivations, `pdf` prints all pages as one book. Figures come from `infonce_ref`,
which nothing here imports; the caller passes them in.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from ..ledger import Settled
from . import html, packing, search, sources_page
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
    unknown lesson, an equation without a claim, or a claim that has no verdict or does not hold.
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
        "explore": html.explore(),
        **pages,
        "cheat_sheet": Sheet(standing_claims, names).html(),
        "symbols_and_claims": index(standing_claims, made),
        "sources": sources_page.page(standing_claims),
    }


def files(pages: Mapping[str, str]) -> dict[str, str]:
    """Return the files of a folder of pages: one HTML file each; several pages share style and scripts, and
    get a script for the search.
    """
    packed = {f"{name}.html": packing.pack(text) for name, text in pages.items()}
    if len(pages) == 1:
        return packed
    shared = {name: packing.share(text) for name, text in packed.items()}
    return shared | packing.list_shared() | {"search.js": search.script(pages)}
