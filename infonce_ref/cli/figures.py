"""infonce-ref figures"""

import argparse
from pathlib import Path
from typing import Any

from .. import output
from .command import listed


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "figures",
        help="draw the figures, for a page, a slide or a column",
        description="Draws the figures, the caption of each beside it as text. In SVG and PDF text is text.",
        names=names,
    )
    own.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("figures-out"), help="default: figures-out"
    )
    own.add_argument(
        "--only", metavar="NAME", nargs="+", action="extend", default=[], help="only these figures"
    )
    own.add_argument(
        "--format",
        choices=("svg", "png", "pdf"),
        nargs="+",
        default=["svg", "png"],
        help="default: svg png",
    )
    own.add_argument("--theme", choices=("light", "dark"), default="light", help="default: light")
    own.add_argument(
        "--size",
        choices=("page", "slide", "column"),
        default="page",
        help="a slide is 16:9; in a column panels stand one above another, as a phone shows them; default: page",
    )
    own.set_defaults(run=run, extra="lessons")


def names() -> str:
    """The names that figures --only takes."""
    from ..figures import NAMES

    return listed("figures", NAMES)


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..figures import build
    from ..progress import bar

    output.check_folder("--out", arguments.out)
    with bar("figures") as told:
        written = build(
            arguments.out,
            arguments.only,
            told,
            formats=arguments.format,
            theme=arguments.theme,
            size=arguments.size,
        )
    for path in written:
        print(path)
    return 0
