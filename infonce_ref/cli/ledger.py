"""infonce-ref ledger"""

import argparse
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from .command import filled, folder, listed, writable


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "ledger",
        help="the verdict on every equation and claim of the documents",
        description="Runs the evidence of each claim: a proof, a counterexample or a computation. Exit status 0 "
        "only if all of it stands.",
        names=names,
    )
    own.add_argument("ids", metavar="ID", nargs="*", help="show these claims whole, for example D1.13")
    own.add_argument("--document", metavar="D", help="only the claims of this document, for example D1")
    own.add_argument("--verdict", metavar="V", help="only this verdict, for example refuted")
    own.add_argument(
        "--kernel",
        action="store_true",
        help="have Coq check the theorems of these claims, where it is installed",
    )
    own.add_argument("--json", metavar="FILE", type=Path, help="write every claim and its evidence to FILE")
    own.add_argument("--markdown", metavar="DIR", type=Path, help="write a page of each document into DIR")
    own.set_defaults(run=run, extra="verify")


def names() -> str:
    """What the ids of the ledger mean, and the verdicts."""
    from ..derivations.documents import DOCUMENTS
    from ..derivations.verdicts import Verdict

    lines = (
        filled(
            f"{name:<3} {document.title}: {document.about}", initial_indent="  ", subsequent_indent=" " * 6
        )
        for name, document in DOCUMENTS.items()
    )
    head = filled("An id names a document and a row of it, such as D1.13 or M5. The documents:")
    return "\n".join([head, *lines, listed("verdicts", Verdict)])


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..derivations import ledger as book
    from ..derivations.kernel import coq
    from ..derivations.pages import export, terminal
    from .terminal import Terminal

    claims = book.choose(arguments.ids, arguments.document, arguments.verdict)
    writable("--json", arguments.json)
    folder("--markdown", arguments.markdown)
    if arguments.kernel:
        coq.version()
    entries = settled(claims)
    console = Terminal()
    accepted = kernel(entries, console) if arguments.kernel else True
    if arguments.ids:
        for entry in entries:
            terminal.show_claim(entry, console)
    else:
        terminal.show_table(entries, console)
    if arguments.json:
        export.write_json(arguments.json, entries)
    if arguments.markdown:
        for path in export.write_markdown(arguments.markdown, entries):
            print(path)
    return 0 if accepted and all(entry.stands for entry in entries) else 1


def kernel(entries: Sequence[Any], console: Any) -> bool:
    """Has Coq check the theorems of these claims, and says what came of it."""
    from ..derivations.kernel import coq, theorems
    from ..derivations.kernel.export import proposition
    from ..progress import bar

    pieces = {entry.claim.id: entry.evidence for entry in entries}
    chosen = [theorem for theorem in theorems.theorems() if theorem.id in pieces]
    if not chosen:
        raise ValueError(
            "--kernel: none of these claims has a theorem in Coq; leave out the ids to check all"
        )
    said = {theorem.name: proposition(pieces[theorem.id][theorem.piece]) for theorem in chosen}
    files = len({theorem.file for theorem in chosen}) + len(theorems.LIBRARY) + 2
    done = count(1)
    with bar("Coq") as told:
        try:
            accepted = coq.judge(chosen, said, lambda file: told(f"{file}.v", next(done), files))
        except coq.Refused as error:
            print(f"infonce-ref ledger: not accepted: {error}", file=sys.stderr)
            return False
    console.print(f"{len(chosen)} theorems accepted by Coq {accepted.coq}, on {', '.join(accepted.axioms)}\n")
    return True


def settled(claims: Sequence[Any]) -> list[Any]:
    """Every claim with what its evidence says, behind a progress bar."""
    from ..derivations.ledger import settle
    from ..progress import each

    return list(each(settle, claims, lambda claim: claim.id))
