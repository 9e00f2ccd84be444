"""infonce-ref lessons"""

import argparse
from pathlib import Path
from typing import Any

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

    only = [arguments.name] if arguments.name else []
    chosen = book.chosen(only)
    if only and not arguments.out and not arguments.open:
        from rich.console import Console

        terminal.show(chosen[0], book.standing(settled(book.needed(only))), Console())
        return 0
    out = arguments.out or Path("lessons-out")
    out.mkdir(parents=True, exist_ok=True)
    entries = settled(book.needed(only))
    with bar() as progress, style.applied():
        task = progress.add_task("lessons", total=len(chosen))

        def advance(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        written = pages.build(out, only, entries, load, advance)
    for path in written:
        print(path)
    if arguments.open:
        import webbrowser

        webbrowser.open(written[0].absolute().as_uri())
    return 0
