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
    own.add_argument("--temperature", metavar="τ", type=float, default=0.1, help="default 0.1")
    own.add_argument(
        "--labels",
        metavar="FILE",
        type=Path,
        help="B or 2B labels in a .npy, or one a line in a .txt, if FILE does not hold them",
    )
    own.add_argument(
        "--layout",
        choices=("concatenated", "interleaved"),
        default="concatenated",
        help="of one array of 2B rows: view after view, or pair after pair; default: concatenated",
    )
    own.add_argument(
        "--batch", metavar="B", type=int, help="draw batches of B pairs; default: all pairs at once"
    )
    own.add_argument("--draws", metavar="K", type=int, default=16, help="how many batches; default 16")
    own.add_argument("--top", metavar="K", type=int, default=5, help="how many rows to name; default 5")
    own.add_argument("--seed", metavar="S", type=int, default=0, help="seed of the random draws; default 0")
    own.add_argument(
        "--verbose", action="store_true", help="define each number, and list the pairs of rows behind it"
    )
    own.add_argument("--json", metavar="FILE", type=Path, help="write every number to FILE")
    own.add_argument("--out", metavar="FILE", type=Path, help="write a page with figures to FILE, an .html")
    own.set_defaults(run=run, extra="verify")


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..embeddings import files
    from ..explanation import explain
    from ..explanation.text import render
    from ..progress import show_bar

    inputs = [*arguments.files, *filter(None, [arguments.labels])]
    output.check_outputs({"--json": arguments.json, "--out": arguments.out}, inputs)
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
        arguments.extra = "lessons"
        from ..explanation import page

        with show_bar("claims") as progress:
            text = page.html_page(found, ", ".join(path.name for path in arguments.files), progress)
        print(output.replace(arguments.out, text))
    return 0
