"""infonce-ref figures"""

import argparse
from pathlib import Path
from typing import Any

from .. import output
from .command import list_names


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "figures",
        help="draw the figures, for a page, a slide or a column",
        description="Draws the figures and writes the caption of each beside it. Text stays text in SVG and PDF.",
        names=names,
    )
    own.option("--out DIR", "default: figures-out", default=Path("figures-out"))
    own.option("--only NAME…", "only these figures")
    own.add_argument(
        "--format", choices=("svg", "png", "pdf"), nargs="+", default=["svg", "png"], help="default: svg png"
    )
    own.option("--theme", "default: light", choices=("light", "dark"), default="light")
    own.option(
        "--size",
        "slide: 16:9, with its message and setting; frames: slides NAME-1, NAME-2 … that build it up; column: "
        "panels above one another, for a phone; default: page",
        choices=("page", "slide", "frames", "column"),
        default="page",
    )
    own.option("--force", "replace files in DIR that were changed")
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
