"""The lessons as one book with contents, printed by Chromium."""

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path

from pypdf import PdfReader

from .html import document

# The names of Chromium, and of browsers built from it.
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
SECONDS = 600  # for one printing; a book of 16 lessons took 100 s on a busy machine


def browser() -> str:
    """Return the first installed browser. Raises ValueError if there is none."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not found:
        raise ValueError(
            "--pdf: there is no Chromium to print with (none of "
            f"{', '.join(BROWSERS)} is on the path); install it, or print the pages from your own browser"
        )
    return found


def print_book(
    pages: Mapping[str, str],
    program: str,
    progress: Callable[[str, int, int], None] = lambda *_: None,
) -> bytes:
    """Print the pages (name → HTML, in order) into a PDF and return it. program: the result of `browser`.

    It is printed twice: first to learn on which page each part begins, then with those page numbers. progress is
    called with (what is printed, printings done, number of printings).
    """
    with tempfile.TemporaryDirectory() as folder:
        html = Path(folder, "book.html")
        numbers: Mapping[str, int] = {}
        for done, out in enumerate((Path(folder, "draft.pdf"), Path(folder, "book.pdf"))):
            progress(out.name, done, 2)
            html.write_text(book(pages, numbers), encoding="utf-8")
            _print(html, out, program)
            numbers = _places(out)
        return out.read_bytes()


def book(pages: Mapping[str, str], numbers: Mapping[str, int]) -> str:
    """Return all pages as one, with a table of contents in place of the index, and without the explorable,
    which does not work on paper. numbers: the page number of each anchor.
    """
    parts = {name: _part(name, text) for name, text in pages.items() if name not in ("index", "explore")}
    contents = "".join(_entry(name, text, numbers) for name, text in parts.items())
    body = "".join(parts.values())
    return document(
        title="InfoNCE, checked",
        header="<h1>InfoNCE, checked</h1><p class='summary'>The InfoNCE family of contrastive losses, line by line."
        " A proof that is not printed here: <code>infonce-ref ledger</code> and the id of its claim.</p>",
        body=f"<h2>Contents</h2><ol class='book-contents'>{contents}</ol>{body}",
        kind="book",
    )


def _part(name: str, text: str) -> str:
    """Return the content of a page, with its anchors and links prefixed by its name."""
    header, main = (re.search(rf"<{tag}>(.*?)</{tag}>", text, re.S) for tag in ("header", "main"))
    kind = re.search(r'<body class="(\w*)">', text)
    assert header is not None
    assert main is not None
    assert kind is not None
    inside = f"<header>{header[1]}</header>{main[1]}"
    inside = re.sub(r"""(\bid=['"]|href=['"]#|url\(#)""", rf"\g<1>{name}-", inside)
    inside = re.sub(r"href='(\w+)\.html#", r"href='#\1-", inside)
    inside = re.sub(r"href='(\w+)\.html'", r"href='#\1'", inside)
    return f"<article id='{name}' class='{kind[1]}'>{inside}</article>"


def _entry(name: str, part: str, numbers: Mapping[str, int]) -> str:
    """Return the entry of a part and its headings in the contents."""
    title = re.search(r"<h1>(.*?)</h1>", part)
    assert title
    headings = re.findall(r"<h2 id=['\"]([^'\"]+)['\"]>(.*?)</h2>", part)
    inner = "".join(f"<li>{_leader(anchor, words, numbers)}</li>" for anchor, words in headings)
    return f"<li>{_leader(name, title[1], numbers)}<ol>{inner}</ol></li>"


def _leader(anchor: str, words: str, numbers: Mapping[str, int]) -> str:
    number = numbers.get(anchor, "")
    return f"<a href='#{escape(anchor)}'><span>{words}</span> <span class='page-number'>{number}</span></a>"


def _print(html: Path, out: Path, program: str) -> None:
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    done = subprocess.run(
        [
            program,
            "--headless",
            "--disable-gpu",
            *root,
            f"--user-data-dir={html.parent / 'profile'}",
            "--no-pdf-header-footer",
            "--generate-pdf-document-outline",
            f"--print-to-pdf={out.absolute()}",
            html.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode or not out.exists():
        raise ValueError(f"--pdf: {program} did not print: {done.stderr.strip().splitlines()[-1:]}")


def _places(path: Path) -> dict[str, int]:
    """Return the page number of each linked anchor, counted from 1."""
    reader = PdfReader(path)
    found = {}
    for name, place in reader.named_destinations.items():
        page = reader.get_destination_page_number(place)
        if page is not None:
            found[name.removeprefix("/")] = page + 1
    return found
