"""Refuse words that state a relation: relations are rendered from the evidence."""

import re
import unicodedata
from html import unescape

_COMMANDS = re.compile(
    r"\\(?:[a-z]*(?:leq|geq|prec|succ|sim|cong|equiv|approx|subset|supset|arrow|mapsto)[a-z]*|le|ge|neq?|lt|gt|ll|gg"
    r"|doteq|asymp|propto|in|ni|notin|to|iff|implies|models|vdash|coloneqq?)(?![A-Za-z])",
    re.IGNORECASE,
)
_OPERATORS = set("+−±×÷·√∂∑∏∇∞∘|¬⊙⊗⟨⟩∓⁄")  # mathematical symbols that do not state a relation


def find_relation(words: str) -> str:
    """Return the first sign or command of a relation in the words, or ''."""
    plain = unicodedata.normalize("NFKC", unescape(words))
    signs = (x for x in plain if unicodedata.category(x) == "Sm" and x not in _OPERATORS)
    command = _COMMANDS.search(plain)
    return next(signs, command[0] if command else "")


def refuse_relations(words: str) -> None:
    """Raise ValueError if the words state a relation."""
    if found := find_relation(words):
        raise ValueError(
            f"words may not state {found!r} by themselves; render it from its evidence: {words!r}"
        )
