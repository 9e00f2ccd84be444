"""infonce-ref figures"""

import argparse
from pathlib import Path
from typing import Any

from .command import listed


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

    with bar() as progress:
        task = progress.add_task("figures", total=None)

        def advance(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        written = build(arguments.out, arguments.only, advance)
    for path in written:
        print(path)
    return 0
