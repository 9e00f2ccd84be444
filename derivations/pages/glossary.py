"""What the lessons' words mean: the first time that a lesson uses one, the pointer shows it."""

import re
from functools import cache
from html import escape

from .lesson import FOLDER

# - **word** (forms that are meant; by default the word and its plural): meaning
ENTRY = re.compile(r"^- \*\*(.+?)\*\*(?: \((.+?)\))?: (.+)$", re.M)
# links, formulas and code keep their own tooltips
KEPT = r"<(?P<tag>a|code|math|pre|svg|button)\b.*?</(?P=tag)>|<[^>]*>"


@cache
def entries() -> list[tuple[str, str, str]]:
    """Return the words of the glossary, each with the forms that are meant and its meaning."""
    return ENTRY.findall((FOLDER / "glossary.md").read_text(encoding="utf-8"))


@cache
def list_forms() -> dict[str, tuple[str, str]]:
    """Return the word and the meaning of each form."""
    forms: dict[str, tuple[str, str]] = {}
    for word, written, meaning in entries():
        for form in written.split(", ") if written else (word, f"{word}s", f"{word}es"):
            forms[form.lower()] = word, meaning
    return forms


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(list_forms(), key=len, reverse=True)
    return re.compile(rf"{KEPT}|\b(?P<form>{'|'.join(map(re.escape, longest_first))})\b", re.S | re.I)


def explain_words(html: str, explained: set[str]) -> str:
    """Give each word its meaning as a tooltip, unless it is among those explained before; add it to them."""

    def explain(found: re.Match[str]) -> str:
        word, meaning = list_forms().get((found["form"] or "").lower(), ("", ""))
        if not word or word in explained:
            return found[0]
        explained.add(word)
        return f"<abbr title='{escape(meaning)}'>{found[0]}</abbr>"

    return _pattern().sub(explain, html)


def write_list() -> str:
    """Return the glossary as a list of definitions, in HTML."""
    items = "".join(f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, _, meaning in entries())
    return f"<dl class='glossary'>{items}</dl>"
