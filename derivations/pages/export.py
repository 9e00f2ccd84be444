"""A claim as Markdown, which the terminal prints and notebooks and files hold; the ledger as JSON."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from textwrap import indent
from typing import Any

from .. import sources
from ..coq import accepted
from ..documents import DOCUMENTS, parts
from ..evidence.spans import Span
from ..record import ClaimCard
from ..sources import Line
from .unicode_math import write_line


def set_for_github(run: Span) -> str:
    """Write words, or a formula as GitHub reads it."""
    if run.latex:
        return f"$`{run.latex}`$" + (f" ({run.mark})" if run.mark else "")
    return re.sub(r"([\\\\*_\[\]<>|`$])", r"\\\1", run.text)


def write_claim(card: ClaimCard, show: Callable[[Span], str]) -> str:
    """Return a claim with its verdict; its evidence is folded. show: how words and formulas are written."""
    verdict = str(card.verdict) if card.stands else f"{card.verdict}: DOES NOT STAND"
    folded = f"<details><summary>evidence</summary>\n\n{write_evidence(card)}\n\n</details>"
    return f"**{card.id}** · {verdict}\n\n{write_statements(card, show)}\n\n{folded}"


def write_statements(card: ClaimCard, show: Callable[[Span], str]) -> str:
    """Return what a claim says, and where it is printed, proved and used, as a list."""
    document = parts(card.id)[0]
    rows = [(heading, "".join(map(show, runs))) for heading, runs in card.said.items()]
    rows += [("not accepted by Coq", f"{name}, because {why}") for name, why in card.without]
    rows += [("failure", card.failure)] if card.failure else []
    rows += [("source", f"{document}, {DOCUMENTS[document].called}"), ("proof", str(card.proof))]
    rows += [("Coq", accepted.describe_record())] if card.coq else []
    rows += [("code", ", ".join(map(str, card.cited)))] if card.cited else []
    return "\n".join(f"- {heading}: {' '.join(words.split())}" for heading, words in rows)


def write_evidence(card: ClaimCard) -> str:
    """Return the pieces of evidence as indented text, which Markdown shows as it is."""
    shown = (f"{name}: {piece.kind}\n{piece.text()}" for name, piece in card.evidence.items())
    return indent("\n".join(shown), " " * 4)


def markdown(cards: Iterable[ClaimCard]) -> dict[str, str]:
    """Return a Markdown file for each document that has a claim among the cards, by name, for GitHub."""
    return {
        f"{name}.md": _page(name, group) for name, group in groupby(cards, lambda card: parts(card.id)[0])
    }


def _page(name: str, cards: Iterable[ClaimCard]) -> str:
    document = DOCUMENTS[name]
    head = (
        f"# {name}: {document.title}",
        f"{document.about[0].upper()}{document.about[1:]}.",
        "`infonce-ref ledger --markdown DIR` wrote this page; `infonce-ref ledger ID` shows a claim.",
    )
    return "\n\n".join([*head, *(write_claim(card, set_for_github) for card in cards)]) + "\n"


def json_text(cards: Sequence[ClaimCard]) -> str:
    """Return the claims as JSON, with whether all of them stand."""
    found = {
        sources.PACKAGE: sources.version(),
        "stands": all(card.stands for card in cards),
        "coq": accepted.describe_record(),
        "claims": [record(card) for card in cards],
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def record(card: ClaimCard) -> dict[str, Any]:
    """Return a settled claim as plain text and numbers."""
    said = {heading: write_line(runs) for heading, runs in card.said.items()}
    return {
        "id": card.id,
        "document": DOCUMENTS[parts(card.id)[0]].title,
        "printed": said.get("printed", ""),
        "checked": said["statement"],
        "right": said.get("right", ""),
        "verdict": card.verdict,
        "stands": card.stands,
        "coq": card.coq,
        "failure": card.failure,
        "evidence": {name: piece.text() for name, piece in card.evidence.items()},
        "proof": _place(card.proof),
        "cited": [_place(line) for line in card.cited],
    }


def _place(line: Line) -> dict[str, Any]:
    return {"file": line.path, "line": line.number}
