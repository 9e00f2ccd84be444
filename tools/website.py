"""Build the website: the lessons, the ledger, and every document of docs/, plus two pages that exist only on the
website.

    python tools/website.py [DIR]     default: site

Takes two minutes. Open DIR/index.html; DIR/docs/index.html lists the other pages.
"""

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path

import mistakes
import public_bugs
from markdown_it import MarkdownIt
from repository import DOCS

from infonce_ref.cli.lessons import settle_all
from infonce_ref.derivations import pages
from infonce_ref.derivations.ledger import choose
from infonce_ref.derivations.pages import card, export, packing
from infonce_ref.derivations.pages.book import list_figures
from infonce_ref.derivations.pages.html import document
from infonce_ref.derivations.pages.mathematics import mathml
from infonce_ref.output import replace_all
from infonce_ref.progress import show_bar

WRITTEN_HERE: dict[str, Callable[[], str]] = {"mistakes": mistakes.page, "public-bugs": public_bugs.page}
FORMULA = re.compile(r"\$`(.+?)`\$")
LINK = re.compile(r'<a href="([^":]+?)(#[^"]*)?">(.*?)</a>', re.S)
IMAGE = re.compile(r'<img src="([^":]+)"')


def title(text: str) -> str:
    """Return the first heading of a document."""
    return re.search(r"^# (.+)$", text, re.M)[1].replace("`", "")


def render(text: str, linked: Callable[[str], str | None]) -> str:
    """Render Markdown as HTML, formulas as MathML. linked: returns the target on the website of a link to a file,
    or None for a file that is not on it; then only the link's words are shown.
    """
    formulas: list[str] = []

    def stand_in(match: re.Match) -> str:
        formulas.append(mathml(match[1]))
        return f"\uf8ff{len(formulas) - 1}\uf8fe"

    def link(match: re.Match) -> str:
        target = linked(match[1])
        return f'<a href="{target}{match[2] or ""}">{match[3]}</a>' if target else match[3]

    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    html = LINK.sub(link, markdown.render(FORMULA.sub(stand_in, text)))
    html = html.replace("<table>", "<div class='scroll'><table>").replace("</table>", "</table></div>")
    return re.sub("\uf8ff(\\d+)\uf8fe", lambda match: formulas[int(match[1])], html)


def page(text: str, above: str, linked: Callable[[str], str | None] = lambda path: None) -> str:
    """Return a document as a page of the website. above: the path from its folder to the lessons' folder."""
    back = f"<p><a href='{above}index.html'>Lessons</a> · <a href='{above}docs/index.html'>Documents</a></p>"
    return packing.share(document(title=title(text), header=back, body=render(text, linked)), above)


def read_documents() -> dict[str, str]:
    """Read the documents of docs/ in Markdown, by name."""
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}


def list_contents(texts: Mapping[str, str], ledger: Mapping[str, str]) -> str:
    """Return the page that lists the documents, including the ledger's."""
    lists = {
        "Documents": {f"{name}.html": text for name, text in texts.items()},
        "The ledger": {f"ledger/{name}.html": text for name, text in ledger.items()},
    }
    sections = (
        f"<h2>{heading}</h2><ul>"
        + "".join(f"<li><a href='{path}'>{escape(title(text))}</a></li>" for path, text in listed.items())
        + "</ul>"
        for heading, listed in lists.items()
    )
    header = "<p><a href='../index.html'>Lessons</a></p><h1>Documents</h1>"
    return packing.share(document(title="Documents", header=header, body="".join(sections)), "../")


def build_documents(texts: Mapping[str, str], ledger: Mapping[str, str]) -> Iterator[tuple[str, str | bytes]]:
    """Return the files of the website's folder docs/: a page for each document, the pictures, and the list."""

    def linked(path: str) -> str | None:
        name, _, suffix = path.rpartition(".")
        if suffix == "md" and name in texts:
            return f"{name}.html"
        if suffix == "html":
            return f"../{path}"  # a lesson
        return path if path in pictures else None

    pictures = {path.name: path.read_bytes() for path in DOCS.iterdir() if path.suffix in (".svg", ".png")}
    yield from ((f"docs/{name}", content) for name, content in pictures.items())
    yield from ((f"docs/{name}.html", page(text, "../", linked)) for name, text in texts.items())
    yield from ((f"docs/ledger/{name}.html", page(text, "../../")) for name, text in ledger.items())
    yield "docs/index.html", list_contents(texts, ledger)


def main(folder: Path) -> None:
    entries, figures = settle_all(choose([], None, None), list_figures([]))
    with show_bar("lessons") as progress:
        files: dict[str, str | bytes] = dict(pages.files(pages.texts([], entries, figures, progress)))
    ledger = {
        name.removesuffix(".md"): text for name, text in export.markdown(map(card.make_card, entries)).items()
    }
    written = {name: write() for name, write in WRITTEN_HERE.items()}
    files |= dict(build_documents(read_documents() | written, ledger))
    link = "<h2 id='ledger'>The ledger</h2>"
    assert files["index.html"].count(link) == 1
    files["index.html"] = files["index.html"].replace(
        link, f"{link}<p><a href='docs/index.html'>Every claim, and what was measured.</a></p>"
    )
    replace_all(folder, files)
    print(folder / "index.html")


if __name__ == "__main__":
    main(Path(*sys.argv[1:] or ["site"]))
