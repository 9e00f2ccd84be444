"""The ledger as files: a page of Markdown, docs/ledger.md, and JSON; what each claim says, from its evidence."""

import json
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

from .. import sources
from ..documents import DOCUMENTS, parts
from ..ledger import Settled, citations, proved_at
from ..sources import Line
from . import book
from .terminal import words


def markdown(entries: Iterable[Settled]) -> str:
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


def write_markdown(path: Path, entries: Iterable[Settled]) -> None:
    """The page as a file."""
    path.write_text(markdown(entries), encoding="utf-8")


def write_json(path: Path, entries: Sequence[Settled]) -> None:
    """Every claim given, and whether all of them stand."""
    found = {
        sources.PACKAGE: version(sources.PACKAGE),
        "stands": all(entry.stands for entry in entries),
        "claims": [record(entry) for entry in entries],
    }
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def record(entry: Settled) -> dict[str, Any]:
    """A settled claim in words and numbers alone."""
    claim = entry.claim
    said = {heading: words(runs) for heading, runs in book.said(entry)}
    return {
        "id": claim.id,
        "document": DOCUMENTS[parts(claim.id)[0]].title,
        "printed": said.get("printed", ""),
        "checked": said["checked"],
        "right": said.get("right", ""),
        "verdict": claim.verdict,
        "stands": entry.stands,
        "failure": entry.failure,
        "evidence": {name: str(part) for name, part in entry.evidence.items()},
        "proof": _place(proved_at(claim)),
        "cited": [_place(line) for line in citations().get(claim.id, [])],
    }


def _place(line: Line) -> dict[str, Any]:
    return {"file": line.path, "line": line.number}
