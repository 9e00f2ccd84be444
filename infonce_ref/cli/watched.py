"""Run a command that executes a user's code in a child process; its verdict counts only if the report is complete.

The child writes its outcome into a file at its end. If that file is missing (the code ended the process, did not
end, or was killed), nothing was checked: one line says so, with the place in the user's file, and the status is 2.
Only the parent prints the report and writes files, so the user's code may redirect its own output as it likes.
"""

import argparse
import faulthandler
import io
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from .. import output
from ..targets import locate, locate_error
from .command import Command
from .ending import explain_error

SECONDS = 600.0  # a check takes a few seconds, even if JAX compiles
GRACE = 10.0  # seconds that a child has for ending after its work
LONGEST = 200  # characters of an exception
CODE = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from infonce_ref.cli import parser, watched
watched.child(parser())
"""


class NotJudged(ValueError):
    """The user's code could not be checked; the message says why in one line."""

    def __init__(self, why: str) -> None:
        super().__init__(f"could not be checked: {why}")


class Outcome(NamedTuple):
    """The outcome of a command.

    status: its exit status · files: contents by path · said: for standard error · text: for standard output
    """

    status: int
    files: Mapping[str, str] = {}
    said: Sequence[str] = ()
    text: str = ""


def add_seconds(own: Command) -> None:
    """Add the option that limits the time."""
    words = f"how long your code may take; default {SECONDS:g}"
    own.option("--seconds S", words, type=float, default=SECONDS)


def run(arguments: argparse.Namespace) -> int:
    """Run `arguments.judge` in a child process; print its report, write its files and return its status."""
    if not 0 < arguments.seconds < float("inf"):
        raise ValueError(f"--seconds must be positive and finite; got {arguments.seconds}")
    with tempfile.TemporaryDirectory() as folder:
        place, trace = Path(folder, "outcome.json"), Path(folder, "trace")
        command = [sys.executable, "-c", CODE, json.dumps(sys.path), folder, *arguments.argv]
        try:
            # the child ends itself before that, and records where it stopped
            code = subprocess.run(command, timeout=arguments.seconds + GRACE, check=False).returncode
        except subprocess.TimeoutExpired:
            code = None
        if place.exists():
            try:
                found = Outcome(**json.loads(place.read_text(encoding="utf-8")))
            except (ValueError, TypeError):
                raise NotJudged("your code interferes with the report") from None
            return show(found)
        traced = trace.read_text(encoding="utf-8", errors="replace") if trace.exists() else ""
    where = locate(re.findall(r'File "(.+)", line (\d+)', traced))
    if code is None or "Timeout (" in traced:
        raise NotJudged(f"it does not end in {arguments.seconds:g} s{where}; --seconds allows more")
    if code < 0:
        raise NotJudged(f"{signal.Signals(-code).name} ended its process{where}")
    raise NotJudged(f"its process ended with status {code}{where}")


def show(found: Outcome) -> int:
    """Print an outcome, write its files, and return the exit status."""
    print(found.text, end="")
    for path, text in found.files.items():
        output.replace(Path(path), text)
    for line in found.said:
        print(output.escape_controls(f"infonce-ref: {line}"), file=sys.stderr)
    return found.status


def child(parser: argparse.ArgumentParser) -> None:
    """Run the command and write its outcome, in the child process."""
    folder, argv = Path(sys.argv[1]), sys.argv[2:]
    sys.argv[:] = ["infonce-ref", *argv]  # hides the folder from the user's code
    arguments = parser.parse_args(argv)
    # opened now, because a crashing process cannot open files
    trace = os.open(folder / "trace", os.O_WRONLY | os.O_CREAT)
    faulthandler.enable(trace)
    faulthandler.dump_traceback_later(arguments.seconds, exit=True, file=trace)
    out = io.StringIO()
    try:
        found = arguments.judge(arguments, out)._replace(text=out.getvalue())
    except Exception as error:
        status, line = explain_error(error, arguments.extra)
        found = Outcome(status, said=(line,), text=out.getvalue())
    except BaseException as error:
        found = Outcome(2, said=(str(NotJudged(f"it raises {describe(error)}{locate_error(error)}")),))
    try:
        output.replace(folder / "outcome.json", json.dumps(found._asdict()))
    except BaseException:  # of what the user's code did to this process
        os._exit(2)
    faulthandler.dump_traceback_later(GRACE, exit=True, file=trace)  # ends threads that are still running


def describe(error: BaseException) -> str:
    """Describe an exception of the user's code in one line, even if its methods raise."""
    try:
        return f"{type(error).__name__}({', '.join(map(repr, error.args))})"[:LONGEST]
    except BaseException:
        return "an exception that cannot be shown"
