"""The ledger as files, Markdown for docs/ledger and JSON: what each claim says, rendered from its evidence."""

import json
import re
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

from .. import sources
from ..claims import Run
from ..documents import DOCUMENTS, parts
from ..evidence import written
from ..ledger import Settled, citations, proved_at
from ..sources import Line
from . import book
from .terminal import words


def write_markdown(folder: Path, entries: Iterable[Settled]) -> list[Path]:
    """A page of each document of which claims are given, in their order. Returns the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, group in groupby(entries, lambda entry: parts(entry.claim.id)[0]):
        written.append(folder / f"{name}.md")
        written[-1].write_text(page(name, group), encoding="utf-8")
    return written


def page(name: str, entries: Iterable[Settled]) -> str:
    """The claims of a document, formulas as GitHub sets them."""
    document = DOCUMENTS[name]
    lines = [
        f"# {name}: {document.title}",
        "",
        f"{document.about[0].upper()}{document.about[1:]}.",
        "",
        "Each line was written by `infonce-ref ledger --markdown docs/ledger` from the evidence that it speaks of,",
        "which `infonce-ref ledger ID` shows too.",
    ]
    for entry in entries:
        lines += ["", *_claim(entry)]
    return "\n".join(lines) + "\n"


def _claim(entry: Settled) -> list[str]:
    where = proved_at(entry.claim).path
    verdict = str(entry.claim.verdict) if entry.stands else f"{entry.claim.verdict}: DOES NOT STAND"
    if coq := book.by_coq(entry):
        verdict += f", and {coq}"
    said = [f"- {heading}: {''.join(map(_set, runs))}" for heading, runs in book.said(entry)]
    shown = [
        f"{name}: {type(part).__name__.lower()}\n{written(part)}" for name, part in entry.evidence.items()
    ]
    evidence = ["<details><summary>evidence</summary>", "", "```text", *shown, "```", "", "</details>"]
    return [f"**{entry.claim.id}** · {verdict} · [{where}](../../{where})", "", *said, "", *evidence]


def _set(run: Run) -> str:
    if run.latex:
        return f"$`{run.latex}`$"
    return re.sub(r"([\\\\*_\[\]<>|`$])", r"\\\1", run.text)


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
        "coq": bool(book.by_coq(entry)),
        "failure": entry.failure,
        "evidence": {name: written(part) for name, part in entry.evidence.items()},
        "proof": _place(proved_at(claim)),
        "cited": [_place(line) for line in citations().get(claim.id, [])],
    }


def _place(line: Line) -> dict[str, Any]:
    return {"file": line.path, "line": line.number}
