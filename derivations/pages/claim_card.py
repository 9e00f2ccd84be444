"""The card of a claim: what was settled of it, as plain text and numbers."""

import re
from typing import Any

from ..coq import theorems
from ..evidence.claims import CLAIMS, QUOTE
from ..evidence.kinds import PROVING, Counterexample, Misprint, display, states, verdict_of
from ..evidence.spans import Piece, Span, find_letter, split_formulas
from ..ledger import CheckedClaim, check_claim, find_proof
from ..record import ClaimCard
from ..sources import citations
from ..symbols import TABLE, Entry, find_symbols


def check_card(id: str) -> ClaimCard:
    """Settle a claim and return its card; runs in a worker process."""
    return make_card(check_claim(CLAIMS[id]))


def make_card(entry: CheckedClaim) -> ClaimCard:
    """Return the card of a settled claim."""
    claim = entry.claim
    pieces = {name: _mark(piece) for name, piece in entry.evidence.items()}
    words = {"printed": claim.printed, "said by": claim.said_by}
    said = {heading: split_formulas(text) for heading, text in words.items() if text}
    for heading, sentence in (("statement", claim.checked), ("right", claim.correction)):
        if sentence:
            # a failed claim has nothing to render: print its words beside the failure, with … for its formulas
            plain = split_formulas(QUOTE.sub("…", sentence.words))
            said[heading] = sentence.runs(pieces) if entry.stands else plain
    card = ClaimCard(
        claim.id,
        claim.verdict,
        said,
        pieces,
        theorems.all_accepted(entry.evidence),
        entry.failure,
        theorems.state(claim.id, entry.evidence),
        theorems.explain_missing(claim.id),
        find_proof(claim),
        citations().get(claim.id, []),
        claim.brief.runs(pieces) if claim.brief and entry.stands else [],
        [],
    )
    return card._replace(symbols=name_symbols(card, entry)) if entry.stands else card


def name_symbols(card: ClaimCard, entry: CheckedClaim) -> list[tuple[str, str]]:
    """Return letter and meaning of each symbol that its first sentences use in formulas but do not name in words,
    in the order in which they appear; symbols defined by a formula come last.
    """
    claim, runs = entry.claim, [run for runs in card.first for run in runs]
    sentences = filter(None, [claim.brief] if claim.brief else [claim.checked, claim.correction])
    defined = (name.head for sentence in sentences for name in sentence.definitions(entry.evidence))
    symbols = {symbol for run in runs for symbol in run.symbols}
    last = set().union(*map(find_symbols, defined))
    formulas = " ".join(run.text for run in runs if run.name)
    named = [
        (number in last, found.start(), entry)
        for number, entry in enumerate(TABLE)
        if number in symbols and not any(_names(run, entry) for run in runs if not run.name)
        if (found := find_letter(entry.name, formulas))
    ]
    return [(entry.name, entry.meaning) for *_, entry in sorted(named, key=lambda each: each[:2])]


def _names(run: Span, entry: Entry) -> bool:
    """Return whether these words, or this formula in LaTeX, name a symbol."""
    said, letter = (run.latex, entry.latex) if run.latex else (run.text, entry.name)
    said, letter = (re.sub(r"[{} ]", "", text) if run.latex else text for text in (said, letter))
    return find_letter(letter, said) is not None


def _mark(piece: Any) -> Piece:
    """Return a piece as it is shown, with how its statement is: proved, or false at a point; accepted by Coq."""
    known = []
    if isinstance(piece, PROVING):
        known = [str(verdict_of([piece]))]
    elif isinstance(piece, Misprint | Counterexample) and states(piece):
        known = ["false at a point"]
    known += ["Coq"] if theorems.is_stated(piece) and theorems.is_accepted(piece) else []
    shown = display(piece)
    return shown._replace(states=shown.states._replace(mark=", ".join(known)))
