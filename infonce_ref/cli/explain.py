"""infonce-ref explain"""

import argparse
from pathlib import Path
from typing import Any

from .. import output


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "explain",
        help="what the loss does to your own embeddings: effective negatives, their push, the temperature",
        description="Looks at every pair of rows of two views of the same things, and says what NT-Xent does "
        "to them at each temperature, with the claims behind each number. The repository's docs/explain.md reads "
        "an example.",
    )
    own.add_argument(
        "files", metavar="FILE", type=Path, nargs="+", help=".npy or .npz: 2B rows, or two arrays of B rows"
    )
    own.option("--temperature τ", "default 0.1", default=0.1)
    own.option(
        "--labels FILE", "B or 2B labels in a .npy, or one a line in a .txt, if FILE does not hold them"
    )
    own.option(
        "--layout",
        "of one array of 2B rows: view after view, or pair after pair; default: concatenated",
        choices=("concatenated", "interleaved"),
        default="concatenated",
    )
    own.option("--batch B", "draw batches of B pairs; default: all pairs at once")
    own.option("--draws K", "how many batches; default 16", default=16)
    own.option("--top K", "how many rows to name; default 5", default=5)
    own.option("--seed S", "seed of the random draws; default 0", default=0)
    own.option("--verbose", "define each number, and list the pairs of rows behind it")
    own.option("--json FILE", "write every number to FILE")
    own.option("--out FILE", "write a page with figures to FILE, an .html")
    own.set_defaults(run=run, extra="verify")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    inputs = [*arguments.files, *filter(None, [arguments.labels])]
    output.check_outputs({"--json": arguments.json, "--out": arguments.out}, inputs)
    if arguments.out:
        if arguments.out.suffix not in (".html", ".htm") and not output.is_stream(arguments.out):
            raise ValueError(f"--out: {arguments.out} would hold a page, in HTML; name an .html")
        arguments.extra = "lessons"
        from ..explanation import page  # first, so that a missing package is refused before the work
    from ..embeddings import files
    from ..explanation import explain
    from ..explanation.text import render
    from ..progress import show_bar

    loaded = files.load(arguments.files, arguments.labels)
    with show_bar("rows") as progress:
        found = explain(
            loaded,
            temperature=arguments.temperature,
            layout=arguments.layout,
            batch=arguments.batch,
            draws=arguments.draws,
            top=arguments.top,
            seed=arguments.seed,
            progress=progress,
        )
    print(output.escape_controls(render(found, verbose=arguments.verbose)))
    if arguments.json:
        output.replace(arguments.json, found.json())
    if arguments.out:
        with show_bar("claims") as progress:
            text = page.html_page(found, ", ".join(path.name for path in arguments.files), progress)
        print(output.replace(arguments.out, text))
    return 0
