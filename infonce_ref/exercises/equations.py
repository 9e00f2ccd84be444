"""The equations of an exercise, rendered from the claims. Only this file of the package imports the proofs."""

from collections.abc import Iterable
from functools import cache

from ..derivations import record
from ..derivations.pages import book, notebook
from ..derivations.pages.unicode_math import write_line
from ..derivations.record import ClaimCard
from ..derivations.symbols import TABLE

WHERE = "exercises"


@cache
def find_claim(id: str) -> ClaimCard:
    """Return the card of a claim. Raises ValueError if the claim does not hold."""
    return book.index_standing(record.settle([book.claim(id, WHERE).id]).values())[id]


def index(pieces: Iterable[str]) -> dict[str, ClaimCard]:
    """The claims of some pieces, by id."""
    return {id: find_claim(id) for id in (piece.partition(" ")[0] for piece in pieces)}


def pieces(which: str) -> list[str]:
    """Split "D3.3 cosine, unit", an id and names of pieces of its evidence, into one such text for each
    piece; the first piece if no name is given.
    """
    id, _, names = which.partition(" ")
    return [f"{id} {name}" for name in (names or next(iter(find_claim(id).evidence))).split(", ")]


def read(which: str) -> str:
    """The statements of the pieces in one line. Raises NotShown for an unknown name."""
    return "; ".join(write_line([book.quotation(piece, index([which]), WHERE)]) for piece in pieces(which))


def lines(equations: Iterable[str]) -> list[str]:
    """The equations, one a line, each with its id, and their symbols with the meaning of each."""
    shown = [piece for which in equations for piece in pieces(which)]
    cards = index(shown)
    symbols = {place for piece in shown for place in book.quotation(piece, cards, WHERE).symbols}
    width = max(map(len, cards))
    return [
        *(f"{piece.partition(' ')[0]:<{width}}  {read(piece)}" for piece in shown),
        "",
        *(f"{entry.name}  {entry.meaning}" for place, entry in enumerate(TABLE) if place in symbols),
    ]


def cells(lesson: str) -> list[notebook.Cell]:
    """Return a lesson as the cells of a notebook, with its claims settled."""
    (chosen,) = book.choose([lesson])
    return list(notebook.cells(chosen, index(book.list_needed([lesson]))))


def lessons() -> list[str]:
    """The lessons' names, in their order."""
    return [lesson.name for lesson in book.choose([])]
