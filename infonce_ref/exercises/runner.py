"""Run a learner's file in a process of its own, within limits, and say how it fails.

    with Learner(path, ("loss", "gradient")) as ask:
        (value,), (slope,) = ask("loss", [w, 0.5]), ask("gradient", [w, 0.5])

The process runs this file alone, with an empty environment and folder, and reads and writes lines of JSON: one for
each question, and for each answer. It returns only numbers, which are judged here, so that it cannot forge a
report. It has the user's rights, and the limits stop mistakes and pranks: for files of strangers put in front what
the system has, Learner(path, names, inside=["bwrap", "--unshare-all", …]).
"""

import contextlib
import json
import linecache
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE
from threading import Thread
from typing import Any

import numpy as np

SECONDS, EACH = 10.0, 0.1  # for the whole file, and for each call; a solution needs about a hundredth
START, LIFE = 20.0, 600.0  # seconds until the process must have started, and until it ends in any case
MEMORY = 2 * 1024**3  # bytes of address space: NumPy alone reserves a quarter of it
WRITTEN = 64 * 1024**2  # bytes of an answer, and of all that it prints; right ones have at most a tenth
LONGEST = 1024**2  # bytes of a file; a solution is a thousandth of this
PRINTED = 2000  # characters kept of what the file prints, and of an error
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
ROOMS = ("os", "shutil", "signal", "socket", "subprocess", "resource")  # of Python's audit events
HARMLESS = ("os.listdir", "os.scandir", "os.putenv", "os.unsetenv")
KINDS = {  # how a file fails to answer, in general
    "no_file": "it cannot be read as Python: it is a link, a pipe, too long, or not UTF-8",
    "syntax_error": "it is not valid Python",
    "fails_when_it_is_run": "it raises before any function is called",
    "missing_function": "one of the two functions is missing",
    "not_filled_in": "it raises NotImplementedError: it is not filled in yet",
    "raises": "a function raises",
    "endless": "it does not end",
    "memory": "it asks for more memory than there is for an exercise",
    "crash": "its process ends",
    "writes_into_arguments": "it writes into the arrays that it was given; let it work on a copy",
    "nothing_returned": "it returns nothing; is there a return at its end?",
    "no_number": "it returns something that is neither a number nor an array",
    "wrong_shape": "it returns arrays of another shape, or of another number",
    "not_finite": "it returns a number that is not finite at an ordinary batch",
    "random": "it returns something else when it is called again",
}


class Failed(Exception):
    """A file that failed to answer: the kind of failure, and a sentence."""

    def __init__(self, name: str, sentence: str):
        self.name, self.sentence = name, sentence


# --- one call, in the process of the file or, in a notebook, of the caller --------------------------------------


def call(name: str, function: Callable[..., Any], given: Sequence[Any]) -> list[np.ndarray]:
    """Call a function; return its results as arrays. Raises Failed if they are none."""
    copies = [x.copy() if isinstance(x, np.ndarray) else x for x in given]
    try:
        with np.errstate(all="ignore"):
            returned = function(*copies)
    except (Exception, SystemExit) as error:
        raise describe(error, getattr(getattr(function, "__code__", None), "co_filename", ""), name) from None
    if not all(np.array_equal(x, y) for x, y in zip(given, copies)):
        raise Failed("writes_into_arguments", f"{name}: {KINDS['writes_into_arguments']}")
    arrays = []
    for part in returned if isinstance(returned, tuple | list) else (returned,):
        if part is None:
            raise Failed("nothing_returned", f"{name}: {KINDS['nothing_returned']}")
        try:
            arrays.append(np.asarray(part, dtype=np.float64))
        except (TypeError, ValueError):
            raise Failed("no_number", f"{name}: {KINDS['no_number']}: {type(part).__name__}") from None
    return arrays


def describe(error: BaseException, file: str, function: str = "") -> Failed:
    """Say what a file raised, in the last of its own lines that led there; function: "" while the file is run."""
    kind, words = "raises" if function else "fails_when_it_is_run", " ".join(str(error).split())
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    number, code = (frames[-1].lineno, frames[-1].line) if frames else (None, "")
    said = f"raises {type(error).__name__}{': ' if words else ''}{words}"
    if isinstance(error, SyntaxError) and error.filename == file:
        kind, number, code, said = "syntax_error", error.lineno, error.text, f"is no Python: {error.msg}"
    elif isinstance(error, NotImplementedError):
        return Failed("not_filled_in", f"{function or 'the file'} is not filled in yet")
    elif isinstance(error, MemoryError):
        kind, said = "memory", "asks for more memory than there is for an exercise"
    elif isinstance(error, SystemExit):
        kind, said = "crash", "ends the program; a function must return"
    elif isinstance(error, ImportError) and str(error.name).startswith("infonce_ref"):
        said = "raises ImportError: an exercise is written without infonce_ref, in NumPy"
    where = f"line {number}" if number else function or "the file"
    return Failed(kind, f"{where}{f' ({code.strip()[:100]})' if code and code.strip() else ''} {said}")


# --- the caller's side -----------------------------------------------------------------------------------------


class Learner:
    """A file whose functions can be called, in a process that ends with the block; then `printed` is the beginning
    of what it printed."""

    def __init__(self, path: Path, names: Sequence[str], inside: Sequence[str] = ()):
        self.path, self.names, self.inside, self.printed = path, names, inside, ""
        self.asked, self.left = "it", START  # what is called, and the seconds that it may take
        self.failed: Failed | None = None  # why it answers no more
        self.stack = contextlib.ExitStack()

    def __enter__(self) -> "Learner":
        """Run the file. Raises ValueError if the process does not start."""
        try:
            first = {"text": read_file(self.path), "file": str(self.path.absolute()), "names": self.names}
        except Failed as error:
            self.failed = error
            return self
        folder = self.stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        self.told: Any = self.stack.enter_context(tempfile.TemporaryFile())
        # an empty environment, except for what Windows needs to start a process, and NumPy
        empty = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        empty |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command = [*self.inside, sys.executable, "-I", "-B", "-u", "-X", "utf8", __file__, str(LIFE)]
        how: Any = {"cwd": folder, "env": empty, "start_new_session": True, "stderr": self.told}
        try:
            self.process: Any = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, **how)
            self.stack.callback(self.end)
            self.exchange(first)
        except (OSError, Failed) as error:
            self.stack.close()
            why = error.sentence if isinstance(error, Failed) else error.strerror
            words = f"the file was not run: {' '.join(self.inside) or sys.executable}: {why}"
            raise ValueError(f"{words}\n{self.printed}".strip()) from None
        self.left = SECONDS
        try:
            read_answer(self.exchange())
        except Failed as error:
            self.failed = error
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    def __call__(self, name: str, given: Sequence[Any]) -> list[np.ndarray]:
        """Call a function. Raises Failed."""
        self.asked, self.left = name, self.left + EACH
        return read_answer(self.exchange({"name": name, "given": convert(given)}))

    def exchange(self, question: Any = None) -> bytes:
        """Write a question, and return the next line of the process. Raises Failed, now and later, if none comes
        in time."""
        if self.failed:
            raise self.failed
        said = list[bytes]()

        def talk() -> None:
            with contextlib.suppress(OSError):
                self.process.stdin.write(json.dumps(question).encode() + b"\n" if question else b"")
                self.process.stdin.flush()
                said.append(self.process.stdout.readline(WRITTEN))

        self.thread, begun = Thread(target=talk, daemon=True), time.monotonic()
        self.thread.start()
        self.thread.join(self.left)
        self.left = max(0.0, self.left - (time.monotonic() - begun))
        if not (said and said[0].endswith(b"\n")):
            self.failed = self.explain_end()
            raise self.failed
        return said[0]

    def explain_end(self) -> Failed:
        """Say why the process answers no more."""
        try:
            code = self.process.wait(self.left)
        except subprocess.TimeoutExpired:
            words = f"{self.asked} does not end, or not in {SECONDS:g} seconds and {EACH:g} for each call"
            return Failed("endless", f"{words}: is there a loop without an end?")
        if code in (-9, -24):  # SIGKILL, SIGXCPU
            return Failed("crash", "its process was ended by the system, for its time or its memory")
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        return Failed("crash", f"its process ended {how} before it answered")

    def end(self) -> None:
        """End the process and what it started."""
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.wait()
        self.told.seek(0)
        self.printed = shorten(self.told.read(PRINTED).decode("utf-8", "replace"))
        self.thread.join(SECONDS)
        for pipe in () if self.thread.is_alive() else (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError):
                pipe.close()


def convert(given: Sequence[Any]) -> list[Any]:
    """Arrays as lists, and NumPy's numbers as Python's."""
    return [x.tolist() if isinstance(x, np.ndarray | np.generic) else x for x in given]


def read_answer(line: bytes) -> list[np.ndarray]:
    """The arrays of an answer. Raises Failed if it says so, or if the file has written something else."""
    try:
        said = json.loads(line)
        if said.get("name") not in KINDS:
            return [np.asarray(x, dtype=np.float64) for x in said["arrays"]]
        failed = Failed(said["name"], shorten(said["sentence"]))
    except Exception:
        failed = Failed("crash", "its answer cannot come from a function")
    raise failed


def read_file(path: Path) -> str:
    """The text of a submission. Raises ValueError if there is none; Failed if it is a link, a pipe or not text,
    which is the learner's mistake, not the caller's."""
    if not path.exists() and not path.is_symlink():
        raise ValueError(f"{path} cannot be read: there is no such file")
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LONGEST:
        what = f"{path.name} is a link, a pipe, a folder, or longer than {LONGEST} bytes"
        raise Failed("no_file", f"{what}; hand in the Python file with the two functions")
    try:
        return path.read_text(encoding="utf-8-sig")  # Windows' editors begin a file with U+FEFF
    except UnicodeDecodeError:
        raise Failed("no_file", f"{path.name} is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def shorten(words: Any) -> str:
    """Text that comes from the file: not too long, no control characters, nothing that UTF-8 cannot encode."""
    from ..output import escape_controls

    return escape_controls(str(words)[:PRINTED].encode("utf-8", "backslashreplace").decode("utf-8"))


# --- the process -----------------------------------------------------------------------------------------------


def limit(seconds: float) -> None:
    """Limit this process as far as the system can: Windows limits nothing, macOS no memory."""
    with contextlib.suppress(ImportError):
        import resource

        signal.setitimer(signal.ITIMER_REAL, seconds)  # it ends even if the process that asks is killed
        for name, value in (("AS", MEMORY), ("CPU", int(seconds) + 2), ("FSIZE", WRITTEN)):
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what no exercise needs: other processes, signals, the network, changed files."""
    writes = event == "open" and len(arguments) > 2 and (arguments[2] or 0) & WRITING
    if writes or (event.partition(".")[0] in ROOMS and event not in HARMLESS):
        what = "write a file" if writes else f"use {event}"
        raise PermissionError(f"the file tries to {what}; an exercise needs no more than NumPy")


def load(space: dict[str, Any], text: str, file: str, names: Sequence[str]) -> list[np.ndarray]:
    """Run the file, whose names `space` gets; return nothing more. Raises Failed."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space |= {"__name__": "exercise", "__file__": file}
    try:
        exec(compile(text, file, "exec"), space)
    except (Exception, SystemExit) as error:
        raise describe(error, file) from None
    if missing := [name for name in names if not callable(space.get(name))]:
        words = " and none called ".join(missing)
        raise Failed("missing_function", f"there is no function {words}; keep the names as they were given")
    return []


def main() -> None:
    """Run the file of the first line, and answer each other line with one."""
    asked, said = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the file prints

    def tell(function: Callable[..., list[np.ndarray]], *given: Any) -> None:
        try:
            words: Any = {"arrays": convert(function(*given))}
        except Failed as failure:
            words = vars(failure)
        print(json.dumps(words), file=said, flush=True)

    limit(float(sys.argv[1]))
    sys.modules["infonce_ref"] = None  # type: ignore[assignment]
    print("started", file=said, flush=True)
    sys.addaudithook(refuse)
    space: dict[str, Any] = {}
    tell(load, space, *json.loads(asked.readline()).values())
    for line in asked:
        name, given = json.loads(line).values()
        tell(call, name, space[name], [np.asarray(x) if isinstance(x, list) else x for x in given])


if __name__ == "__main__":
    main()
