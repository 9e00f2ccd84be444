"""infonce-ref ledger"""

import argparse
import sys
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from .. import output
from .command import filled, listed

FEW = 12  # claims: to import SymPy in another process takes longer


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
    own.set_defaults(run=run, decides=True, extra="verify")


def names() -> str:
    """What the ids of the ledger mean, and the verdicts."""
    from ..derivations.documents import DOCUMENTS
    from ..derivations.evidence.verdicts import Verdict

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
    from ..derivations.pages import card, export, terminal
    from ..progress import each
    from .terminal import Terminal

    claims = book.choose(arguments.ids, arguments.document, arguments.verdict)
    output.check_outputs({"--json": arguments.json})
    output.check_folder("--markdown", arguments.markdown)
    if arguments.kernel:
        coq.version()
    # the longest proofs are the last claims': begun first, no process waits for one
    backwards = [claim.id for claim in reversed(claims)]
    cards = list(each(card.settled, backwards, str, parallel=len(claims) > FEW))[::-1]
    console = Terminal()
    accepted = kernel(cards, console) if arguments.kernel else True
    if arguments.ids:
        for claim in cards:
            terminal.show_claim(claim, console)
    else:
        terminal.show_table(cards, console)
    if arguments.json:
        output.replace(arguments.json, export.json_text(cards))
    if arguments.markdown:
        for path in output.replace_all(arguments.markdown, export.markdown(cards)):
            print(path)
    return 0 if accepted and all(claim.stands for claim in cards) else 1


def kernel(cards: Sequence[Any], console: Any) -> bool:
    """Has Coq check the theorems of these claims, and says what came of it."""
    from ..derivations.kernel import coq, theorems
    from ..progress import bar

    said = {name: stated for claim in cards for name, stated in claim.theorems.items()}
    chosen = [theorem for theorem in theorems.theorems() if theorem.name in said]
    if not chosen:
        raise ValueError(
            "--kernel: none of these claims has a theorem in Coq; leave out the ids to check all"
        )
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
