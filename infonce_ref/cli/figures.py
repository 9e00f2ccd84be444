"""infonce-ref figures"""

import argparse
from pathlib import Path
from typing import Any

from .. import output
from .command import add_force, add_list, list_names


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "figures",
        help="draw the figures, for a page, a slide or a column",
        description="Draws the figures and writes the caption of each beside it. Text stays text in SVG and PDF.",
        names=names,
    )
    own.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("figures-out"), help="default: figures-out"
    )
    add_list(own, "--only", "NAME", "only these figures")
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
        choices=("page", "slide", "frames", "column"),
        default="page",
        help="slide: 16:9, with its message and setting; frames: slides NAME-1, NAME-2 … that build it up; column: "
        "panels above one another, for a phone; default: page",
    )
    add_force(own)
    own.set_defaults(run=run, extra="lessons")


def names() -> str:
    """The names that figures --only takes."""
    from ..figures import NAMES

    return list_names("figures", NAMES)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..figures import NAMES, build
    from ..progress import show_bar

    names = [f"{name}.{kind}" for name in arguments.only or NAMES for kind in (*arguments.format, "txt")]
    output.check_folder("--out", arguments.out, names, arguments.force)
    with show_bar("figures") as progress:
        written = build(
            arguments.out,
            arguments.only,
            progress,
            formats=arguments.format,
            theme=arguments.theme,
            size=arguments.size,
            force=arguments.force,
        )
    print(*written, sep="\n")
    return 0
