"""infonce-ref check"""

import argparse
from pathlib import Path
from typing import Any, TextIO

from .. import output
from . import watched
from .command import columns, filled, listed


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "check",
        help="which formula your own loss computes, whether its gradient is right, where it loses its digits",
        description="Asks a loss of your own: a function, a class or a torch.nn.Module, in PyTorch, JAX or NumPy. "
        "It runs in a process of its own, with all that you may do. Exit status: 0, or the sum of 1 (formula), "
        "4 (gradient) and 8 (numerics), of those that do not hold; 2 if it cannot be judged.",
        names=names,
    )
    own.add_argument("target", metavar="TARGET", help="module:attribute or file.py:attribute")
    own.add_argument("--is", dest="is_", metavar="LOSS", help="which loss it is meant to be")
    own.add_argument(
        "--with",
        dest="settings",
        metavar="NAME=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="what it is built and called with, for example temperature=0.1",
    )
    own.add_argument("--inputs", metavar="INPUTS", help="how it takes its arrays; default: found by trying")
    own.add_argument("--backward", metavar="TARGET", help="its gradient, where no library gives one")
    own.add_argument("--device", metavar="DEVICE", default="cpu", help="where PyTorch puts its tensors")
    own.add_argument(
        "--dtype",
        choices=("float64", "float32", "float16", "bfloat16"),
        default="float64",
        help="in which it is asked, where it takes no other; default: float64",
    )
    own.add_argument("--json", metavar="FILE", type=Path, help="write the report to FILE")
    watched.add_seconds(own)
    own.set_defaults(run=run, judge=judge, decides=True, extra="verify")


def names() -> str:
    """The names that check --is and --inputs take."""
    from ..conformance.inputs import WAYS
    from ..conformance.names import NAMES

    ways = [
        filled(f"{name:<28}{way.words}", initial_indent="  ", subsequent_indent=" " * 30)
        for name, way in WAYS.items()
    ]
    losses = dict.fromkeys(named.name for named in NAMES)
    return "\n".join([listed("losses", losses), "inputs:", *ways])


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    file, _, _ = arguments.target.rpartition(":")
    output.check_outputs({"--json": arguments.json}, [Path(file)])
    return watched.run(arguments)


def judge(arguments: argparse.Namespace, out: TextIO) -> watched.Outcome:
    """Checks the loss, where its code can do no harm to the verdict."""
    from ..conformance import check
    from ..conformance.target import settings

    width, file = columns(), arguments.json and arguments.json.absolute()
    report = check(
        arguments.target,
        is_=arguments.is_,
        inputs=arguments.inputs,
        backward=arguments.backward,
        device=arguments.device,
        dtype=arguments.dtype,
        **settings(arguments.settings),
    )
    print(output.visible(report.text(width)), file=out)
    return watched.Outcome(report.status, {str(file): report.json()} if file else {})
