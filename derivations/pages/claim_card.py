"""The card of a claim: what was settled of it, as plain text and numbers."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sympy import Expr

from ..coq import theorems
from ..evidence.claims import CLAIMS, QUOTE, Claim, Sentence, read_quote, render
from ..evidence.kinds import (
    PROVING,
    Counterexample,
    Empirical,
    Misprint,
    describe,
    relation,
    states,
    verdict_of,
)
from ..evidence.spans import Span, find_letter, split_formulas
from ..ledger import CheckedClaim, check_claim, find_proof
from ..prover.cache import recorded
from ..prover.proof import Derivation
from ..record import ClaimCard
from ..sources import citations
from ..symbols import TABLE, Entry, find_symbols


def check_card(id: str) -> ClaimCard:
    """Settle a claim and return its card; runs in a worker process."""
    return make_card(check_claim(CLAIMS[id]))


def settle(claim: Claim, known: ClaimCard | None) -> CheckedClaim:
    """Settle a claim. With a card on record its evidence is built without proof, and must be what the card has of
    it; if it is not, or without a card, it is proved.
    """
    if known:
        with recorded():
            entry = check_claim(claim)
        for name, piece in entry.evidence.items():
            if isinstance(piece, PROVING):
                _keep_assumptions(piece, known.evidence[name][1])
        if (describe_evidence(entry), describe_sentences(entry)) == (known.evidence, known.said):
            return entry
    return check_claim(claim)


def _keep_assumptions(piece: Derivation, written: str) -> None:
    """Keep of the hypotheses of a piece those that its text has, in that order."""
    *_, last = written.split("\n  assuming ")
    by_text = {str(each): each for each in piece.hypotheses}
    piece.keep(hypotheses=tuple(by_text[each] for each in last.split("; ") if each in by_text))


def make_card(entry: CheckedClaim) -> ClaimCard:
    """Return the card of a settled claim."""
    claim = entry.claim
    sentences = [claim.brief] if claim.brief else list(filter(None, (claim.checked, claim.correction)))
    return ClaimCard(
        claim.id,
        claim.verdict,
        describe_sentences(entry),
        describe_evidence(entry),
        theorems.all_accepted(entry.evidence),
        entry.failure,
        theorems.state(claim.id, entry.evidence),
        theorems.explain_missing(claim.id),
        find_proof(claim),
        citations().get(claim.id, []),
        [mark_runs(sentence, entry) for sentence in sentences if entry.stands],
        name_symbols(sentences, entry) if entry.stands else [],
    )


def describe_evidence(entry: CheckedClaim) -> dict[str, tuple[str, str]]:
    """Return kind and text of each piece of evidence, by its name."""
    return {name: (type(piece).__name__.lower(), describe(piece)) for name, piece in entry.evidence.items()}


def describe_sentences(entry: CheckedClaim) -> dict[str, list[Span]]:
    """Return a claim's statements by their headings: printed or said by, checked, right."""
    claim = entry.claim
    words = {"printed": claim.printed, "said by": claim.said_by}
    said = {heading: split_formulas(text) for heading, text in words.items() if text}
    for heading, sentence in (("checked", claim.checked), ("right", claim.correction)):
        if sentence:
            # a failed claim has nothing to render: print its plain words beside the failure
            said[heading] = mark_runs(sentence, entry) if entry.stands else [Span(sentence.words)]
    return said


def mark_runs(sentence: Sentence, entry: CheckedClaim) -> list[Span]:
    """Render a sentence; each formula that shows a whole piece gets a mark that says whether it is proved,
    and accepted by Coq.
    """
    runs = sentence.runs(entry.evidence)
    return [run._replace(mark=_mark(entry.evidence[run.name])) if run.whole else run for run in runs]


def name_symbols(sentences: Sequence[Sentence], entry: CheckedClaim) -> list[tuple[str, str]]:
    """Return letter and meaning of each symbol that these sentences use in formulas but do not name in words, in
    the order in which they appear; symbols defined by a formula come last.
    """
    pieces = entry.evidence
    fields = [".".join(filter(None, shown)) for sentence in sentences for shown in sentence.quotes]
    shown = [side for part in fields for side in list_expressions(part, pieces)]
    defined = {name.head for sentence in sentences for name in sentence.definitions(pieces)}
    symbols = set().union(*map(find_symbols, shown))
    last = set().union(*map(find_symbols, defined))
    words = [run for sentence in sentences for run in split_formulas(QUOTE.sub(" ", sentence.words))]
    formulas = " ".join(render(read_quote(part), pieces).text for part in fields)
    named = [
        (entry.symbol in last, found.start(), entry)
        for entry in TABLE
        if entry.symbol in symbols and not any(_names(run, entry) for run in words)
        if (found := find_letter(entry.name, formulas))
    ]
    return [(entry.name, entry.meaning) for *_, entry in sorted(named, key=lambda each: each[:2])]


def _names(run: Span, entry: Entry) -> bool:
    """Return whether these words, or this formula in LaTeX, name a symbol."""
    said, letter = (run.latex, entry.latex) if run.latex else (run.text, entry.name)
    said, letter = (re.sub(r"[{} ]", "", text) if run.latex else text for text in (said, letter))
    return find_letter(letter, said) is not None


def _mark(piece: Any) -> str:
    """Describe how a piece is shown: proved, or true or false at a point; accepted by Coq."""
    known = []
    if isinstance(piece, PROVING):
        known = [str(verdict_of([piece]))]
    elif isinstance(piece, Misprint | Counterexample) and states(piece):
        known = ["false at a point"]
    return ", ".join([*known, "Coq"] if theorems.is_stated(piece) and theorems.is_accepted(piece) else known)


def list_expressions(part: str, pieces: Mapping[str, Any]) -> list[Expr]:
    shown = read_quote(part)
    expressions = [
        side for name in Sentence(f"«{part}»").definitions(pieces) for side in (name.head, name.body)
    ]
    piece = pieces[shown.name]
    if shown.whole and states(piece) and not isinstance(piece, Empirical):
        expressions += [relation(piece).left, relation(piece).right]
    return expressions
