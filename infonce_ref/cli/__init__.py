"""The command infonce-ref, one file for each of its own. Knows no mathematics; what one needs is imported when it
runs."""

import argparse
import io
import os
import sys
from collections.abc import Sequence

from ..output import visible
from . import check, exercise, explain, figures, ledger, lessons, prove, train, verify
from .command import Command
from .ending import refusal, signals_as_interrupts

COMMANDS = (verify, check, explain, ledger, prove, figures, train, exercise, lessons)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command: 0 if what was asked holds, 1 if not, 2 if it could not be asked."""
    for stream in (sys.stdout, sys.stderr):
        # where τ cannot be written, write \\u03c4 rather than nothing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            with signals_as_interrupts():
                arguments = parser().parse_args(argv)
                arguments.argv = sys.argv[1:] if argv is None else list(argv)
                return _run(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # as of `| head`: what was read was enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _run(arguments: argparse.Namespace) -> int:
    """What the command asked for; what stands in its way is one line on standard error."""
    try:
        return arguments.run(arguments) or 0
    except BrokenPipeError:
        raise
    except (Exception, KeyboardInterrupt) as error:
        status, line = refusal(error, arguments.extra)
        print(visible(f"infonce-ref: {line}"), file=sys.stderr)
        return status


def parser() -> argparse.ArgumentParser:
    """The grammar of the command."""
    from .. import __version__

    top = argparse.ArgumentParser(
        prog="infonce-ref",
        description="The InfoNCE family of contrastive losses in NumPy, with every equation checked.",
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(run=lambda _: print(top.format_help(), end=""))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Command)

    for each in COMMANDS:
        each.add(commands)
    return top
