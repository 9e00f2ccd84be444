"""infonce-ref exercise"""

import argparse
import shlex
import sys
from pathlib import Path
from typing import Any

from .. import output
from ..names import simplify
from .command import list_columns


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "exercise",
        help="write a loss and its gradient yourself; mistakes are named",
        description="Without a NAME, lists the exercises. With one, writes NAME.py: the equations and two "
        "functions to fill in. FILE runs with your rights, within limits of time and memory; for files of "
        "strangers see --inside. Exit status 0 if everything is right, 1 if not.",
        names=names,
    )
    own.add_argument("name", metavar="NAME", nargs="?", help="for example ntxent")
    own.option("--check FILE", "check FILE and name its mistakes")
    own.option(
        "--inside COMMAND",
        "with --check: a command that runs FILE's process, as 'bwrap --unshare-all --ro-bind / /'",
        type=shlex.split,
        default=[],
    )
    own.add_argument(
        "--hint", metavar="N", type=int, nargs="?", const=1, help="print the N-th hint; default 1"
    )
    own.option("--solution", "print a solution")
    own.option("--json", "with --check: print score and comments as JSON")
    own.option("--out FILE", "write the exercise to FILE; default: NAME.py")
    own.option("--nbgrader DIR", "write it as an assignment of nbgrader")
    own.option("--notebooks DIR", "write a notebook of each lesson")
    own.option(
        "--at ADDRESS",
        "with --notebooks: the folder on GitHub where they will lie, for links to Colab and Binder",
    )
    own.option("--force", "with --nbgrader or --notebooks: replace files that were changed")
    own.set_defaults(run=run, extra="verify")


def names() -> str:
    """The exercises, in the order of the lessons."""
    from ..exercises import ALL

    return list_columns("exercises:", {name: each.title for name, each in ALL.items()})


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from .. import exercises

    output.check_folder("--notebooks", arguments.notebooks)
    output.check_folder("--nbgrader", arguments.nbgrader)
    if arguments.at and not arguments.notebooks:
        raise ValueError("--at needs --notebooks")
    if arguments.notebooks:
        arguments.extra = "teach"
        from ..exercises import notebooks
        from ..progress import show_bar

        with show_bar("notebooks") as progress:
            files = notebooks.files(progress, arguments.at or "")
        print(*output.hand_out(arguments.notebooks, files, arguments.force), sep="\n")
        return 0
    for name in ("check", "hint", "solution", "out", "nbgrader"):
        if getattr(arguments, name) not in (None, False) and arguments.name is None:
            raise ValueError(f"--{name} goes with the NAME of an exercise")
    for name in ("json", "inside"):
        if getattr(arguments, name) and not arguments.check:
            raise ValueError(f"--{name} needs --check")
    if arguments.name is None:
        print(names())
        return 0
    chosen = exercises.find(arguments.name)
    if simplify(arguments.name) == "infonce":
        words = "infonce has the anchor in its own denominator; others' InfoNCE is one direction of clip"
        print(f"infonce-ref: this is {chosen.name}: {words}", file=sys.stderr)
    if arguments.check:
        arguments.decides = True
        report = exercises.check(arguments.name, arguments.check, arguments.inside)
        print(report.json() if arguments.json else f"{output.escape_controls(str(report))}\n", end="")
        return 0 if report.holds else 1
    if arguments.hint is not None:
        print(exercises.hint(chosen, arguments.hint))
        return 0
    from ..exercises import notebooks, template

    if arguments.nbgrader:
        files = notebooks.assignment(chosen)
        print(*output.hand_out(arguments.nbgrader, files, arguments.force), sep="\n")
    elif arguments.solution:
        print(template.write_solution(chosen), end="")
    else:
        path = arguments.out or Path(f"{chosen.name}.py")
        if path.exists() and not path.is_dir():
            words = "exists, and may be your work; move it, or name another with --out"
            raise ValueError(f"{path} {words}")
        output.check_outputs({"--out": path})
        output.replace(path, template.write(chosen))
        task = f"{'mend' if chosen.given else 'fill in'} {' and '.join(chosen.functions)}"
        print(f"{path}: {task}, then infonce-ref exercise {chosen.name} --check {path}")
    return 0
