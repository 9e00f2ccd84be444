"""The ledger as one page of Markdown, docs/ledger.md: what each claim says, rendered from its evidence."""

from collections.abc import Iterable
from itertools import groupby

from ..claims import DOCUMENTS, parts
from ..ledger import Settled, proved_at
from . import book
from .terminal import words


def ledger(entries: Iterable[Settled]) -> str:
    """The page, the claims in the order in which they come."""
    lines = [
        "# The ledger",
        "",
        "Written by `infonce-ref ledger --markdown docs/ledger.md`, from the evidence.",
    ]
    for name, group in groupby(entries, lambda entry: parts(entry.claim.id)[0]):
        document = DOCUMENTS[name]
        lines += ["", f"## {name}: {document.title}", "", f"{document.about[0].upper()}{document.about[1:]}."]
        for entry in group:
            lines += ["", *_claim(entry)]
    return "\n".join(lines) + "\n"


def _claim(entry: Settled) -> list[str]:
    claim = entry.claim
    where = proved_at(claim)
    verdict = str(claim.verdict) if entry.stands else f"{claim.verdict}: DOES NOT STAND"
    head = f"**{claim.id}** · {verdict} · [{where.path}](../{where.path})"
    said = [f"- {heading}: {_escaped(words(runs))}" for heading, runs in book.said(entry)]
    return [head, "", *said]


def _escaped(text: str) -> str:
    for letter in "\\*_[]<>|`":
        text = text.replace(letter, f"\\{letter}")
    return text
