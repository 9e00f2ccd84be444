"""The ledger on a terminal: the table of claims, and one claim whole."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ..progress import each

COLOURS = {
    "proved": "green",
    "proved for sizes": "green",
    "proved from LEMMA": "green",
    "checked": "cyan",
    "corrected": "yellow",
    "refuted": "red",
    "no theorem": "magenta",
}


def choose(ids: Sequence[str], document: str | None, verdict: str | None) -> list[Any]:
    """The claims asked for, in the ledger's order. Raises ValueError for an id, document or verdict unknown."""
    from derivations.claims import CLAIMS
    from derivations.ledger import order

    unknown = [id for id in ids if id not in CLAIMS]
    if unknown:
        raise ValueError(f"ledger: unknown {', '.join(unknown)}; ids look like D1.13, P2, M5 or S1")
    documents = sorted({id.partition(".")[0] if id[0] == "D" else id[0] for id in CLAIMS})
    if document is not None and document not in documents:
        raise ValueError(f"--document must be one of {', '.join(documents)}; got {document}")
    if verdict is not None and verdict not in COLOURS:
        raise ValueError(f"--verdict must be one of {', '.join(COLOURS)}; got {verdict!r}")
    chosen = [
        CLAIMS[id]
        for id in sorted(ids or CLAIMS, key=order)
        if (document is None or (id.partition(".")[0] if id[0] == "D" else id[0]) == document)
        and (verdict is None or str(CLAIMS[id].verdict) == verdict)
    ]
    if not chosen:
        raise ValueError("ledger: no claim is of that kind; leave out an id, --document or --verdict")
    return chosen


def settled(claims: Sequence[Any]) -> list[Any]:
    """Every claim with its evidence."""
    from derivations.ledger import settle

    return each(settle, claims, lambda claim: claim.id)


def words(text: str) -> str:
    """A claim's text in one line, its LaTeX as Unicode."""
    from derivations.pages.mathematics import runs
    from derivations.pages.terminal import plain

    return " ".join("".join(plain(run.text) if run.is_math else run.text for run in runs(text)).split())


def badge(entry: Any) -> Text:
    """The verdict, or that it does not stand."""
    verdict = str(entry.claim.verdict)
    if not entry.stands:
        return Text(f"{verdict}: DOES NOT STAND", style="bold white on red")
    return Text(verdict, style=COLOURS[verdict])


def show_table(entries: Sequence[Any], console: Console) -> None:
    """Id, verdict and the statement's first line."""
    table = Table(box=None, expand=True, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("id", no_wrap=True, width=6)
    table.add_column("verdict", no_wrap=True, width=max(map(len, COLOURS)))
    table.add_column("what was checked", no_wrap=True, overflow="ellipsis", ratio=1)
    for entry in entries:
        table.add_row(entry.claim.id, badge(entry), Text(words(entry.claim.statement)))
    console.print(table)
    console.print()
    counts = {verdict: sum(str(e.claim.verdict) == verdict for e in entries) for verdict in COLOURS}
    console.print(
        ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count), highlight=False
    )
    for entry in entries:
        if not entry.stands:
            console.print(Text(f"{entry.claim.id}: {entry.failure}", style="red"))


def show_claim(entry: Any, console: Console) -> None:
    """One claim whole: what is printed, what was checked, the evidence, what is right, where the code uses it."""
    from derivations.ledger import citations

    claim = entry.claim
    console.print(
        Text.assemble((claim.id, "bold"), "  ", badge(entry), f"  {claim.scope}" if claim.scope else "")
    )
    for heading, text in (("printed", claim.printed), ("checked", claim.statement), ("right", claim.right)):
        if text:
            console.print(Text.assemble((f"{heading}: ", "bold"), words(text)))
    for part in entry.evidence:
        console.print(Text(str(part)))
    if not entry.stands:
        console.print(Text(entry.failure, style="red"))
    where = citations().get(claim.id, [])
    if where:
        console.print(Text.assemble(("code: ", "bold"), ", ".join(f"{c.path}:{c.line}" for c in where)))
    console.print()
