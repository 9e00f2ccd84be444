"""A settled claim as plain text and numbers, for a terminal, a file or another process."""

from typing import NamedTuple

from ..coq import theorems
from ..evidence.claims import CLAIMS, Span
from ..evidence.kinds import describe
from ..evidence.verdicts import Verdict
from ..ledger import CheckedClaim, check_claim, citations, find_proof
from ..sources import Line
from . import book


class ClaimCard(NamedTuple):
    """said: its statements, by heading · evidence: kind and text of each piece, by name · coq: whether Coq accepted
    every piece that can be stated in it · failure: why it does not hold, or "" · stated: its theorems in Coq ·
    without: pieces without a theorem, with the reason · proof and cited: lines of the sources · brief: sentences
    of its first screen, in one or two parts · symbols: letters that its words do not name, with their meanings.
    """

    id: str
    verdict: Verdict
    said: dict[str, list[Span]]
    evidence: dict[str, tuple[str, str]]
    coq: bool
    failure: str
    stated: list[theorems.Theorem]
    without: list[tuple[str, str]]
    proof: Line
    cited: list[Line]
    brief: list[list[Span]]
    symbols: list[tuple[str, str]]

    @property
    def stands(self) -> bool:
        return not self.failure


def check_card(id: str) -> ClaimCard:
    """Settle a claim and return its card; runs in a worker process."""
    return make_card(check_claim(CLAIMS[id]))


def make_card(entry: CheckedClaim) -> ClaimCard:
    """Return the card of a settled claim."""
    claim = entry.claim
    sentences = [claim.brief] if claim.brief else list(filter(None, (claim.checked, claim.correction)))
    return ClaimCard(
        claim.id,
        claim.verdict,
        dict(book.describe(entry)),
        {name: (type(piece).__name__.lower(), describe(piece)) for name, piece in entry.evidence.items()},
        book.is_accepted_by_coq(entry),
        entry.failure,
        theorems.state(claim.id, entry.evidence) if entry.stands else [],
        theorems.explain_missing(claim.id),
        find_proof(claim),
        citations().get(claim.id, []),
        [book.mark_runs(sentence, entry) for sentence in sentences if entry.stands],
        book.name_symbols(sentences, entry) if entry.stands else [],
    )
