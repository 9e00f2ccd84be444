"""infonce-ref vectors"""

import argparse
from typing import Any

from .. import output
from .command import find_losses, list_names


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "vectors",
        help="write values and gradients to 50 digits, to check a loss in any language",
        description="Writes a JSON file for each loss: inputs, value and gradients to 50 digits, and by how much "
        "yours may differ; beside them the schema, and readers in Python, JavaScript and C.",
        names=names,
    )
    own.option("--out DIR", "the folder, created if it is missing", required=True)
    own.option("--loss NAME…", "only these losses")
    own.option("--dtype", "default: both", choices=("float32", "float64"))
    own.option("--force", "replace files in DIR that were changed")
    own.set_defaults(run=run, extra="verify")


def names() -> str:
    """The names that vectors --loss takes."""
    from ..losses import ALL

    return list_names("losses", ALL)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..losses import ALL
    from ..progress import work_through
    from ..verify import judge, vectors

    arguments.loss = find_losses(arguments.loss, ALL)
    files = vectors.readers()
    names = [*files, *(f"{name}.json" for name in arguments.loss or ALL)]
    output.check_folder("--out", arguments.out, names, arguments.force)
    dtypes = (arguments.dtype,) if arguments.dtype else judge.DTYPES
    asked = [(name, dtypes) for name in arguments.loss or ALL]
    output.hand_out(arguments.out, files, arguments.force)
    total = 0
    written = work_through(vectors.write_loss, asked, lambda which: which[0], parallel=len(asked) > 1)
    for (name, _), (text, points) in zip(asked, written):
        output.hand_out(arguments.out, {f"{name}.json": text}, arguments.force)
        size = len(text.encode())
        total += size
        print(f"{arguments.out / name}.json: {points} points, {size / 1000:.0f} kB")
    print(f"{total / 1e6:.1f} MB, with {', '.join(files)}")
    return 0
