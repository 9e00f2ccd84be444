"""infonce-ref ledger"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

from .. import output
from .command import list_columns, wrap_text

COLUMNS = 80  # of a claim without a terminal
FEW = 12  # fewer claims than this are settled in one process, because another would first import SymPy


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "ledger",
        help="print the verdict on every equation and claim of four documents, and on our own",
        description="Prints what is recorded of each claim's evidence: a proof, a counterexample or a computation. "
        "Evidence whose sources changed since is checked anew. Exit status 0 only if all of it stands.",
        names=names,
    )
    own.add_argument("ids", metavar="ID", nargs="*", help="show these claims, for example D1.13")
    own.option("--whole", "show the claims with every formula and every proof")
    own.option("--prove", "check all evidence anew, and the record with it")
    own.option("--document D", "only the claims of this document, for example D1")
    own.option("--verdict V", "only this verdict, for example refuted")
    own.option("--kernel", "have Coq check the theorems of these claims; needs Coq")
    own.option("--coq", "print what these claims state in Coq")
    own.option("--json FILE", "write every claim and its evidence to FILE")
    own.option("--markdown DIR", "write a page of each document into DIR")
    own.option("--force", "replace files in DIR that were changed")
    own.set_defaults(run=run, decides=True, extra="verify")


def names() -> str:
    """Explain the ids of the ledger and list the verdicts."""
    from ..derivations.documents import DOCUMENTS
    from ..derivations.evidence.verdicts import Verdict

    words = {name: f"{document.title}: {document.about}" for name, document in DOCUMENTS.items()}
    head = wrap_text(
        "An id names a document and a row of it, such as D1.13 or M5: four documents, and five lists of our own."
    )
    return "\n".join([list_columns(head, words), list_columns("Verdicts:", {v: v.meaning for v in Verdict})])


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..derivations import record
    from ..derivations.documents import order, parts, spell
    from ..derivations.pages import export, terminal
    from .terminal import Terminal

    # theorems are not recorded
    anew = arguments.prove or arguments.kernel or arguments.coq
    ids = sorted(set(map(spell, arguments.ids)), key=order)
    if anew or not ids or arguments.document or arguments.verdict or set(ids) - set(record.read(ids)):
        from ..derivations import ledger  # imports every claim, which takes seconds

        ids = [claim.id for claim in ledger.choose(arguments.ids, arguments.document, arguments.verdict)]
    output.check_outputs({"--json": arguments.json})
    names = {f"{parts(id)[0]}.md" for id in ids}
    output.check_folder("--markdown", arguments.markdown, names, arguments.force)
    if arguments.kernel:
        from ..derivations.coq import checker

        checker.version()
    cards = [*settle(ids, anew).values()]
    console = Terminal()
    accepted = check_with_coq(cards, console) if arguments.kernel else True
    if arguments.coq:
        print(*(one.statement for claim in cards for one in claim.stated), sep="\n", end="")
    elif arguments.ids:
        width = console.width if console.is_terminal else COLUMNS
        for claim in cards:
            if arguments.whole:
                terminal.show_claim(claim, console)
            else:
                terminal.show_summary(claim, console, width)
    else:
        terminal.show_table(cards, console)
    if arguments.json:
        output.replace(arguments.json, export.json_text(cards))
    if arguments.markdown:
        print(*output.hand_out(arguments.markdown, export.markdown(cards), arguments.force), sep="\n")
    if arguments.prove:
        print(f"infonce-ref ledger: {len(cards)} claims checked anew", file=sys.stderr)
        accepted &= report("--prove", record.compare(cards))
    return 0 if accepted and all(claim.stands for claim in cards) else 1


def settle(ids: Sequence[str], anew: bool = False) -> dict[str, Any]:
    """Return the cards of these claims; what the record does not have is checked now, all of it if anew."""
    from ..derivations import record
    from ..progress import work_through

    def work(check: Callable[[str], Any], missing: Sequence[str]) -> Iterable[Any]:
        if not anew:
            print(
                f"infonce-ref: {len(missing)} of the claims changed since they were recorded", file=sys.stderr
            )
        return work_through(check, missing, str, parallel=len(missing) > FEW)

    return record.settle(ids, work, anew)


def check_with_coq(cards: Sequence[Any], console: Any) -> bool:
    """Have Coq check the theorems of these claims and print the outcome. Return True if Coq accepts every theorem
    that is stated, and accepted.json agrees.
    """
    from ..derivations.coq import checker, theorems
    from ..derivations.ledger import CLAIMS
    from ..progress import show_bar

    whole = len(cards) == len(CLAIMS)
    asked = [one for claim in cards for one in claim.stated]
    asked += [one for loss in theorems.ALL_GRADIENTS if whole for one in theorems.find_theorems(loss)]
    if not asked:
        raise ValueError(
            "--kernel: none of these claims has a theorem in Coq; leave out the ids to check all"
        )
    done = count(1)
    with show_bar("Coq") as progress:
        try:
            chosen = theorems.choose(asked)
            files = len({theorem.file for theorem in chosen}) + len(theorems.LIBRARY) + 2
            accepted = checker.judge(chosen, lambda file: progress(f"{file}.v", next(done), files))
        except ValueError as error:
            return report("--kernel", [f"not accepted: {error}"])
    console.print(f"{len(chosen)} theorems accepted by Coq {accepted.coq}, on {', '.join(accepted.axioms)}\n")
    return report("--kernel", theorems.compare_record(chosen, accepted.axioms if whole else None))


def report(option: str, wrong: Sequence[str]) -> bool:
    """Print what is wrong on standard error. True if nothing is."""
    for line in wrong:
        print(f"infonce-ref ledger {option}: {line}", file=sys.stderr)
    return not wrong
