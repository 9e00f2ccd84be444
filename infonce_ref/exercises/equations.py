"""The equations of an exercise, rendered from the claims. Only this file of the package imports the proofs."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from sympy import Indexed, Sum

from ..derivations.evidence.claims import Sentence
from ..derivations.evidence.pieces import Instance, relation
from ..derivations.ledger import Settled, settle
from ..derivations.pages import book, notebook, terminal
from ..derivations.prover.notation import quantities_of
from ..derivations.prover.proof import Proof
from ..derivations.symbols import TABLE, Entry

WORD = re.compile(r"[^\s\d(),:;=/^−·\[\]]+")  # a symbol, or a word


@cache
def find_claim(id: str) -> Settled:
    """Return the claim with its evidence. Raises ValueError if it does not hold."""
    entry = settle(book.claim(id, "exercises"))
    if not entry.stands:
        raise ValueError(f"exercises: {id} does not hold and cannot be shown: {entry.failure}")
    return entry


def pieces(which: str) -> list[str]:
    """Split a claim's id and names of pieces of its evidence, which may have two words («logits.where G» is the
    definition of G in the piece logits), into one such text for each piece; the first piece if no name is given.
    """
    id, *words = which.split()
    evidence = find_claim(id).evidence
    found = []
    while words:
        known = (k for k in range(len(words), 0, -1) if " ".join(words[:k]) in evidence)
        count = next(known, 1 + words[0].endswith(".where"))
        found.append(f"{id} {' '.join(words[:count])}")
        words = words[count:]
    return found or [f"{id} {next(iter(evidence))}"]


def cells(lesson: str) -> list[notebook.Cell]:
    """Return a lesson as the cells of a notebook, with its claims settled."""
    (chosen,) = book.choose([lesson])
    entries = {claim.id: find_claim(claim.id) for claim in book.list_needed([lesson])}
    return list(notebook.cells(chosen, entries))


def lessons() -> list[str]:
    """The lessons' names, in their order."""
    return [lesson.name for lesson in book.choose([])]


def read(which: str) -> str:
    """The statements of the pieces in one line. Raises NotShown for an unknown name."""
    named = (piece.split(maxsplit=1) for piece in pieces(which))
    said = (Sentence(f"«{name}»").runs(find_claim(id).evidence) for id, name in named)
    return "; ".join(map(terminal.words, said))


def lines(equations: Iterable[str]) -> list[str]:
    """The equations, one a line, each with its id, and their symbols with meaning and shape. A clause of a meaning
    with a symbol that is not among them is left out, as it is about another loss.
    """
    shown = [piece for which in equations for piece in pieces(which)]
    width = max(piece.index(" ") for piece in shown)
    found: dict[Any, list[Sequence[str]]] = {}
    for symbol, sizes in (each for piece in shown for each in measure(piece)):
        found.setdefault(symbol, []).append(sizes)
    shapes = {
        entry.symbol: write_shape(entry, found[entry.symbol]) for entry in TABLE if entry.symbol in found
    }
    sizes_used = WORD.findall(" ".join(shapes.values()))
    listed = [x for x in TABLE if x.symbol in shapes or (x.name in sizes_used and not x.shape)]
    others = {entry.name for entry in TABLE} - {entry.name for entry in listed}
    made = [*(f"{piece[: piece.index(' ')]:<{width}}  {read(piece)}" for piece in shown), ""]
    for entry in listed:
        first, *rest = re.split(r"(?<=[:;]) ", entry.meaning)
        about = " ".join([first, *(clause for clause in rest if others.isdisjoint(WORD.findall(clause)))])
        made.append(f"{entry.name}  {about.rstrip(':;')} {shapes.get(entry.symbol, '')}".rstrip())
    return made


def measure(piece: str) -> Iterator[tuple[Any, Sequence[str]]]:
    """Yield each symbol of a piece, as an object, because two symbols can share a letter, and the sizes of its
    axes, "" where the range of an index is not known.
    """
    id, _, name = piece.partition(" ")
    evidence = find_claim(id).evidence
    shown = evidence[name.partition(".")[0]]
    if isinstance(shown, Instance):  # it has numbers, and letters without a symbol
        letters = WORD.findall(read(piece))
        yield from ((entry.symbol, ()) for entry in TABLE if entry.name in letters)
        return
    defined = Sentence(f"«{name}»").definitions(evidence)
    sides = [side for one in defined for side in (one.head, one.body)] or relation(shown)[::2]
    ranges = dict(shown.facts.ranges) if isinstance(shown, Proof) else {}
    for side in sides:
        ranges |= {index: last + 1 for each in side.atoms(Sum) for index, _, last in each.limits}
        yield from ((symbol, ()) for symbol in quantities_of(side))
        for x in side.atoms(Indexed):
            yield x.base, [str(ranges.get(index, "")) for index in x.indices]


def write_shape(entry: Entry, seen: Sequence[Sequence[str]]) -> str:
    """Return the shape of a symbol in the equations; of an axis that they leave open, the size in the table."""
    usual = re.findall(r"[^(), ]+", entry.shape)
    known = ([sizes[axis] for sizes in seen if any(sizes[axis:])] for axis in range(len(usual)))
    sizes = [" or ".join(filter(None, dict.fromkeys(each))) or size for each, size in zip(known, usual)]
    return f"({', '.join(sizes)}{',' * (len(sizes) == 1)})" if sizes else ""
