"""infonce-ref prove"""

import argparse
from textwrap import indent
from typing import Any, TextIO

from . import watched


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "prove",
        help="check the proofs in your own file, or derive the gradient of its loss",
        description="Runs FILE and checks every proof in it. If it defines a LOSS with NAMES and FACTS, derives "
        "the gradient by each entry of BY, proves it for every size, and prints it as text, LaTeX and NumPy. Exit "
        "status 1 if a step does not follow. FILE runs with your permissions.",
    )
    own.option("file FILE", "a Python file; the repository's docs/own-loss.md shows one")
    watched.add_seconds(own)
    own.set_defaults(run=run, judge=judge, decides=True, extra="verify")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if not arguments.file.is_file():
        raise ValueError(f"{arguments.file}: there is no such file; name a Python file")
    return watched.run(arguments)


def judge(arguments: argparse.Namespace, out: TextIO) -> watched.Outcome:
    """Run the file and prove its claims."""
    from ..derivations import prove_file
    from ..derivations.evidence.kinds import display

    try:
        names = prove_file.read(arguments.file)
        proofs = prove_file.proofs(names)
        for name, proof in proofs.items():
            print(f"{name}\n{display(proof).text()}\n", file=out)
        derived = []
        for by, proof, code in prove_file.gradients(names):
            shown = display(proof)
            words = f"{shown.text()}\n\n    {shown.states.latex}\n\n{indent(code, '    ')}"
            print(f"the gradient by {by}\n{words}", file=out)
            derived.append(proof)
    except prove_file.Unproved as error:
        return watched.Outcome(1, said=(f"not proved: {error}",))
    if not (proofs or derived):
        raise ValueError(
            f"{arguments.file}: there is nothing to prove in it: no proof, no LOSS, no STATEMENT"
        )
    print(f"proved: {len(proofs) + len(derived)}", file=out)
    return watched.Outcome(0)
