"""Pages in other languages, from catalogues of gettext in `locale/`, which `tools/languages.py` keeps up to date.

A message is a line of a lesson's Markdown, without the mark of a heading or an item. Formulas, numbers, ids and
what is in braces stay in it as they are, and are rendered from what was checked. A message of the context `page` is
what a page says around a lesson, with # for each number; `assets/words.js` replaces it in the browser. What has no
translation, or has changed since, is shown in English.
"""

import re
from collections import Counter
from functools import cache, partial
from itertools import product
from pathlib import Path
from posixpath import relpath

from babel.messages.pofile import read_po
from sphinx.search.en import SearchEnglish

from .glossary import CHINESE

LOCALE = Path(__file__).parent / "locale"
LANGUAGES = {"it": "Italiano", "es": "Español", "zh_CN": "中文"}  # in the order of their links
LESSONS = ("softmax", "infonce", "sphere", "ntxent")
PAGES = ("index", *LESSONS, "glossary")
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
        return LINE.sub(lambda found: found[1] + self.lines.get(found[2], found[2]), text)


class SearchOnce(SearchEnglish):
    """Search for English, which stems a word once and not anew on every page."""

    stem = cache(SearchEnglish.stem)


class SearchChinese(SearchOnce):
    """Search for Chinese, which has no spaces between words: by characters, and by each two in a row."""

    lang = "zh"
    js_splitter_code = rf"""
var splitQuery = (query) => (query.match(/[{CHINESE}]+|\w+/g) ?? []).flatMap((word) =>
  word < "\u4e00" || word.length < 2 ? [word] : [...word].slice(1).map((next, place) => word[place] + next));"""

    def split(self, input: str) -> list[str]:
        runs = re.findall(f"[{CHINESE}]+", input)
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
    for page, folder in product((*PAGES, "search", "genindex"), folders):
        addresses = {name: relpath(f"{other}/{page}.html", folder) for other, name in folders.items()}
        links = " · ".join(f"<a href='{address}'>{name}</a>" for name, address in addresses.items())
        path = site / folder / f"{page}.html"
        html = ADDRESS.sub(partial(_lead, path.parent), path.read_text(encoding="utf-8"))
        above = r"(<article[^>]*>)(?:<p class='languages'>.*?</p>)?"
        linked[f"{folder}/{page}.html"] = re.sub(above, rf"\1<p class='languages'>{links}</p>", html)
    return linked


def _lead(folder: Path, found: re.Match[str]) -> str:
    if (folder / found[2]).exists():
        return found[0]
    english = "hreflang='en' " if found[2].endswith(".html") else ""
    return f"{english}{found[1]}../{found[2]}"


def find_changed(message: str, translated: str) -> list[str]:
    """Return what is in only one of them of what a translation must leave as it is."""
    one, other = (Counter(KEPT.findall(THOUSANDS.sub("", text))) for text in (message, translated))
    return sorted(((one - other) + (other - one)).elements())
