"""Record who read the words of each claim beside its relations. A claim that changed since then is unreviewed.

Proofs do not cover words: a sentence can be reversed without changing its evidence. So a person reads the words,
the quotation, and every relation of the evidence together, and signs a digest of them in reviewed.toml:

    "D1.13" = "0123456789abcdef 2026-11-24 NAME"

`python tools/review.py` shows what changed and signs it. If a program computes a finding, the program is read too,
and its digest signed in read_code.toml.
"""

import ast
import hashlib
import inspect
import linecache
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .evidence.claims import Claim
from .evidence.pieces import Empirical, Instance, Measured, Piece, relation, states
from .ledger import Settled
from .prover.show import text

FILE = Path(__file__).parent / "reviewed.toml"
OF_CODE = Path(__file__).parent / "read_code.toml"


class Review(NamedTuple):
    """The digest of what was read, the date, and who read it."""

    digest: str
    date: str
    reader: str


def lines(entry: Settled) -> list[str]:
    """List what a reader reads of a claim: verdict, quotation, words, and the statement of each piece of
    evidence.
    """
    claim = entry.claim
    said = [("verdict", claim.verdict), ("printed", claim.printed), ("said by", claim.heard)]
    sentences = (("checked", claim.says), ("right", claim.right), ("brief", claim.brief))
    said += [(heading, sentence.words) for heading, sentence in sentences if sentence]
    found = [f"{heading}: {' '.join(words.split())}" for heading, words in said if words]
    return found + [line for name, piece in entry.evidence.items() for line in _state(name, piece)]


def _state(name: str, piece: Piece) -> list[str]:
    """Return a piece's statement without the steps of a proof and without measured numbers, whose last digits
    vary.
    """
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
    """Return the digest of what a reader reads of a claim."""
    return digest_lines(lines(entry))


def digest_lines(read: Sequence[str]) -> str:
    """A digest of lines."""
    return hashlib.sha256("\n".join(read).encode()).hexdigest()[:16]


def read(path: Path = FILE) -> Mapping[str, Review]:
    """The reviews by the claims' ids."""
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {id: Review(*signed.split(" ", 2)) for id, signed in known.items()}


def has_code(entry: Settled) -> bool:
    """Whether a program computes a finding of this claim."""
    return any(isinstance(piece, Instance) and not states(piece) for piece in entry.evidence.values())


def code(claim: Claim) -> list[str]:
    """List the lines of code behind a claim's evidence: the claim itself and the functions of its file that
    it calls.
    """
    evidence = inspect.unwrap(claim.evidence)
    functions = _find_functions("".join(linecache.getlines(evidence.__code__.co_filename)))
    called = dict.fromkeys([evidence.__name__] if evidence.__name__ in functions else [])
    for name in (waiting := list(called)):
        for used in functions[name].names:
            if used in functions and used not in called:
                called[used] = None
                waiting.append(used)
    return [line for name in called for line in functions[name].source.splitlines() if line.strip()]


class Function(NamedTuple):
    """source: its text, without decorators · names: those in it."""

    source: str
    names: tuple[str, ...]


@cache  # the claims of a file share it
def _find_functions(text: str) -> dict[str, Function]:
    return {
        node.name: Function(
            ast.get_source_segment(text, node) or "",
            tuple(each.id for each in ast.walk(node) if isinstance(each, ast.Name)),
        )
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


def digest_code(claim: Claim) -> str:
    """Return a digest of that code; line breaks are ignored."""
    return digest_lines("".join(code(claim)).split())


@cache
def _reviews(path: Path) -> Mapping[str, Review]:
    return read(path)


def find_review(entry: Settled) -> Review | None:
    """Return the valid review of a claim, or None if its words or its code changed since."""
    id = entry.claim.id
    if has_code(entry):
        of_code = _reviews(OF_CODE).get(id)
        if not of_code or of_code.digest != digest_code(entry.claim):
            return None
    known = _reviews(FILE).get(id)
    return known if known and known.digest == digest(entry) else None


def describe(entry: Settled) -> str:
    """Say who read the words of a claim, and when; "" if the current words are unread."""
    known = find_review(entry)
    if not known:
        return ""
    words = f"words read on {known.date} by {known.reader}"
    if not has_code(entry):
        return words
    of_code = _reviews(OF_CODE)[entry.claim.id]
    return f"{words}; code that computes its findings read on {of_code.date} by {of_code.reader}"
