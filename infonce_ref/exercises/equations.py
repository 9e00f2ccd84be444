"""The equations of an exercise, rendered from the claims. Only this file of the package imports the proofs."""

import re
from collections.abc import Iterable
from functools import cache
from typing import Any

from ..derivations.evidence.claims import Sentence
from ..derivations.evidence.pieces import Instance, relation
from ..derivations.ledger import Settled, settle
from ..derivations.pages import book, notebook, terminal
from ..derivations.prover.notation import quantities_of
from ..derivations.symbols import TABLE


@cache
def find_claim(id: str) -> Settled:
    """Return the claim with its evidence. Raises ValueError if it does not hold."""
    entry = settle(book.claim(id, "exercises"))
    if not entry.stands:
        raise ValueError(f"exercises: {id} does not hold and cannot be shown: {entry.failure}")
    return entry


def statements(which: str) -> list[str]:
    """Return statements of a claim's evidence. which: the claim's id and the names of pieces («logits.where G» is
    the definition of G in the piece logits), or the id alone for the first piece.
    """
    evidence = find_claim(which.partition(" ")[0]).evidence
    return [terminal.words(Sentence(f"«{piece}»").runs(evidence)) for piece in pieces(which)]


def pieces(which: str) -> list[str]:
    """Split the names of the pieces, which may have two words; the first piece if no name is given. Raises
    ValueError for an unknown name.
    """
    id, *words = which.split()
    evidence = find_claim(id).evidence
    found = []
    while words:
        count = next((k for k in range(len(words), 0, -1) if " ".join(words[:k]) in evidence), 0)
        if not count and words[0].endswith(".where"):
            count = 2
        if not count:
            raise ValueError(f"exercises: {which}: it shows {', '.join(evidence)}; got {words[0]}")
        found.append(" ".join(words[:count]))
        words = words[count:]
    return found or [next(iter(evidence))]


def cells(lesson: str) -> list[notebook.Cell]:
    """Return a lesson as the cells of a notebook, with its claims settled."""
    (chosen,) = book.choose([lesson])
    entries = {claim.id: find_claim(claim.id) for claim in book.list_needed([lesson])}
    return list(notebook.cells(chosen, entries))


def lessons() -> list[str]:
    """The lessons' names, in their order."""
    return [lesson.name for lesson in book.choose([])]


def read(which: str) -> str:
    """The statement of a claim in one line."""
    return "; ".join(statements(which))


def lines(equations: Iterable[str]) -> list[str]:
    """The equations, one a line, each with its id, and the meaning of their symbols."""
    equations = list(equations)
    shown = [(which.partition(" ")[0], text) for which in equations for text in statements(which)]
    width = max(len(id) for id, _ in shown)
    used = set().union(*map(symbols, equations))
    entries = [entry for entry in TABLE if entry.symbol in used]
    sizes = {entry.name for entry in entries}

    def describe(entry: Any) -> str:
        """The meaning, and the shape unless its sizes are another loss's."""
        own = {*re.findall(r"[^\W\d_]+", entry.shape)} <= sizes
        return f"{entry.name}  {entry.meaning}{' ' + entry.shape if entry.shape and own else ''}"

    return [*(f"{id:<{width}}  {text}" for id, text in shown), "", *map(describe, entries)]


def symbols(which: str) -> set[Any]:
    """Return the symbols in statements(which), as objects, because two symbols can share a letter."""
    evidence = find_claim(which.partition(" ")[0]).evidence
    found: set[Any] = set()
    for piece, text in zip(pieces(which), statements(which), strict=True):
        defined = list(Sentence(f"«{piece}»").definitions(evidence))
        if defined:
            sides = [side for one in defined for side in (one.head, one.body)]
        elif isinstance(evidence[piece], Instance):  # an Instance has numbers and letters without a symbol
            letters = set(re.findall(r"\w+", text))
            sides = [entry.symbol for entry in TABLE if entry.name in letters]
        else:
            sides = list(relation(evidence[piece])[::2])
        found = found.union(*map(quantities_of, sides))
    return found
