"""Words and formulas, and a piece of evidence as it is shown. This file needs no SymPy."""

import re
from typing import NamedTuple


class Span(NamedTuple):
    """Words, or a formula as text and as LaTeX. whole: it is a whole piece of evidence, of this name. mark: says
    that it is proved, and what accepted it; beside a line of a proof, its rule. symbols: their places in the table.
    """

    text: str
    latex: str = ""
    whole: bool = False
    name: str = ""
    mark: str = ""
    symbols: tuple[int, ...] = ()


class Piece(NamedTuple):
    """says: words above its lines · states: what it states, or the numbers or words that it has instead · lines: of
    a proof, or a point and what was compared there, with their names · where: definitions, by name.
    """

    kind: str
    says: str
    states: Span
    lines: tuple[Span, ...] = ()
    where: tuple[Span, ...] = ()
    assuming: tuple[str, ...] = ()

    @property
    def proves(self) -> bool:
        """Whether its lines follow by rules."""
        return any(line.mark for line in self.lines)

    def text(self) -> str:
        """The piece as lines of text."""
        said = [f"  {self.says}"] if self.says else []
        for line in self.lines:
            indent = "  " if line.text[0] in "=≤" else "    "
            name, mark = line.name and f"{line.name}: ", line.mark and f"   [{line.mark} ✓]"
            said.append(f"{indent}{name}{line.text}{mark}")
        said += [f"  where {name.text}" for name in self.where]
        return "\n".join([*said, *([f"  assuming {'; '.join(self.assuming)}"] if self.assuming else [])])


def split_formulas(words: str) -> list[Span]:
    """Split words with $…$ into words and formulas."""
    parts = words.split("$")
    return [Span(part, part if place % 2 else "") for place, part in enumerate(parts) if part]


def find_letter(letter: str, text: str) -> re.Match[str] | None:
    """Find a letter that is a symbol of its own, ignoring indices, and not a part of another symbol."""
    return re.search(rf"(?<![\w\\]){re.escape(letter)}(?![^\W_]|[⁺⁻′^])", text)
