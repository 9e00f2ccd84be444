"""Who read the words of each claim beside its relations. What changed since it was read is unreviewed.

Proofs do not cover words: a sentence turned into its contrary keeps its evidence. So somebody reads the words, the
quotation, and every relation of the evidence together, and signs a digest of them in reviewed.toml:

    "D1.13" = "0123456789abcdef 2026-11-24 NAME"

`python tools/review.py` shows what changed and signs it.
"""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .evidence.pieces import Empirical, Instance, Measured, Piece, relation, states
from .ledger import Settled
from .prover.show import text

FILE = Path(__file__).parent / "reviewed.toml"


class Review(NamedTuple):
    """The digest of what was read, the date, and who read it."""

    digest: str
    date: str
    reader: str


def lines(entry: Settled) -> list[str]:
    """What a reader reads of a claim: verdict, quotation, words, and what each piece of evidence states."""
    claim = entry.claim
    said = [("verdict", claim.verdict), ("printed", claim.printed), ("said by", claim.heard)]
    sentences = (("checked", claim.says), ("right", claim.right), ("brief", claim.brief))
    said += [(heading, sentence.words) for heading, sentence in sentences if sentence]
    found = [f"{heading}: {' '.join(words.split())}" for heading, words in said if words]
    return found + [line for name, piece in entry.evidence.items() for line in _state(name, piece)]


def _state(name: str, piece: Piece) -> list[str]:
    """What a piece states, without the steps of a proof and without measured numbers, whose last digits vary."""
    head = f"«{name}» {type(piece).__name__}:"
    if isinstance(piece, Empirical):
        return [f"{head} {piece.words}"]
    stated = f"{head} {relation(piece).text()}" if states(piece) else head
    if isinstance(piece, Instance):
        rows = [f"  {given}: {said}" for given, said in piece.rows()]
        if isinstance(piece, Measured):
            rows = [f"  {given}: {said}" for given, said in piece.rows() if given]
            rows += [f"  {finding.names} {finding.sign} {finding.tolerance}" for finding in piece.findings]
        return [f"{stated} {piece.shows}", *rows]
    where = [f"  where {text(x.head)} = {text(x.body)}" for x in getattr(piece, "definitions", ())]
    assuming = "; ".join(getattr(piece, "assumptions", ()))
    return [stated, *where, *([f"  assuming {assuming}"] if assuming else [])]


def digest(entry: Settled) -> str:
    """A digest of what a reader reads of a claim."""
    return digest_lines(lines(entry))


def digest_lines(read: Sequence[str]) -> str:
    """A digest of lines."""
    return hashlib.sha256("\n".join(read).encode()).hexdigest()[:16]


def read(path: Path = FILE) -> Mapping[str, Review]:
    """The reviews by the claims' ids."""
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {id: Review(*signed.split(" ", 2)) for id, signed in known.items()}


@cache
def _reviews() -> Mapping[str, Review]:
    return read()


def find_review(entry: Settled) -> Review | None:
    """The review of a claim that holds, as it is now; None if nobody read it since it changed."""
    known = _reviews().get(entry.claim.id)
    return known if known and known.digest == digest(entry) else None


def describe(entry: Settled) -> str:
    """Say who read the words of a claim, and when; "" if nobody read them as they are."""
    known = find_review(entry)
    return f"words read on {known.date} by {known.reader}" if known else ""
