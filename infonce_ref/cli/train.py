"""infonce-ref train"""

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from .. import output
from ..names import describe_unknown
from .command import list_columns

EVERY = 60.0  # seconds between two saves of the run


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "train",
        help="run one of the documents' algorithms on real images",
        description="Trains an encoder and compares it on held-out images with the untrained one and with raw "
        "pixels. Writes DIR/ALGORITHM.run, .svg and .png. Saves the run every minute and when Ctrl-C, SIGTERM or "
        "SIGHUP ends it.",
        names=names,
    )
    own.option("algorithm ALGORITHM", "for example simclr")
    own.option("--steps N", "number of steps, those of a resumed run included; default 600", default=600)
    own.option("--seed S", "default 0")
    own.option("--out DIR", "default: train-out", default=Path("train-out"))
    own.option("--option NAME=VALUE…", "for example batch=64 temperature=0.2")
    own.option(
        "--framework",
        "torch: simclr with PyTorch's autograd and optimiser; the run is the same up to rounding",
        choices=("numpy", "torch"),
        default="numpy",
    )
    own.option("--resume FILE", "continue the run in this .run file")
    own.option("--force", "replace an existing run, and files that were changed, in DIR")
    own.set_defaults(run=run, extra="lab")


def names() -> str:
    """The algorithms, each with its options and their defaults."""
    from ..algorithms import ALL

    def options(algorithm: Any) -> str:
        return " ".join(f"{name}={value}" for name, value in algorithm.options()._asdict().items())

    words = {name: options(entry) for name, entry in ALL.items()}
    return list_columns("algorithms, and their options with defaults:", words)


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..algorithms import ALL, picture, table
    from ..algorithms import train as loop
    from .terminal import Terminal

    if arguments.algorithm not in ALL:
        raise ValueError(f"algorithm: {describe_unknown(arguments.algorithm, ALL)}")
    if arguments.steps < 1:
        raise ValueError(f"--steps must be at least 1; got {arguments.steps}")
    pictures = [f"{arguments.algorithm}.{kind}" for kind in ("svg", "png")]
    output.check_folder("--out", arguments.out, pictures, arguments.force)
    state = arguments.out / f"{arguments.algorithm}.run"
    own = arguments.resume is not None and output.resolve(arguments.resume) == output.resolve(state)
    if state.exists() and not (own or arguments.force):
        raise ValueError(
            f"{state} exists: --resume {state} continues that run, --force replaces it, another --out keeps it"
        )
    now = start_run(arguments, ALL[arguments.algorithm])
    if arguments.framework == "torch":
        arguments.extra = "lab,torch"  # for the message if PyTorch is absent
        from ..algorithms import in_torch

        now = now._replace(algorithm=in_torch.convert(now.algorithm))
    arguments.out.mkdir(parents=True, exist_ok=True)
    with loop.one_thread():
        now = train_until(now, arguments.steps, state)
        table.show(Terminal(), now, loop.result(now))
        files = picture.files(now, arguments.algorithm)
        print(state, *output.hand_out(arguments.out, files, arguments.force), sep="\n")
    return 0


def start_run(arguments: argparse.Namespace, algorithm: Any) -> Any:
    """The run to train: a new one, or the one to resume."""
    from ..algorithms import saved
    from ..algorithms import train as loop

    if arguments.resume is None:
        options = loop.parse(algorithm, arguments.option)
        return loop.begin(algorithm, seed=arguments.seed or 0, **options)
    if arguments.option or arguments.seed is not None:
        raise ValueError("--resume keeps the run's own seed and options; leave --seed and --option out")
    run = saved.load(arguments.resume)
    if run.algorithm is not algorithm:
        raise ValueError(f"{arguments.resume} holds a run of {run.algorithm.name}, not of {algorithm.name}")
    if arguments.steps < len(run.losses):
        raise ValueError(
            f"--steps counts all steps: {arguments.resume} has done {len(run.losses)}, more than "
            f"{arguments.steps}; ask for at least as many"
        )
    return run


def train_until(run: Any, count: int, state: Path) -> Any:
    """Train the run up to step `count` and return it.

    Saves it at the beginning (so that a full disk is noticed before any work), every minute, and at the end,
    even after an error.
    """
    from ..algorithms import saved
    from ..algorithms import train as loop
    from ..progress import show_bar

    saved.save(state, run)
    at = time.monotonic()
    try:
        with show_bar(run.algorithm.name) as progress:
            for later in loop.steps(run, count - len(run.losses)):
                run = later
                progress(f"{run.algorithm.name}, loss {run.losses[-1]:.4f}", len(run.losses), count)
                if time.monotonic() - at >= EVERY:
                    at = time.monotonic()
                    try:
                        saved.save(state, run)
                    except OSError as error:  # such as a full disk
                        print(
                            f"infonce-ref: {error.filename}: {error.strerror}; training goes on",
                            file=sys.stderr,
                        )
    except KeyboardInterrupt as stopped:
        stopped.args = (f"interrupted after {len(run.losses)} steps; --resume {state} continues",)
        raise
    finally:
        saved.save(state, run)
    return run
