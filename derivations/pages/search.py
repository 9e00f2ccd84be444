"""The search over all pages: their sections as data and the search script, in one offline file."""

import json
import re
from collections.abc import Mapping
from html.parser import HTMLParser
from typing import NamedTuple

from .html import ASSETS

_SILENT = {"style", "script", "svg", "math", "nav", "footer", "pre"}  # elements whose text is not searched
_BEGINS = {"h1", "h2", "h3", "section", "figure"}  # elements that are sections, if they have an id
_HEADS = {"h1", "h2", "h3", "header", "strong"}  # elements that may be a section's heading; the first one is
# Words that readers type, and the words (or their beginnings) that the lessons use instead.
ALSO = {
    "nan": ("overflow", "logarithm of 0", "logarithm needs a positive", "divided by 0"),
    "inf": ("overflow", "infinity", "logarithm of 0", "without bound"),
    "underflow": ("digits",),
    "logsumexp": ("log-sum-exp", "softmax and cross-entropy"),
    "stuck": ("stopped", "stop at", "stands still"),
    "plateau": ("stopped", "stop at", "stands still"),
    "oom": ("gigabyte", "activations", "time and memory"),
}


class Section(NamedTuple):
    """A part of a page that a search result links to."""

    page: str
    anchor: str
    heading: str
    text: str


def script(pages: Mapping[str, str]) -> str:
    """Return the file search.js for these pages (name → HTML)."""
    found = [section for name, text in pages.items() for section in sections(name, text)]
    titles = {name: re.search(r"<title>(.*?)</title>", text)[1] for name, text in pages.items()}  # type: ignore[index]
    data = f"const TITLES = {_json(titles)};\nconst SECTIONS = {_json(found)};\nconst ALSO = {_json(ALSO)};\n"
    return data + (ASSETS / "search.js").read_text(encoding="utf-8")


def sections(name: str, text: str) -> list[Section]:
    """Return the non-empty sections of a page, in order."""
    reader = _Reader()
    reader.feed(text)
    read = (
        Section(name, anchor, *(" ".join("".join(words).split()) for words in (heading, body)))
        for anchor, heading, body in reader.sections
    )
    return [section for section in read if section.heading]


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.sections: list[tuple[str, list[str], list[str]]] = []
        self.silent = 0
        self.head = ""  # the tag of the heading, while it is open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        self.silent += tag in _SILENT
        if (tag in _BEGINS and names.get("id")) or tag == "h1":
            self.sections.append((names.get("id") or "", [], []))
        if tag in _HEADS and self.sections and not (self.head or self.sections[-1][1]):
            self.head = tag

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in _SILENT
        if tag == self.head:
            self.head = ""
        self.handle_data(" ")  # so that the texts of two elements do not join into one word

    def handle_data(self, data: str) -> None:
        if self.sections and not self.silent:
            _, heading, body = self.sections[-1]
            (heading if self.head else body).append(data)
