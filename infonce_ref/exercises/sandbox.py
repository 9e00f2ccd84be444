"""A learner's file in a process of its own, with a time and a memory limit; what it does instead of answering.

    with Learner(path, ("loss", "gradient")) as learner:
        learner.loss(w, 0.5)

Nothing that the file returns is more than numbers, so that it cannot answer for the check itself.
"""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import worker

SECONDS = 5.0  # of one call; an exercise's take a thousandth of one
IN_ALL = 60.0
MEMORY = 2 * 1024**3  # of addresses: NumPy alone reserves a quarter of it
ANSWER = 64 * 1024**2
PRINTED = 2000


class Failed(Exception):
    """A file that does not answer: the name of what it does instead, and a sentence."""

    def __init__(self, name: str, sentence: str):
        super().__init__(sentence)
        self.name, self.sentence = name, sentence


INSTEAD = {  # of each, what a reader is told in general
    "syntax_error": "it is no Python",
    "fails_when_it_is_run": "it raises before any function is asked",
    "missing_function": "one of the two functions is not there",
    "not_filled_in": "it raises NotImplementedError, as the file does that is handed out",
    "raises": "a function raises",
    "endless": "it does not end",
    "memory": "it asks for more memory than there is for an exercise",
    "crash": "its process ends",
    "writes_into_arguments": "it writes into the arrays that it was given; let it work on a copy",
    "nothing_returned": "it returns nothing; is there a return at its end?",
    "no_number": "it returns what is no number and no array",
    "wrong_shape": "it returns arrays of another shape, or of another number",
    "not_finite": "it returns a number that is not finite at an ordinary batch",
    "random": "it answers differently when it is asked again",
}


def understood(said: dict[str, Any], function: str) -> list[np.ndarray]:
    """The arrays that a worker says a function returned. Raises Failed where it says something else."""
    if "raised" in said:
        raise raised(said["raised"], function)
    if "refused" in said:
        name = str(said["refused"])
        what = f": {said['words']}" if "words" in said else ""
        raise Failed(name, f"{function}: {INSTEAD[name]}{what}")
    return [worker.unpacked(x) for x in said["arrays"]]


def raised(said: dict[str, Any], function: str) -> Failed:
    """An exception of the file, in a sentence that names the line."""
    error, words, line = said["error"], said["words"], said["line"]
    where = f"line {line}" if line else function or "the file"
    code = f" ({said['code']})" if said["code"] else ""
    if error == "NotImplementedError":
        return Failed("not_filled_in", f"{function or 'the file'} is not filled in yet")
    if error == "MemoryError":
        return Failed("memory", f"{where}{code} asks for more memory than there is for an exercise")
    if error in ("SyntaxError", "IndentationError", "TabError"):
        return Failed("syntax_error", f"{where}{code} is no Python: {words}")
    if error == "SystemExit":
        return Failed("crash", f"{where}{code} ends the program, where a function returns")
    name = "raises" if function else "fails_when_it_is_run"
    return Failed(name, f"{where}{code} raises {error}{': ' if words else ''}{words}")


class Learner:
    """A file that is asked; a context that ends its process."""

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

    def __enter__(self) -> "Learner":
        try:
            self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ValueError(f"{self.path} cannot be read: {error}") from None
        self.ends = time.monotonic() + self.in_all
        threads = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
        limits = [str(self.memory), str(int(self.in_all) + 1)]
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", worker.__file__, str(self.path.absolute()), *limits],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **dict.fromkeys(threads, "1"), "PYTHONIOENCODING": "utf-8"},
            start_new_session=os.name == "posix",
        )
        self.answers: queue.Queue[bytes] = queue.Queue()
        self.readers = [threading.Thread(target=f, daemon=True) for f in (self._answers, self._prints)]
        for reader in self.readers:
            reader.start()
        try:
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
        for reader in self.readers:
            reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()

    def __call__(self, function: str, arguments: Sequence[Any]) -> list[np.ndarray]:
        """What a function of the file returns. Raises Failed where it does not answer with numbers."""
        given = [worker.packed(x) if isinstance(x, np.ndarray) else x for x in arguments]
        line = json.dumps({"function": function, "arguments": given}) + "\n"
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # that it has ended is seen when it does not answer
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        said = self._next(f"{function} does not end", self.seconds)
        return understood(said, function)

    def _find(self, said: dict[str, Any]) -> None:
        if "raised" in said:
            raise raised(said["raised"], "")
        missing = [name for name in self.names if name not in said["names"]]
        if missing:
            raise Failed(
                "missing_function",
                f"there is no function {' and none called '.join(missing)}; keep the names as they were given",
            )

    def _next(self, endless: str, seconds: float) -> dict[str, Any]:
        try:
            line = self.answers.get(timeout=max(0.0, min(seconds, self.ends - time.monotonic())))
        except queue.Empty:
            raise Failed(
                "endless", f"{endless}, or not in {seconds:g} seconds: is there a loop without an end?"
            ) from None
        if not line.endswith(b"\n"):
            raise self._ended()
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            raise Failed("crash", "it answered something that no function returns")
        return said

    def _ended(self) -> Failed:
        self.process.wait()
        code = self.process.returncode
        if code < 0 and code in (-signal.SIGKILL, -getattr(signal, "SIGXCPU", 0)):
            return Failed("crash", "its process was ended by the system, for its time or its memory")
        how = f"by signal {-code}" if code < 0 else f"with status {code}"
        return Failed("crash", f"its process ended {how} before it answered")

    def _answers(self) -> None:
        assert self.process.stdout is not None
        line = b"\n"
        while line.endswith(b"\n"):
            line = self.process.stdout.readline(ANSWER)
            self.answers.put(line)

    def _prints(self) -> None:
        """The beginning of what it prints; the rest is read and dropped, so that it never waits."""
        assert self.process.stderr is not None
        kept = b""
        while block := os.read(self.process.stderr.fileno(), 65536):
            kept = (kept + block)[:PRINTED]
            self.printed = kept.decode("utf-8", "replace")
