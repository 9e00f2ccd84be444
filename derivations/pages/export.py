"""The ledger as files, Markdown and JSON: what each claim says, rendered from its evidence."""

import json
import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from .. import sources
from ..coq import theorems
from ..documents import DOCUMENTS, parts
from ..evidence.claims import Run
from ..sources import Line
from .card import Card
from .terminal import words


def markdown(cards: Iterable[Card]) -> dict[str, str]:
    """Return a Markdown file for each document that has a claim among the cards, by name."""
    return {f"{name}.md": page(name, group) for name, group in groupby(cards, lambda card: parts(card.id)[0])}


def page(name: str, cards: Iterable[Card]) -> str:
    """Return the claims of a document as Markdown with formulas for GitHub."""
    document = DOCUMENTS[name]
    lines = [
        f"# {name}: {document.title}",
        "",
        f"{document.about[0].upper()}{document.about[1:]}.",
        "",
        "`infonce-ref ledger --markdown DIR` wrote this page; `infonce-ref ledger ID` shows a claim.",
    ]
    for card in cards:
        lines += ["", *_claim(card)]
    return "\n".join(lines) + "\n"


def _claim(card: Card) -> list[str]:
    verdict = str(card.verdict) if card.stands else f"{card.verdict}: DOES NOT STAND"
    said = [f"- {heading}: {''.join(map(_set, runs))}" for heading, runs in card.said.items()]
    shown = [f"{name}: {kind}\n{written}" for name, (kind, written) in card.evidence.items()]
    evidence = ["<details><summary>evidence</summary>", "", "```text", *shown, "```", "", "</details>"]
    return [f"**{card.id}** · {verdict} · `{card.proof.path}`", "", *said, "", *evidence]


def _set(run: Run) -> str:
    if run.latex:
        return f"$`{run.latex}`$" + (f" ({run.mark})" if run.mark else "")
    return re.sub(r"([\\\\*_\[\]<>|`$])", r"\\\1", run.text)


def json_text(cards: Sequence[Card]) -> str:
    """Return the claims as JSON, with whether all of them stand."""
    found = {
        sources.PACKAGE: sources.version(),
        "stands": all(card.stands for card in cards),
        "coq": theorems.describe_record(),
        "claims": [record(card) for card in cards],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def record(card: Card) -> dict[str, Any]:
    """Return a settled claim as plain text and numbers."""
    said = {heading: words(runs) for heading, runs in card.said.items()}
    return {
        "id": card.id,
        "document": DOCUMENTS[parts(card.id)[0]].title,
        "printed": said.get("printed", ""),
        "checked": said["checked"],
        "right": said.get("right", ""),
        "verdict": card.verdict,
        "stands": card.stands,
        "coq": card.coq,
        "failure": card.failure,
        "evidence": {name: written for name, (_, written) in card.evidence.items()},
        "proof": _place(card.proof),
        "cited": [_place(line) for line in card.cited],
    }


def _place(line: Line) -> dict[str, Any]:
    return {"file": line.path, "line": line.number}
