"""Pages in other languages, from catalogues of gettext in `locale/`, which `tools/languages.py` keeps up to date.

A message is a line of a lesson's Markdown, without the mark of a heading or an item. Formulas, numbers, ids and
what is in braces stay in it as they are, and are rendered from what was checked. A message of the context `page` is
what a page says around a lesson, with # for each number; `assets/words.js` replaces it in the browser. What has no
translation, or has changed since, is shown in English.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from posixpath import relpath

from babel.messages.pofile import read_po
from sphinx.search.en import SearchEnglish

from . import book, glossary
from .html import Figures, read_asset
from .lesson import CODE, REFERENCE, first_page, lessons, texts

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = {"it": "Italiano", "es": "Español", "zh_CN": "中文"}  # in the order of their links
LESSONS = ("softmax", "infonce", "sphere", "ntxent")
LINE = re.compile(r"^( *(?:#+ |- )?)(.+)$", re.M)
# formulas, braces, ids, code, addresses, cells of a table, numbers
KEPT = re.compile(
    r"\$[^$]+\$|\{[^{}]*\}|\[[A-Z]\d[^]]*\]|`[^`]*`|\]\([^)]*\)|[|#]|(?<![a-z\d])[A-Z]?\d+(?:\.\d+)*"
)
THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")  # other languages write 4096
ADDRESS = re.compile(r"((?:href|src|srcset)=[\"'])([\w/.]+\.(?:html|css|js|svg))")  # within the site


class Language:
    """A language; called, it returns a lesson's Markdown in it. folder: where the site has its pages."""

    def __init__(self, code: str):
        self.code, self.folder = code, code[:2]
        self.lines: dict[str, str] = {}
        self.words: dict[str, str] = {}
        with find_catalogue(code).open("rb") as file:
            messages = [(m.context, str(m.id), str(m.string)) for m in read_po(file) if m.id and m.string]
        for context, message, translated in messages:
            if changed := find_changed(message, translated):
                raise ValueError(
                    f"{code}: {', '.join(changed)} is not in both {message!r} and {translated!r}"
                )
            (self.words if context else self.lines)[message] = translated

    def __call__(self, text: str) -> str:
        def line(found: re.Match[str]) -> str:
            return found[1] + self.lines.get(found[2], found[2])

        pieces = re.split(f"({CODE.pattern})", text, flags=re.DOTALL)
        return "".join(piece if place % 2 else LINE.sub(line, piece) for place, piece in enumerate(pieces))

    def write_script(self) -> str:
        """Return the script that translates the words around the lessons."""
        return f"const TRANSLATIONS = {json.dumps(self.words, ensure_ascii=False)};\n{read_asset('words.js')}"


class SearchChinese(SearchEnglish):
    """Search for Chinese, which has no spaces between words: by characters, and by each two in a row."""

    lang = "zh"
    js_splitter_code = rf"""
var splitQuery = (query) => (query.match(/[{glossary.CHINESE}]+|\w+/g) ?? []).flatMap((word) =>
  word < "\u4e00" || word.length < 2 ? [word] : [...word].slice(1).map((next, place) => word[place] + next));"""

    def split(self, input: str) -> list[str]:
        runs = re.findall(f"[{glossary.CHINESE}]+", input)
        pairs = [run[place : place + 2] for run in runs for place in range(len(run) - 1)]
        return [*re.findall("[A-Za-z0-9_]+", input), *"".join(runs), *pairs]

    def word_filter(self, word: str) -> bool:
        return not word.isascii() or super().word_filter(word)


def find_catalogue(code: str) -> Path:
    return LOCALE / code / "LC_MESSAGES" / "pages.po"


def link_languages(site: Path) -> dict[str, str]:
    """Return the built pages that are translated, by path: each linked with those in other languages, and with an
    English page if its language has none."""
    folders = {".": "English"} | {code[:2]: name for code, name in LANGUAGES.items()}
    linked = {}
    for folder in folders:
        for page in ("index", "glossary", "search", "genindex", *LESSONS):
            addresses = {name: relpath(f"{other}/{page}.html", folder) for other, name in folders.items()}
            links = " · ".join(f"<a href='{address}'>{name}</a>" for name, address in addresses.items())
            linked[f"{folder}/{page}.html"] = _link(site / folder, page, links)
    return linked


def _link(folder: Path, page: str, links: str) -> str:
    def lead(found: re.Match[str]) -> str:
        return found[0] if (folder / found[2]).exists() else f"{found[1]}../{found[2]}"

    html = ADDRESS.sub(lead, (folder / f"{page}.html").read_text(encoding="utf-8"))
    above = r"(<article[^>]*>)(?:<p class='languages'>.*?</p>)?"
    return re.sub(above, rf"\1<p class='languages'>{links}</p>", html)


def list_messages(figures: Figures) -> Iterator[str]:
    """Yield what is translated of lessons, their figures and the glossary."""
    written = [glossary.TEXT]
    for lesson in (first_page(), *map(lessons().__getitem__, LESSONS)):
        written += [lesson.title, *texts(lesson), lesson.after]
        for figure in map(figures, book.list_arguments(lesson, "figure")):
            written += [" ".join(words.split()) for words in (figure.title, figure.text)]
    for text in written:
        for _, words in LINE.findall(REFERENCE.sub("", CODE.sub("", text))):
            if re.search(r"\w", KEPT.sub("", words)) or THOUSANDS.search(words):
                yield words


def find_changed(message: str, translated: str) -> list[str]:
    """Return what is in only one of them of what a translation must leave as it is."""
    one, other = (Counter(KEPT.findall(THOUSANDS.sub("", text))) for text in (message, translated))
    return sorted(((one - other) + (other - one)).elements())
