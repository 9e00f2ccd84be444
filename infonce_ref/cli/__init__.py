"""The command infonce-ref, one file for each of its own. Knows no mathematics; what one needs is imported when it
runs."""

import argparse
import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

from . import check, exercise, explain, figures, ledger, lessons, prove, train, verify
from .command import Command

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
                return _run(parser().parse_args(argv))
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # as of `| head`: what was read was enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP, which end a command as Ctrl-C does: what was done so far is saved."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.signal = number


@contextlib.contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Have SIGTERM and SIGHUP raise Terminated, where nothing else handles them (nohup has SIGHUP ignored)."""
    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    taken = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]

    def end(number: int, _: Any) -> None:
        raise Terminated(number)

    try:
        for number in taken:
            signal.signal(number, end)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _run(arguments: argparse.Namespace) -> int:
    """What the command asked for; what stands in its way is one line on standard error."""
    try:
        return arguments.run(arguments) or 0
    except ModuleNotFoundError as error:
        absent, _, _ = str(error.name).partition(".")
        if absent == "infonce_ref":
            raise
        return _refused(
            f'{absent} is not installed; it comes with pip install "infonce_ref[{arguments.extra}]"'
        )
    except BrokenPipeError:
        raise
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _refused(f"{place}{error.strerror or error}")
    except ValueError as error:
        return _refused(str(error))
    except MemoryError:
        return _refused("not enough memory for that many rows; give fewer")
    except KeyboardInterrupt as stopped:
        _refused(str(stopped) or "interrupted")
        return 128 + getattr(stopped, "signal", signal.SIGINT)


def _refused(words: str) -> int:
    print(f"infonce-ref: {words}", file=sys.stderr)
    return 2


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
