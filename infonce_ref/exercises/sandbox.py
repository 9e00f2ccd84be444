"""Run a learner's file in a process of its own, with limits, and describe how it fails.

    with Learner(path, ("loss", "gradient")) as learner:
        learner.loss(w, 0.5)

The file returns only numbers, so that it cannot forge a report. It is read here and passed as text: its process has
an empty environment and folder, and may open only Python's files.
"""

import contextlib
import json
import os
import queue
import signal
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import isolation, worker

SECONDS = 5.0  # seconds for one call; a solution needs about a thousandth of it
IN_ALL = 60.0
MEMORY = 2 * 1024**3  # of address space: NumPy alone reserves a quarter of it
ANSWER = 4 * 1024**2  # bytes; the longest right answer is a hundredth of this
PRINTED = 2000
LONGEST_WORDS = 200  # of an error
ENDING = 1.0  # seconds from the end of the pipe to the end of the process
WAITING = 2  # unread answers: there is one for each question
LONGEST = 1024**2  # bytes of a file; a solution is a thousandth of this


class Failed(Exception):
    """A file that failed to answer: the name of the failure, and a sentence."""

    def __init__(self, name: str, sentence: str):
        super().__init__(sentence)
        self.name, self.sentence = name, sentence


INSTEAD = {  # the general sentence for each failure
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


def read_answer(said: dict[str, Any], function: str) -> list[np.ndarray]:
    """Return the arrays of a function's answer. Raises Failed if the worker answers with anything else."""
    if "raised" in said:
        raise describe_exception(said["raised"], function)
    if "refused" in said:
        name = str(said["refused"])
        what = f": {shorten(said['words'])}" if "words" in said else ""
        raise Failed(name, f"{function}: {INSTEAD[name]}{what}")
    return [np.asarray(worker.unpack(x), dtype=np.float64) for x in said["arrays"]]


FATAL = ("endless", "crash", "memory")  # after these, a later answer may belong to an earlier question
FORGED = Failed("crash", "its answer cannot come from a function")


@contextlib.contextmanager
def blame_forgery() -> Iterator[None]:
    """Treat errors in reading the pipe as the file's fault, since it may have written anything there."""
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError, MemoryError, RecursionError):
        raise FORGED from None


def read_file(path: Path) -> str:
    """The text of a submission. Raises ValueError if there is none; Failed if it is a link, a pipe or not text,
    which is the learner's mistake, not the caller's.
    """
    if not path.exists() and not path.is_symlink():
        raise ValueError(f"{path} cannot be read: there is no such file")
    if path.is_symlink():
        raise Failed("no_file", f"{path.name} is a link; hand in the file itself")
    if not stat.S_ISREG(path.stat().st_mode):
        raise Failed("no_file", f"{path.name} is no regular file; hand in a Python file")
    if path.stat().st_size > LONGEST:
        raise Failed("no_file", f"{path.name} has more than {LONGEST} bytes; hand in the two functions alone")
    try:
        return path.read_text(encoding="utf-8-sig")  # Windows' editors begin a file with U+FEFF
    except UnicodeDecodeError:
        raise Failed("no_file", f"{path.name} is not UTF-8 text; save it as UTF-8") from None
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None


def shorten(words: Any) -> str:
    """Shorten text that comes from the file, and replace what UTF-8 cannot encode."""
    return str(words)[:LONGEST_WORDS].encode("utf-8", "backslashreplace").decode("utf-8")


def describe_exception(said: dict[str, Any], function: str) -> Failed:
    """Describe an exception of the file, with its line."""
    error, words, code, line = (shorten(said[name] or "") for name in ("error", "words", "code", "line"))
    where = f"line {int(line)}" if line else function or "the file"
    code = f" ({code})" if code else ""
    if error == "NotImplementedError":
        return Failed("not_filled_in", f"{function or 'the file'} is not filled in yet")
    if error == "MemoryError":
        return Failed("memory", f"{where}{code} asks for more memory than there is for an exercise")
    if error in ("SyntaxError", "IndentationError", "TabError"):
        return Failed("syntax_error", f"{where}{code} is no Python: {words}")
    if error == "SystemExit":
        return Failed("crash", f"{where}{code} ends the program; a function must return")
    name = "raises" if function else "fails_when_it_is_run"
    return Failed(name, f"{where}{code} raises {error}{': ' if words else ''}{words}")


class Learner:
    """A file whose functions can be called; a context manager that ends its process."""

    def __init__(
        self,
        path: Path,
        names: Sequence[str],
        seconds: float = SECONDS,
        in_all: float = IN_ALL,
        memory: int = MEMORY,
    ):
        self.path, self.names, self.seconds, self.in_all = path, names, seconds, in_all
        self.memory = memory
        self.printed = ""
        self.limits: dict[str, bool] = {}
        self.over = False
        self.ended: Failed | None = None

    def __enter__(self) -> "Learner":
        text = read_file(self.path)
        self.left = self.in_all
        limits = [str(self.memory), str(int(self.in_all) + 1)]
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", worker.__file__, *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
            cwd=self.folder.name,
            start_new_session=os.name == "posix",
        )
        self.answers: queue.Queue[bytes] = queue.Queue(WAITING)
        self.readers = [threading.Thread(target=f, daemon=True) for f in (self._answers, self._prints)]
        for reader in self.readers:
            reader.start()
        try:
            self._write({"text": text, "file": str(self.path.absolute())})
            with blame_forgery():
                held = self._next("it does not start", self.in_all)["limits"]
                self.limits = {name: name in held for name in isolation.ALL}
                self._find(self._next("it does not end when it is run", 2 * self.seconds))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        self.over = True
        for reader in self.readers:
            with contextlib.suppress(queue.Empty):
                while True:
                    self.answers.get_nowait()
            # a process that the file started, if the system allowed it, may keep the other end open for ever
            reader.join(1.0)
        for pipe, reader in ((self.process.stdout, self.readers[0]), (self.process.stderr, self.readers[1])):
            if not reader.is_alive():
                _close(pipe)
        _close(self.process.stdin)
        self.folder.cleanup()

    def __call__(self, function: str, arguments: Sequence[Any]) -> list[np.ndarray]:
        """Call a function of the file and return its result. Raises Failed if it is not made of numbers; after a
        failure of FATAL, every call raises it.
        """
        if self.ended:
            raise Failed(self.ended.name, self.ended.sentence)
        given = [worker.pack(x) if isinstance(x, np.ndarray) else x for x in arguments]
        self._write({"function": function, "arguments": given})
        try:
            with blame_forgery():
                return read_answer(self._next(f"{function} does not end", self.seconds), function)
        except Failed as error:
            if error.name in FATAL:
                self.ended = error
            raise

    def _write(self, words: dict[str, Any]) -> None:
        """Send a line. A process that does not read it in time is ended; its answer is then missing."""
        assert self.process.stdin is not None
        late = threading.Timer(max(0.0, self.left), self.process.kill)
        late.start()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.write((json.dumps(words) + "\n").encode())
            self.process.stdin.flush()
        late.cancel()

    def _find(self, said: dict[str, Any]) -> None:
        if "raised" in said:
            raise describe_exception(said["raised"], "")
        missing = [name for name in self.names if name not in said["names"]]
        if missing:
            raise Failed(
                "missing_function",
                f"there is no function {' and none called '.join(missing)}; keep the names as they were given",
            )

    def _next(self, endless: str, seconds: float) -> dict[str, Any]:
        left, asked = max(0.0, self.left), time.monotonic()
        limit = (
            f"{seconds:g} seconds" if seconds <= left else f"the {self.in_all:g} seconds of the whole file"
        )
        try:
            line = self.answers.get(timeout=min(seconds, left))
        except queue.Empty:
            raise Failed(
                "endless", f"{endless}, or not in {limit}: is there a loop without an end?"
            ) from None
        finally:
            self.left -= time.monotonic() - asked  # the checker's own time does not count
        if len(line) == ANSWER:
            raise Failed(
                "crash", f"its answer has more than {ANSWER} bytes; return the numbers that belong there"
            )
        if not line.endswith(b"\n"):
            raise self._describe_end()
        said = json.loads(line)
        if not isinstance(said, dict):
            raise FORGED
        return said

    def _describe_end(self) -> Failed:
        """Say why the pipe has ended: the process ended, or it closed the pipe."""
        try:
            code = self.process.wait(ENDING)
        except subprocess.TimeoutExpired:
            return FORGED
        if code < 0 and code in (-signal.SIGKILL, -getattr(signal, "SIGXCPU", 0)):
            return Failed("crash", "its process was ended by the system, for its time or its memory")
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        return Failed("crash", f"its process ended {how} before it answered")

    def _answers(self) -> None:
        assert self.process.stdout is not None
        line = b"\n"
        while line.endswith(b"\n"):
            line = self.process.stdout.readline(ANSWER)
            if not self.over:
                self.answers.put(line)

    def _prints(self) -> None:
        """Return the beginning of the file's output; the rest is read and dropped, so that the file never
        blocks.
        """
        assert self.process.stderr is not None
        kept = b""
        while block := os.read(self.process.stderr.fileno(), 65536):
            kept = (kept + block)[:PRINTED]
            self.printed = kept.decode("utf-8", "replace")


def environment() -> dict[str, str]:
    """Return the environment of the file's process: empty except for variables that Windows needs to start
    it.
    """
    threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
    needed = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
    return {**needed, **dict.fromkeys(threads, "1"), "PYTHONIOENCODING": "utf-8", "PYTHONUTF8": "1"}


def _close(pipe: Any) -> None:
    with contextlib.suppress(OSError):
        pipe.close()
