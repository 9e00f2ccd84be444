"""A claim of the ledger: what a document prints, what was checked, and the verdict."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..documents import parts
from ..prover.notation import Definition, base_of
from .spans import Piece, Span, split_formulas
from .verdicts import NotShown, Verdict
from .words import refuse_relations

QUOTE = re.compile(r"«([^»]*)»")
_WHERE = "where "


class Quote(NamedTuple):
    """«name.part» in a sentence."""

    name: str
    part: str

    @property
    def whole(self) -> bool:
        """Return whether it shows the whole piece, from its first line to its last."""
        return self.part in ("", "chain")


@dataclass(frozen=True)
class Sentence:
    """Words with quotes that are rendered from the evidence.

    «name» is the statement of that piece of evidence, its first line = its last; «name.chain» all of its lines,
    «name.assuming» its hypotheses, «name.where x» the definition of x in it. Single lines cannot be shown, because
    the words between them could change their meaning. $…$ is a formula without a relation, such as a name.
    """

    words: str

    def __post_init__(self) -> None:
        refuse_relations(QUOTE.sub("", self.words))

    @property
    def quotes(self) -> list[Quote]:
        """The quotes, in order."""
        return [read_quote(found) for found in QUOTE.findall(self.words)]

    def definitions(self, pieces: Mapping[str, Any]) -> Iterator[Definition]:
        """The definitions that it shows."""
        for name, part in self.quotes:
            if part.startswith(_WHERE):
                given = {str(base_of(x.head)): x for x in getattr(pieces[name], "definitions", ())}
                yield _find(part.removeprefix(_WHERE), given)
            elif isinstance(pieces[name], Definition):
                yield pieces[name]

    def runs(self, pieces: Mapping[str, Piece]) -> list[Span]:
        """Render the sentence. Raises NotShown for a name without a piece."""
        runs: list[Span] = []
        for place, part in enumerate(QUOTE.split(self.words)):
            if place % 2:
                shown = read_quote(part)
                runs.append(render(shown, pieces)._replace(whole=shown.whole, name=shown.name))
            else:
                runs += split_formulas(part)
        return runs


def read_quote(written: str) -> Quote:
    """Parse «written» into a name and a part."""
    name, _, part = written.partition(".")
    return Quote(name, part)


def render(quote: Quote, pieces: Mapping[str, Piece]) -> Span:
    """Render a quote. Raises NotShown if there is no such piece, or if the piece has no such part."""
    name, part = quote
    if name not in pieces:
        raise NotShown(f"«{name}» names no piece of evidence; there are {', '.join(pieces)}")
    piece = pieces[name]
    match part:
        case "":
            return piece.states
        case "chain" if piece.kind == "proof":
            lines, formulas = zip(*(line[:2] for line in piece.lines), strict=True)
            return piece.states._replace(text=" ".join(lines), latex=" ".join(formulas))
        case "assuming" if piece.proves:
            return Span("; ".join(piece.assuming))
        case _ if part.startswith(_WHERE):
            return _find(part.removeprefix(_WHERE), {each.name: each for each in piece.where})
    raise NotShown(
        f"«{name}.{part}»: of a {piece.kind} nothing of that kind is shown; write «{name}», or"
        " of a proof .chain, .assuming, .where x"
    )


def _find(name: str, given: Mapping[str, Any]) -> Any:
    """Find the definition of a name among those of a piece."""
    if name not in given:
        raise NotShown(
            f"where {name}: the piece uses no definition of it; those it uses are of {', '.join(given)}"
        )
    return given[name]


@dataclass(frozen=True)
class Claim:
    """One row of the ledger.

    printed: what the document prints, word for word, formulas in $…$; empty for our own claims. said_by: who says
    it, with a citation, for a refuted claim that no document prints. checked: what was shown. correction: the right
    statement, if the printed one is wrong. brief: a summary in a sentence and a formula, for a claim whose first
    sentences are none. evidence: returns the pieces of evidence by the names that the sentences use. module, line:
    where the claim is written.
    """

    id: str
    printed: str
    checked: Sentence
    verdict: Verdict
    evidence: Callable[[], Mapping[str, Any]]
    correction: Sentence | None = None
    said_by: str = ""
    brief: Sentence | None = None
    module: str = ""
    line: int = 0


CLAIMS: dict[str, Claim] = {}


def register(claim: Claim) -> None:
    """Put a claim into the ledger."""
    parts(claim.id)
    if claim.id in CLAIMS:
        raise ValueError(f"claim {claim.id} is registered twice; every id is unique")
    CLAIMS[claim.id] = claim
