"""Messages about a name that is not known."""

from collections.abc import Iterable
from difflib import get_close_matches


def suggest(word: str, known: Iterable[str]) -> str:
    """The end of a message about an unknown word: "; did you mean ntxent?", or nothing."""
    near = get_close_matches(word, list(known), n=3)
    return f"; did you mean {' or '.join(near)}?" if near else ""


def describe_unknown(word: str, known: Iterable[str]) -> str:
    """Say that a word is unknown, what is known, and what was probably meant."""
    known = list(known)
    return f"unknown {word!r}; known are {', '.join(known)}{suggest(word, known)}"
