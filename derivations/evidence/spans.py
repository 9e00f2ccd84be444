"""The parts of a sentence."""

import re
from typing import NamedTuple


class Span(NamedTuple):
    """Words, or a formula as text and as LaTeX. whole: it is a whole piece of evidence, of this name. mark: says
    that it is proved, and what accepted it.
    """

    text: str
    latex: str | None = None
    whole: bool = False
    name: str = ""
    mark: str = ""


def split_formulas(words: str) -> list[Span]:
    """Split words with $…$ into words and formulas."""
    parts = words.split("$")
    return [Span(part, part if place % 2 else None) for place, part in enumerate(parts) if part]


def find_letter(letter: str, text: str) -> re.Match[str] | None:
    """Find a letter that is a symbol of its own, ignoring indices, and not a part of another symbol."""
    return re.search(rf"(?<![\w\\]){re.escape(letter)}(?![^\W_]|[⁺⁻′^])", text)
