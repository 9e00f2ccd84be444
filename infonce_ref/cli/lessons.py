"""infonce-ref lessons"""

import argparse
import sys
from pathlib import Path
from typing import Any

from .command import folder
from .ledger import settled


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "lessons",
        help="build the lessons as pages, or read one here",
        description="Without a NAME, all lessons as HTML pages that need no network; with one, it as text.",
    )
    own.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="print this lesson, for example infonce; a wrong one lists all",
    )
    own.add_argument("--out", metavar="DIR", type=Path, help="build pages into DIR; default: lessons-out")
    own.add_argument("--open", action="store_true", help="open what was built in the browser")
    own.set_defaults(run=run, extra="lessons")


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..derivations import pages
    from ..derivations.pages import book, terminal
    from ..figures import load, style
    from ..progress import bar
    from .terminal import Terminal

    only = [arguments.name] if arguments.name else []
    chosen = book.chosen(only)
    if only and not arguments.out and not arguments.open:
        terminal.show(chosen[0], book.standing(settled(book.needed(only))), Terminal())
        return 0
    out = arguments.out or Path("lessons-out")
    folder("--out", out)
    out.mkdir(parents=True, exist_ok=True)
    entries = settled(book.needed(only))
    with bar("lessons") as told, style.applied():
        written = pages.build(out, only, entries, load, told)
    for path in written:
        print(path)
    if arguments.open:
        import webbrowser

        first = written[0].absolute().as_uri()
        if not webbrowser.open(first):
            print(f"infonce-ref: there is no browser here; the pages begin at {first}", file=sys.stderr)
    return 0
