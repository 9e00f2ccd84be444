"""infonce-ref check"""

import argparse
from pathlib import Path
from typing import Any

from .. import output
from .command import columns, filled, listed


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "check",
        help="which formula your own loss computes, whether its gradient is right, where it loses its digits",
        description="Asks a loss of your own: a function, a class or a torch.nn.Module, in PyTorch, JAX or NumPy. "
        "It is imported and runs in this process, with all that this process may do. Exit status: 0, or the sum "
        "of 1 (formula), 4 (gradient) and 8 (numerics), of those that do not hold; 2 if it cannot be asked.",
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
    own.set_defaults(run=run, extra="verify")


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
    from ..conformance import check
    from ..conformance.target import settings

    file, _, _ = arguments.target.rpartition(":")
    output.check_outputs({"--json": arguments.json}, [Path(file)])
    report = check(
        arguments.target,
        is_=arguments.is_,
        inputs=arguments.inputs,
        backward=arguments.backward,
        device=arguments.device,
        dtype=arguments.dtype,
        **settings(arguments.settings),
    )
    print(report.text(columns()))
    if arguments.json:
        output.replace(arguments.json, report.json())
    return report.status
