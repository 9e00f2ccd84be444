"""What the lessons' words mean: the first time that a lesson uses one, the pointer shows it."""

import re
from collections.abc import Callable
from functools import cache
from html import escape

from .lesson import FOLDER

# - **word** (forms that are meant; by default the word and its plural): meaning
ENTRY = re.compile(r"^- \*\*(.+?)\*\*(?: \((.+?)\))?: (.+)$", re.M)
# links, formulas and code keep their own tooltips
KEPT = r"<(?P<tag>a|code|math|pre|svg|button)\b.*?</(?P=tag)>|<[^>]*>"
CHINESE = "\u4e00-\u9fff"
TEXT = (FOLDER / "glossary.md").read_text(encoding="utf-8")

Translate = Callable[[str], str]


@cache
def entries(translate: Translate = str) -> list[tuple[str, str, str]]:
    """Return the words of the glossary, each with the forms that are meant and its meaning."""
    return ENTRY.findall(translate(TEXT))


@cache
def list_forms(translate: Translate = str) -> dict[str, tuple[str, str]]:
    """Return the word and the meaning of each form."""
    forms: dict[str, tuple[str, str]] = {}
    for word, written, meaning in entries(translate):
        for form in written.split(", ") if written else (word, f"{word}s", f"{word}es"):
            forms[form.lower()] = word, meaning
    return forms


@cache
def _pattern(translate: Translate) -> re.Pattern[str]:
    longest_first = sorted(list_forms(translate), key=len, reverse=True)
    edge = rf"(?:\b|(?<=[{CHINESE}])|(?=[{CHINESE}]))"  # Chinese has no spaces between words
    return re.compile(rf"{KEPT}|{edge}(?P<form>{'|'.join(map(re.escape, longest_first))}){edge}", re.S | re.I)


def explain_words(html: str, explained: set[str], translate: Translate = str) -> str:
    """Give each word its meaning as a tooltip, unless it is among those explained before; add it to them."""

    def explain(found: re.Match[str]) -> str:
        word, meaning = list_forms(translate).get((found["form"] or "").lower(), ("", ""))
        if not word or word in explained:
            return found[0]
        explained.add(word)
        return f"<abbr title='{escape(meaning)}'>{found[0]}</abbr>"

    return _pattern(translate).sub(explain, html)


def read_head(translate: Translate = str) -> tuple[str, str]:
    """Return the title of the glossary and the sentence below it."""
    title, about, _ = translate(TEXT).split("\n\n", 2)
    return title.removeprefix("# "), about


def write_list(translate: Translate = str) -> str:
    """Return the glossary as a list of definitions, in HTML; in another language with the English words."""
    items = ""
    for (english, _, _), (word, _, meaning) in zip(entries(), entries(translate)):
        beside = f" <small lang='en'>{escape(english)}</small>" if word != english else ""
        items += f"<dt>{escape(word)}{beside}</dt><dd>{escape(meaning)}</dd>"
    return f"<dl class='glossary'>{items}</dl>"
