"""infonce-ref figures"""

import argparse
from pathlib import Path
from typing import Any

from .command import folder, listed


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser("figures", help="draw the figures, as SVG and PNG", names=names)
    own.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("figures-out"), help="default: figures-out"
    )
    own.add_argument("--only", metavar="NAME", nargs="+", default=[], help="only these figures")
    own.set_defaults(run=run, extra="lessons")


def names() -> str:
    """The names that figures --only takes."""
    from ..figures import NAMES

    return listed("figures", NAMES)


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..figures import build
    from ..progress import bar

    folder("--out", arguments.out)
    with bar("figures") as told:
        written = build(arguments.out, arguments.only, told)
    for path in written:
        print(path)
    return 0
