"""The site: its pages as sources for Sphinx, which adds navigation, search, themes and the reference of the code.

A source is Markdown in which the headings are Sphinx's. What stands below a heading is HTML, rendered from what was
checked, so that nothing is displayed that Sphinx computes. `sources` returns the files, and `build` runs Sphinx.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape, unescape
from io import StringIO
from pathlib import Path
from typing import Any

import furo  # noqa: F401  the theme: fails before the work if it is missing
import myst_parser  # noqa: F401
from sphinx import locale
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from .. import sources as code
from ..documents import DOCUMENTS, ID, find_card
from ..record import ClaimCard
from ..symbols import TABLE
from . import book, course, deck, glossary, ledger_pages, reference, translation
from .cheat_sheet import Sheet
from .html import (
    ASSETS,
    FONT,
    Figures,
    Page,
    control,
    explain_marks,
    fold,
    hold,
    list_symbols,
    name_scripts,
    read_asset,
    read_script,
)
from .lesson import CODE, Lesson, change_outside, count_minutes, first_page, lessons
from .mathematics import mathml
from .translation import Language, SearchChinese, SearchOnce

TITLE = "InfoNCE, checked"
# Words that readers type, and that the lessons say differently.
KEYWORDS = {
    "softmax": "logsumexp",
    "digits": "underflow stuck plateau",
    "ntxent": "oom memory",
    "temperature": "inf infinity",
}
# pages that list others: title, what they list, and its folder
ROOMS = {
    "lessons": ("Lessons", "The lessons in the order of reading.", ""),
    "ledger": ("The ledger", "The claims of each document with their evidence.", "ledger/"),
    "code": ("Code", "The functions and classes of the library, from their docstrings.", "api/"),
    "documents": (
        "Documents",
        "How to check a loss of yours, to train with one of ours and to teach with the lessons. The others say what"
        " was measured, and what a reader must trust.",
        "docs/",
    ),
}
SETTINGS: dict[str, Any] = {
    "project": TITLE,
    "author": "the infonce_ref authors",
    "extensions": ["myst_parser", "sphinx.ext.autodoc"],
    "myst_heading_anchors": 3,
    "autodoc_member_order": "bysource",
    "autodoc_typehints_format": "short",
    "html_theme": "furo",
    "html_title": TITLE,
    "html_static_path": ["static"],
    "html_css_files": ["pages.css"],
    "html_extra_path": ["whole"],  # pages that are not Sphinx's
    "html_show_sphinx": False,
    "html_show_copyright": False,
    "html_show_sourcelink": False,
    "html_copy_source": False,
    "exclude_patterns": ["static"],
}


def sources(
    only: Sequence[str],
    cards: Iterable[ClaimCard],
    figures: Figures,
    beside: Mapping[str, Callable[[], str]] = {},
) -> dict[str, str | bytes]:
    """Return the files of the sources: of the lessons in `only`, or of all pages.

    cards: of the claims of `book.list_needed(only)`. figures: the figure of a name, with title, text,
    claims and svg(). beside: what writes further pages in Markdown, by name; called last. Raises ValueError for an
    unknown lesson, an equation without a claim, or a claim that has no verdict or does not hold.
    """
    chosen, standing = book.choose(only), book.index_standing(cards)
    names = [lesson.name for lesson in chosen]
    static: dict[str, str | bytes] = {
        "pages.css": read_asset("pages.css"),
        FONT: (ASSETS / FONT).read_bytes(),
    }

    def draw(entry: Any, size: str) -> str:
        static[f"{entry.name}_{size}.svg"] = entry.svg(size=size)
        return f"_static/{entry.name}_{size}.svg"

    made = [Page(lesson, standing, figures, names, picture=draw) for lesson in chosen]
    pages = {page.lesson.name: write_lesson(page) for page in made}
    first = Page(first_page(), standing, figures, names, picture=draw)
    found: dict[str, str | bytes] = {}
    if not only:
        sheet = Sheet(standing, names).html() + first.figure(book.OF_EVERY_LOSS)
        about = "Every loss of the InfoNCE family with its proved formula and gradients"
        letters, papers = _list_symbols(made), ledger_pages.list_papers(first)
        pages |= {
            "explore": write_explorable(first),
            "cheat_sheet": write("Cheat sheet", {"": sheet}, about, wide=True),
            "symbols": write("Symbols", {"": letters}, "Every letter with its meaning and first lesson"),
            "glossary": write_glossary(),
            "sources": write("Papers", {"": papers}, "The papers that lessons and claims cite"),
        }
        named = {page.lesson.name: page.named for page in made}
        pages |= {f"ledger/{name}": _write_document(name, standing, named) for name in DOCUMENTS}
        pages |= {name: write_beside() for name, write_beside in beside.items()}
        found = {**_read_documents(), **reference.files(), "whole/slides.html": deck.write(standing, figures)}
    listed = [*pages, *(re.sub(r"\.\w+$", "", n) for n in found if n.endswith((".md", ".rst")))]
    rooms = _write_rooms(listed, names, standing)
    beside_rooms = [name for name in listed if name not in names and "/" not in name]
    pages |= rooms | {"index": write_index(first, [*rooms, *beside_rooms], standing, whole=not only)}
    static |= {name: read_script(name) for name in name_scripts("".join(pages.values()))}
    written = {f"{name}.md": text for name, text in pages.items()} | found
    return (
        written
        | {f"static/{name}": text for name, text in static.items()}
        | {"whole/404.html": read_asset("404.html")}
        | _write_search(written)
    )


def translate(language: Language, cards: Iterable[ClaimCard], figures: Figures) -> dict[str, str]:
    """Return the files of the sources of the pages in another language, for a folder of the built site."""
    standing = book.index_standing(cards)

    def page(lesson: Lesson) -> Page:
        picture = "_static/{0.name}_{1}.svg".format  # of a figure and a size
        return Page(lesson, standing, figures, lessons(), picture=picture, translate=language)

    pages = {name: write_lesson(page(lessons()[name])) for name in translation.LESSONS}
    pages["glossary"] = write_glossary(language)
    pages["index"] = write_index(page(first_page()), list(pages), standing, whole=True)
    words = json.dumps(language.words, ensure_ascii=False)
    script = f"const TRANSLATIONS = {words};\n{read_asset('words.js')}"
    written = {f"{name}.md": text for name, text in pages.items()}
    return written | {"static/words.js": script} | _write_search(written)


def _write_search(pages: Mapping[str, str | bytes]) -> dict[str, str]:
    """Return what Sphinx's search needs: what the pages are about, for its results, and no marks in pages. A page
    has a description, a document its first paragraph."""
    about = {}
    for name, text in pages.items():
        if isinstance(text, str) and name.endswith(".md"):
            said = re.search(r'"description": ("(?:[^"\\]|\\.)*")', text)
            first = text.partition("\n\n")[2].partition("\n\n")[0].replace("\n", " ")
            words = json.loads(said[1]) if said else re.sub(r"<[^>]*>|\]\([^)]*\)|[*`#\[]", "", first)
            about[name.removesuffix(".md")] = words
    return {
        "scorer.js": f"const ABOUT = {json.dumps(about, ensure_ascii=False)};\n{read_asset('scorer.js')}",
        # Sphinx's script marks the words of a search: within a formula or a drawing the mark is an error
        "static/sphinx_highlight.js": "const SPHINX_HIGHLIGHT_ENABLED = false;\n",
    }


def build(
    folder: Path, out: Path, work: Path, language: Language | None = None, processes: int = 1
) -> list[str]:
    """Have Sphinx make the pages of the sources in `folder`, and return its warnings. work: where it keeps what it
    read, so that the next run reads only what changed. processes: one if there are threads, which may not survive
    a fork."""
    said = StringIO()
    settings = SETTINGS | {"html_search_scorer": str(folder / "scorer.js")}
    if language:
        settings |= {"language": language.code, "html_title": language.words.get(TITLE, TITLE)}
        settings |= {"html_js_files": ["words.js"], "html_extra_path": []}
    locale.translators.clear()  # else Sphinx keeps the words of the language before
    with patch_docutils(), docutils_namespace():
        app = Sphinx(folder, None, out, work, "html", settings, None, said, parallel=processes)
        app.connect("autodoc-process-docstring", _process)
        app.connect("html-page-context", _copy_titles_only, priority=400)  # before furo makes the sidebar
        app.connect("html-page-context", _add_scripts)
        app.add_search_language(SearchOnce)
        app.add_search_language(SearchChinese)
        app.build(force_all=True)  # every page has the list of all pages
    return re.sub(r"\x1b\[[\d;]*m", "", said.getvalue()).splitlines()  # without colours


def _copy_titles_only(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Have Sphinx copy only titles into the sidebar. It copies all headings of all pages, and drops them again."""
    make_sidebar, env = context["toctree"], app.env
    depths = {name: {"tocdepth": int(name not in env.toctree_includes)} for name in env.found_docs}

    def toctree(**options: Any) -> str:
        kept, env.metadata = env.metadata, depths
        try:
            return make_sidebar(**options)
        finally:
            env.metadata = kept

    context["toctree"] = toctree


def _add_scripts(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    for name in name_scripts(context.get("body", "")):
        app.add_js_file(name)


def _process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = reference.write_docstring(lines)


def write(
    title: str, sections: Mapping[str, str], description: str, keywords: str = "", *, wide: bool = False
) -> str:
    """Return a page: each heading, in Markdown, with the HTML below it. wide: without the list of its headings."""
    meta = {"description": description, "property=og:title": title, "property=og:description": description}
    if keywords:
        meta["keywords"] = keywords
    head = {"myst": {"html_meta": meta}} | ({"hide-toc": True} if wide else {})
    parts = [f"---\n{json.dumps(head, ensure_ascii=False)}\n---", f"# {title}"]
    for heading, html in sections.items():
        parts += [heading, f"``````````{{raw}} html\n{hold(html)}\n``````````" if html else ""]
    return "\n\n".join(filter(None, parts)) + "\n"


def write_lesson(page: Page) -> str:
    lesson = page.lesson
    number = f"<p class='number'>Lesson {lesson.number} · {count_minutes(lesson)} minutes</p>"
    sections = _read_sections(page, number, _write_aims(page))
    if page.symbols:
        summary = "Every symbol of this page; a formula under the pointer shows its own"
        used = [(entry, "") for place, entry in enumerate(TABLE) if place in page.symbols]
        sections["## Symbols"] = fold(summary, list_symbols(used), "lines")
    sections[list(sections)[-1]] += explain_marks()
    words = unescape(re.sub(r"<[^>]*>", "", page.markdown.renderInline(lesson.summary)))
    return write(page.translate(lesson.title), sections, words, KEYWORDS.get(lesson.name, ""))


def write_glossary(translate: Callable[[str], str] = str) -> str:
    title, about = glossary.read_head(translate)
    return write(title, {"": f"<p>{escape(about)}</p>{glossary.write_list(translate)}"}, about)


def _write_aims(page: Page) -> str:
    """Return what a reader needs before a lesson, and can do after it."""
    before = ", ".join(page.link_lesson(name) if name in page.pages else name for name in page.lesson.before)
    needs = f"<span>Before it, read</span> {before}.<br>" if before else ""
    return f"<p class='aims'>{needs}{escape(page.translate(page.lesson.after))}</p>"


def _read_sections(page: Page, above: str = "", below: str = "") -> dict[str, str]:
    """Return each heading of a page with the HTML below it; first the summary, between these pieces of HTML."""
    sections = {"": f"{above}<p class='summary'>{page.markdown.renderInline(page.lesson.summary)}</p>{below}"}
    for heading, html in page.sections():
        sections[heading] = sections.get(heading, "") + html
    return sections


def _write_document(name: str, cards: book.Cards, named: dict[str, set[str]]) -> str:
    document, called = ledger_pages.Document(name, cards, named), DOCUMENTS[name].called
    sections = {"": document.about()} | {f"## {id}": card for id, card in document.claims()}
    return write(f"{name}: {called}", sections, f"The claims of {called}, each with its evidence")


def write_index(first: Page, pages: Sequence[str], cards: book.Cards, *, whole: bool) -> str:
    """Return the first page: its text if the whole site is built, the lessons, and the pages for the sidebar."""
    items = "".join(
        f"<li>{first.link_lesson(lesson.name)}<small>{count_minutes(lesson)} minutes</small>"
        f"<p>{first.markdown.renderInline(lesson.summary)}</p></li>"
        for lesson in map(lessons().__getitem__, first.pages)
    )
    sections = _read_sections(first) if whole else {}
    sections["## Lessons"] = f"<ol class='lessons'>{items}</ol>"
    if whole:
        documents = "".join(
            f"<dt><a href='ledger/{name}.html'>{name}</a></dt>"
            f"<dd><cite>{escape(document.title)}</cite>: {escape(document.about)}</dd>"
            for name, document in DOCUMENTS.items()
        )
        sections["## The ledger"] = (
            "<p>A verdict on every equation and claim of four documents, and on ours. An id such as D3.4 names a"
            f" line of a document.</p><ul class='counts'>{ledger_pages.count_verdicts(cards.values())}</ul>"
            f"<dl class='documents'>{documents}</dl>"
        )
    title, about = map(first.translate, (first.lesson.title, first.lesson.summary))
    return f"{write(title, sections, about, wide=True)}\n{_list_pages(pages, 'hidden')}"


def _write_rooms(names: Sequence[str], lessons: Sequence[str], cards: book.Cards) -> dict[str, str]:
    """Return a page for the lessons, and for each folder, that lists its pages: the sidebar shows these alone at
    first. That of the ledger lists its claims, too."""
    pages = {}
    for room, (title, about, folder) in ROOMS.items():
        if own := [name for name in names if name.startswith(folder)] if folder else lessons:
            sections = ledger_pages.list_claims(cards) if room == "ledger" else {"": f"<p>{about}</p>"}
            option = "hidden" if room == "ledger" else "titlesonly"
            pages[room] = write(title, sections, about) + _list_pages(own, option)
    return pages


def _list_pages(names: Sequence[str], option: str) -> str:
    return f"```{{toctree}}\n:{option}:\n\n" + "\n".join(names) + "\n```\n"


def write_explorable(first: Page) -> str:
    items = "".join(
        f"<li><strong>{escape(one.title)}.</strong> {escape(one.words)} {first.link_lesson(one.lesson)}</li>"
        for one in course.EXPERIMENTS
    )
    switches = (
        "<p>Each is computed from the proved statement of the loss, and compared with 50 digits when this page"
        " opens. <em>Mask</em>: the statement with a mask, by which no anchor sees its own class."
        " <em>Two GPUs</em>: the statement of each rank's own rows, the mean of both. <em>Queue</em>: the gradient"
        " by the keys is left out. A loss whose statement cannot say it does not have the switch.</p>"
    )
    sections = {
        "": control(("course",), course.QUESTION),
        "## Six experiments": f"<ol>{items}</ol>",
        "## What the switches do": switches,
    }
    return write("Explore", sections, "Points on the sphere that move down the losses", wide=True)


def _list_symbols(pages: Sequence[Page]) -> str:
    def link(place: int) -> str:
        first = next((page for page in pages if place in page.symbols), None)
        return first.link_lesson(first.lesson.name, "#symbols") if first else ""

    return list_symbols(((entry, f"<td>{link(place)}</td>") for place, entry in enumerate(TABLE)), "first in")


# --- documents --------------------------------------------------------------------------------------------


def _read_documents() -> dict[str, str | bytes]:
    """Return the documents of docs/ with their pictures."""
    paths = [p for p in sorted(code.folder("docs").iterdir()) if p.suffix in (".md", ".svg", ".png")]
    names = [path.name for path in paths]
    return {
        f"docs/{path.name}": render_document(path.read_text(encoding="utf-8"), names)
        if path.suffix == ".md"
        else path.read_bytes()
        for path in paths
    }


def render_document(text: str, known: Iterable[str]) -> str:
    """Return a document for the site: formulas as MathML; links by the titles of documents, not by their files, and
    only the words of those to files that are not on it; an id of a claim in brackets leads to the ledger."""

    def link(found: re.Match[str]) -> str:
        path = found[2].partition("#")[0]
        words = "" if found[1] == path else found[1]  # Sphinx writes the title of a document
        return f"[{words}]({found[2]})" if not path or ":" in path or path in known else found[1]

    def formula(found: re.Match[str]) -> str:
        return re.sub(r"(?<=>)[*_](?=<)", lambda sign: f"&#{ord(sign[0])};", mathml(found[1]))

    def ids(found: re.Match[str]) -> str:
        return ID.sub(lambda id: f"<a href='../{find_card(id[0])}'>{id[0]}</a>", found[0])

    named = re.compile(rf"[\[(]{ID.pattern}(?:, {ID.pattern})*[\])](?!\()")
    text = change_outside(f"{CODE.pattern}|`[^`]*`", text, partial(named.sub, ids))
    text = re.sub(r"(?<!!)\[((?:[^][]|\[[^]]*\])*)\]\(([^)\s]+)\)", link, text)
    return re.sub(r"\$`(.+?)`\$", formula, text)
