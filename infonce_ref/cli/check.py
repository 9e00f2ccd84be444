"""infonce-ref check"""

import argparse
import os
import platform
import shutil
import sys
from pathlib import Path
from typing import Any, TextIO

from .. import output
from . import watched
from .command import find_cache, list_columns, list_names


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "check",
        help="identify the formula of your own loss, check its gradient, and find where it loses digits",
        description="Checks your own loss: a function, a class or a torch.nn.Module, in PyTorch, JAX or NumPy. "
        "It runs in a process of its own, with your permissions. Exit status: 0 if everything holds; otherwise "
        "the sum of 1 (wrong formula), 4 (wrong gradient), 8 (broken numerics) and 16 (wrong on several ranks); "
        "2 if it could not be checked.",
        names=names,
    )
    own.option("target TARGET", "module:attribute or file.py:attribute")
    own.option(
        "--is LOSS",
        "the loss that it should be, by any of its names; InfoNCE is what most code calls so (cpc of unit rows), "
        "infonce that of D1 (the rows of both views, the anchor too) or, if only that fits, what others call so",
        dest="is_",
    )
    own.option(
        "--with NAME=VALUE…",
        "arguments of your loss, whatever they are called, for example temperature=0.1",
        dest="settings",
    )
    own.option(
        "--take WHICH", "which of the things that your loss returns is the loss: a number from 0, or a key"
    )
    own.option("--inputs INPUTS", "how your loss takes its arrays; default: try all")
    own.option(
        "--backward TARGET",
        "its gradient, if the loss is written in NumPy: a function of its arguments, or a method",
    )
    own.option("--device DEVICE", "PyTorch's device; default: cpu", default="cpu")
    own.option(
        "--dtype",
        "dtype of its inputs, if it takes several; default: float64",
        choices=("float64", "float32", "float16", "bfloat16"),
        default="float64",
    )
    own.option(
        "--ranks N",
        "ask it on N ranks too, each with its rows: processes in a gloo group (PyTorch), a mapped axis (JAX)",
        default=1,
    )
    own.option("--json FILE", "write the report to FILE")
    watched.add_seconds(own)
    own.set_defaults(run=run, judge=judge, decides=True, extra="")


# the ends of names that are said once, of all inputs that can be passed so
ENDS = {
    ", turned": "the other array first",
    " in a dict": "asked for by name",
    ", (B, 1)": "a column in place of a row of B numbers",
    " of 0 and 1": "a mask of integers",
}


def names() -> str:
    """The names that --is and --inputs take."""
    from ..check.inputs import PUBLIC, WAYS
    from ..losses import ALL

    alone = {name: WAYS[name].words for name in PUBLIC if not name.endswith(tuple(ENDS))}
    also = {}
    for end, words in ENDS.items():
        also[f"NAME{end}"] = f"{words}: {'; '.join(x.removesuffix(end) for x in PUBLIC if x.endswith(end))}"
    ways = list_columns("inputs:", alone | also)
    return f"{list_names('losses', list(ALL))}\n{ways}"


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    file, _, _ = arguments.target.rpartition(":")
    output.check_outputs({"--json": arguments.json}, [Path(file)])
    return watched.run(arguments)


def judge(arguments: argparse.Namespace, out: TextIO) -> watched.Outcome:
    """Check the loss, in the child process."""
    from ..check import check
    from ..check.reading import COMMAND
    from ..check.report import wrap
    from ..check.target import parse_settings

    COMMAND.set(True)
    # JAX compiles each operation for each shape; what it compiled before it reads from here
    os.environ.setdefault("JAX_COMPILATION_CACHE_DIR", str(find_cache() / f"jax on {platform.node()}"))
    os.environ.setdefault("JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS", "0")
    file = arguments.json and arguments.json.absolute()
    report = check(
        arguments.target,
        is_=arguments.is_,
        inputs=arguments.inputs,
        backward=arguments.backward,
        device=arguments.device,
        dtype=arguments.dtype,
        take=int(arguments.take) if (arguments.take or "").isdigit() else arguments.take,
        ranks=arguments.ranks,
        settings=parse_settings(arguments.settings),
    )
    text = str(report)
    if sys.stdout.isatty():
        text = wrap(text, shutil.get_terminal_size().columns)
    print(output.escape_controls(text), file=out)
    return watched.Outcome(report.status, {str(file): report.json()} if file else {})
