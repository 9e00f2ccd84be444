"""infonce-ref lessons"""

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .. import output
from .command import add_force, list_names
from .ledger import FEW


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "lessons",
        help="build the lessons as pages, or print one in the terminal",
        description="Without a NAME, builds all lessons as HTML pages that need no network; with one, prints it.",
        names=names,
    )
    own.add_argument("name", metavar="NAME", nargs="?", help="print this lesson, for example infonce")
    own.add_argument("--out", metavar="DIR", type=Path, help="build pages into DIR; default: lessons-out")
    own.add_argument(
        "--pdf",
        metavar="FILE",
        type=Path,
        help="print all lessons into FILE as one book; needs Chromium",
    )
    own.add_argument(
        "--embed",
        metavar="CONTROL",
        help='write one explorable as a file for an iframe: anchor, "geometry preset=sphere", …',
    )
    add_force(own)
    own.add_argument("--open", action="store_true", help="open the built pages in the browser")
    own.set_defaults(run=run, extra="lessons")


def names() -> str:
    """The lessons, in the order of their files."""
    from .. import derivations

    files = sorted((Path(derivations.__path__[0]) / "pages" / "lessons").glob("*.md"))
    return list_names("lessons", (file.stem.partition("_")[2] for file in files))


def embed(arguments: argparse.Namespace) -> int:
    """Write the page of one explorable, and return the exit status."""
    from ..derivations.pages import html

    if arguments.name or arguments.pdf:
        raise ValueError("--embed writes one explorable; leave the name and --pdf out")
    folder = arguments.out or Path("lessons-out")
    output.check_folder("--out", folder)
    control = arguments.embed.split()
    files = {f"{'_'.join(control)}.html": html.embed(control)}
    print(*output.hand_out(folder, files, arguments.force))
    return 0


def prove_or_draw(task: tuple[str, str]) -> Any:
    """Settle a claim and return what was proved for it, or draw a figure of this size, in a process of its own."""
    from ..derivations import ledger
    from ..derivations.prover import memory
    from ..figures import load

    name, size = task
    if size:
        return load(name).svg(size=size)
    with memory.note() as proved:
        ledger.settle(ledger.CLAIMS[name])
    return proved


def settle_all(claims: Sequence[Any], figures: Sequence[str] = ()) -> tuple[list[Any], Callable[[str], Any]]:
    """Settle claims, and draw figures: one process for each processor proves or draws, and this one builds the
    evidence, which cannot be sent. Returns the claims, settled, and the function that `pages.texts` calls for the
    figure of a name.

    The last claims have the longest proofs, so they come first, and the processes end together.
    """
    from ..derivations import ledger
    from ..derivations.pages.html import SIZES
    from ..derivations.prover import memory
    from ..figures import load
    from ..progress import work_through

    backwards, entries = claims[::-1], []
    pictures = [(name, size) for name in figures for size in SIZES]
    tasks = [*((claim.id, "") for claim in backwards), *pictures]
    made = work_through(prove_or_draw, tasks, lambda task: task[0], parallel=len(claims) > FEW)
    for claim, proved in zip(backwards, made):
        memory.KNOWN.update(proved)
        entries.append(ledger.settle(claim))
    drawn = dict(zip(pictures, made, strict=True))
    return entries[::-1], lambda name: SimpleNamespace(
        **load(name)._asdict(), svg=lambda size: drawn[name, size]
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..derivations import pages
    from ..derivations.pages import book, pdf, terminal
    from ..figures import style  # noqa: F401  fails before the work if matplotlib is missing
    from ..progress import show_bar
    from .terminal import Terminal

    if arguments.embed:
        return embed(arguments)
    only = [] if arguments.name is None else [arguments.name]
    chosen = book.choose(only)
    if only and arguments.pdf:
        raise ValueError("--pdf prints all lessons; leave the name out, or print its page from your browser")
    needed = book.list_needed(only)
    if only and not arguments.out and not arguments.open:
        terminal.show(chosen[0], book.index_standing(settle_all(needed)[0]), Terminal())
        return 0
    output.check_outputs({"--pdf": arguments.pdf})
    printer = pdf.browser() if arguments.pdf else ""
    out = arguments.out or (None if arguments.pdf else Path("lessons-out"))
    if out:
        output.check_folder("--out", out, [f"{each.name}.html" for each in chosen], arguments.force)
    settled, figures = settle_all(needed, book.list_figures(only))
    with show_bar("lessons") as progress:
        made = pages.texts(only, settled, figures, progress)
    written = output.hand_out(out, pages.files(made), arguments.force) if out else []
    written = [path for path in written if path.suffix == ".html"]
    if arguments.pdf:
        with show_bar("printing") as progress:
            printed = pdf.print_book(made, printer, progress)
        written.insert(0, output.replace(arguments.pdf, printed))
    print(*written, sep="\n")
    if arguments.open:
        import webbrowser

        first = written[0].absolute().as_uri()
        if not webbrowser.open(first):
            print(f"infonce-ref: there is no browser here; the pages begin at {first}", file=sys.stderr)
    return 0
