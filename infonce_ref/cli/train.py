"""infonce-ref train"""

import argparse
import sys
from pathlib import Path
from typing import Any

from .command import filled, folder


def add(commands: Any) -> None:
    """Adds it to the grammar."""
    own = commands.add_parser(
        "train",
        help="run one of the documents' algorithms on real images",
        description="Trains an encoder and measures it on held-out images beside the untrained one and raw "
        "pixels. Writes DIR/ALGORITHM.run, .svg and .png. Ctrl-C saves what was trained so far.",
        names=names,
    )
    own.add_argument("algorithm", metavar="ALGORITHM", help="for example simclr")
    own.add_argument("--steps", metavar="N", type=int, default=600, help="in all; default 600")
    own.add_argument("--seed", metavar="S", type=int, help="default 0")
    own.add_argument("--out", metavar="DIR", type=Path, default=Path("train-out"), help="default: train-out")
    own.add_argument(
        "--option",
        metavar="NAME=VALUE",
        nargs="+",
        action="extend",
        default=[],
        help="for example batch=64 temperature=0.2",
    )
    own.add_argument("--resume", metavar="FILE", type=Path, help="carry on the run of that .run")
    own.set_defaults(run=run, extra="lab")


def names() -> str:
    """The algorithms, each with its options and their defaults."""
    from ..algorithms import ALL

    def options(algorithm: Any) -> str:
        return " ".join(f"{name}={value}" for name, value in algorithm.options()._asdict().items())

    lines = [
        filled(f"{name:<24}{options(entry)}", initial_indent="  ", subsequent_indent=" " * 26)
        for name, entry in ALL.items()
    ]
    return "\n".join(["algorithms, and their options with defaults:", *lines])


def run(arguments: argparse.Namespace) -> int:
    """Does it, and gives the exit status."""
    from ..algorithms import ALL, picture, report, saved
    from ..algorithms import train as loop
    from ..progress import bar
    from .terminal import Terminal

    if arguments.algorithm not in ALL:
        raise ValueError(f"unknown algorithm {arguments.algorithm!r}; known are {', '.join(ALL)}")
    if arguments.steps < 1:
        raise ValueError(f"--steps must be at least 1; got {arguments.steps}")
    folder("--out", arguments.out)
    algorithm = ALL[arguments.algorithm]
    if arguments.resume is None:
        options = loop.parsed(algorithm, arguments.option)
        now = loop.begin(algorithm, seed=arguments.seed or 0, **options)
    else:
        if arguments.option or arguments.seed is not None:
            raise ValueError("--resume keeps the run's own seed and options; leave --seed and --option out")
        now = saved.load(arguments.resume)
        if now.algorithm is not algorithm:
            raise ValueError(
                f"{arguments.resume} holds a run of {now.algorithm.name}, not of {algorithm.name}"
            )
        if arguments.steps < len(now.losses):
            raise ValueError(
                f"--steps counts from the first: {arguments.resume} has done {len(now.losses)}, more than "
                f"{arguments.steps}; ask for at least as many"
            )
    arguments.out.mkdir(parents=True, exist_ok=True)
    stem = arguments.out / algorithm.name
    state = stem.with_suffix(".run")
    with loop.one_thread():
        try:
            with bar(algorithm.name) as told:
                for later in loop.steps(now, arguments.steps - len(now.losses)):
                    now = later
                    told(f"{algorithm.name}, loss {now.losses[-1]:.4f}", len(now.losses), arguments.steps)
        except KeyboardInterrupt:
            print(
                f"infonce-ref: interrupted after {len(now.losses)} steps; --resume {state} carries on",
                file=sys.stderr,
            )
            return 130
        finally:
            saved.save(state, now)
        report.show(Terminal(), now, loop.result(now))
        for path in (state, *picture.save(now, stem)):
            print(path)
    return 0
