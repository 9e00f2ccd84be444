"""infonce-ref prove"""

import argparse
import sys
from pathlib import Path
from textwrap import indent
from typing import Any


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "prove",
        help="prove the lines of your own file, or derive the gradient of its loss",
        description="Runs FILE, in which every proof is checked as it is made. Of the LOSS in it, written with "
        "NAMES and FACTS, the gradient by each entry in BY is derived, proved for every size, and printed as "
        "text, LaTeX and NumPy. Exit status 1 where something does not follow. FILE runs as your own code does.",
    )
    own.add_argument("file", metavar="FILE", type=Path, help="a Python file; docs/own-loss.md has one")
    own.set_defaults(run=run, extra="verify")


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..derivations import own
    from ..derivations.evidence import relation

    try:
        names = own.read(arguments.file)
        proofs = own.proofs(names)
        for name, proof in proofs.items():
            print(f"{name}\n{proof}\n")
        derived = []
        for by, proof, code in own.gradients(names):
            print(f"the gradient by {by}\n{proof}\n\n    {relation(proof).latex()}\n\n{indent(code, '    ')}")
            derived.append(proof)
    except own.Unproved as error:
        print(f"infonce-ref prove: not proved: {error}", file=sys.stderr)
        return 1
    if not (proofs or derived):
        raise ValueError(
            f"{arguments.file}: there is nothing to prove in it: no proof, no LOSS, no STATEMENT"
        )
    print(f"proved: {len(proofs) + len(derived)}")
    return 0
