"""Run a command that executes a user's code in a child process; its verdict counts only if the report is complete.

The child writes its outcome into one file at its end. If that file is missing (the code ended the process, did not
end, or was killed), nothing was checked: one line says so, with the place in the user's file, and the status is 2.
Only the parent prints the report and writes files, so the user's code may redirect its own output as it likes.
"""

import argparse
import contextlib
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
from typing import Any, NamedTuple, NoReturn, TextIO

from .. import output
from ..targets import locate, locate_error
from .ending import explain_error, signals_as_interrupts

SECONDS = 600.0  # a check takes a few seconds, even if JAX compiles
GRACE = 10.0  # seconds that a child has for ending after a signal
LONGEST = 200  # characters of an exception
CODE = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from infonce_ref.cli import parser, watched
watched.child(parser())
"""


class NotJudged(ValueError):
    """The user's code could not be checked; the message says why in one line."""


class Outcome(NamedTuple):
    """The outcome of a command.

    status: its exit status · files: contents by path · said: for standard error · text: for standard output
    """

    status: int
    files: Mapping[str, str] = {}
    said: Sequence[str] = ()
    text: str = ""


def add_seconds(own: argparse.ArgumentParser) -> None:
    """Add the option that limits the time."""
    own.add_argument(
        "--seconds",
        metavar="S",
        type=float,
        default=SECONDS,
        help=f"how long your code may take; default {SECONDS:g}",
    )


# --- the parent -------------------------------------------------------------------------------------------------


def run(arguments: argparse.Namespace) -> int:
    """Run `arguments.judge` in a child process; print its report, write its files and return its status."""
    if not 0 < arguments.seconds < float("inf"):
        raise ValueError(f"--seconds must be positive and finite; got {arguments.seconds}")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "outcome.json")
        command = [sys.executable, "-c", CODE, json.dumps(sys.path), str(place), *arguments.argv]
        process = subprocess.Popen(command)
        late = False
        try:
            # the child ends itself before that, and records where it stopped
            process.wait(arguments.seconds + GRACE)
        except subprocess.TimeoutExpired:
            late = True
        except KeyboardInterrupt as stopped:
            end(process, getattr(stopped, "signal", None))
            if place.exists():
                return show(read_outcome(place))
            raise
        finally:
            process.kill()  # after a second Ctrl-C it may still be running
            process.wait()
        if not place.exists():
            why = reason(process.returncode, late, place, arguments.seconds)
            raise NotJudged(f"could not be checked: {why}")
        found = read_outcome(place)
    if found.status >= 128:
        raise NotJudged("could not be checked: your code interrupts itself")
    return show(found)


def end(process: subprocess.Popen, by: int | None) -> None:
    """End a child with this signal, or let the Ctrl-C that reached it end it; kill it if it goes on."""
    if by is not None:
        process.send_signal(by)
    for harder in (process.terminate, process.kill):
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            harder()
    process.wait()


def read_outcome(place: Path) -> Outcome:
    """Read the outcome that the child wrote. Raises NotJudged if the file holds none."""
    try:
        if not place.is_file():  # reading a FIFO would not end
            raise ValueError
        found = Outcome(**json.loads(place.read_text(encoding="utf-8")))
        if list(map(type, found)) != [int, dict, list, str]:
            raise ValueError
    except (OSError, ValueError, TypeError):
        raise NotJudged("could not be checked: your code interferes with the report") from None
    return found


def show(found: Outcome) -> int:
    """Print an outcome, write its files, and return the exit status."""
    print(found.text, end="")
    for path, text in found.files.items():
        output.replace(Path(path), text)
    for line in found.said:
        print(output.escape_controls(f"infonce-ref: {line}"), file=sys.stderr)
    return found.status


def report_interruption(stopped: KeyboardInterrupt, files: Mapping[str, str], said: Sequence[str]) -> Outcome:
    """The outcome of an interrupted command, with its results so far."""
    status, line = explain_error(stopped, "")
    return Outcome(status, files, (*said, line))


def reason(code: int, late: bool, place: Path, seconds: float) -> str:
    """Say why a child did not finish, and where in the user's file."""
    note, trace = (read(path) for path in notes(place))
    where = locate(re.findall(r'File "(.+)", line (\d+)', trace))
    if note:
        return note
    if late or "Timeout (" in trace:
        return f"it does not end in {seconds:g} s{where}; --seconds allows more"
    if code < 0:
        return f"{signal.Signals(-code).name} ended its process{where}"
    return f"its process ended with status {code}{where}"


# --- the child --------------------------------------------------------------------------------------------------


def child(parser: argparse.ArgumentParser) -> None:
    """Run the command and write its outcome, or a note if the user's code prevents that."""
    place, argv = Path(sys.argv[1]), sys.argv[2:]
    sys.argv[:] = ["infonce-ref", *argv]  # hides the place of the outcome from the user's code
    arguments = parser.parse_args(argv)
    traces = _tell_where_it_ends(place, arguments.seconds)
    out = io.StringIO()
    try:
        with signals_as_interrupts():
            found = arguments.judge(arguments, out)
    except (Exception, KeyboardInterrupt) as error:
        status, line = explain_error(error, arguments.extra)
        found = Outcome(status, said=(line,))
    except BaseException as error:
        _end(place, f"it raises {describe(error)}{locate_error(error)}")
    faulthandler.cancel_dump_traceback_later()
    try:
        output.replace(place, json.dumps(found._replace(text=out.getvalue())._asdict()))
    except BaseException as error:
        _end(place, f"your code prevents the report from being written: {describe(error)}")
    faulthandler.dump_traceback_later(GRACE, exit=True, file=traces)  # ends threads that are still running


def describe(error: BaseException) -> str:
    """Describe an exception of the user's code in one line, even if its methods raise."""
    try:
        return f"{type(error).__name__}({', '.join(map(repr, error.args))})"[:LONGEST]
    except BaseException:
        return "an exception that cannot be shown"


def _end(place: Path, words: str) -> NoReturn:
    """End the child without an outcome, and leave a note with the reason if possible."""
    with contextlib.suppress(BaseException):
        _note(place, words)
    os._exit(2)


def _tell_where_it_ends(place: Path, seconds: float) -> TextIO:
    """Record where a crash, an endless loop or os._exit happens; return the file for the first two."""
    note, trace = notes(place)
    traces = trace.open("w")  # opened now, because a crashing process cannot open files
    faulthandler.enable(traces)
    faulthandler.dump_traceback_later(seconds, exit=True, file=traces)
    exit_now, pid = os._exit, os.getpid()

    def exit_noted(status: int) -> None:
        frame: Any = sys._getframe(1)
        if os.getpid() == pid and not (place.exists() or note.exists()):
            where = locate([(frame.f_code.co_filename, frame.f_lineno)])
            _note(place, f"it calls os._exit({status!r}){where}")
        exit_now(status)

    os._exit = exit_noted  # type: ignore[assignment]
    return traces


def _note(place: Path, words: str) -> None:
    notes(place)[0].write_text(words, encoding="utf-8")


def notes(place: Path) -> tuple[Path, Path]:
    """Return the paths of two files beside the outcome: one for the reason of a missing outcome, one for the
    traceback of a crash.
    """
    return place.with_name("note"), place.with_name("trace")


def read(path: Path) -> str:
    """Read a file; empty if it is missing."""
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
