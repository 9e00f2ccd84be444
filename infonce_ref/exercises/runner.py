"""Run a learner's file in a process of its own, within limits, and say how it fails.

    with Learner(path, ("loss", "gradient")) as learner:
        learner("loss", [w, 0.5])

The process runs this file alone, with an empty environment and folder. It returns only numbers, which are judged
here, so that it cannot forge a report. It has the user's rights, and the limits stop mistakes and pranks: for files
of strangers put in front what the system has, Learner(path, names, inside=["bwrap", "--unshare-all", …]).
"""

import contextlib
import json
import linecache
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

SECONDS, IN_ALL = 5.0, 60.0  # of one call and of all; a solution needs about a thousandth of it
MEMORY = 2 * 1024**3  # bytes of address space: NumPy alone reserves a quarter of it
ANSWER = 4 * 1024**2  # bytes of a line; the longest right answer is a hundredth of this
LONGEST = 1024**2  # bytes of a file; a solution is a thousandth of this
PRINTED, WORDS = 2000, 200  # characters kept of what the file prints, and of an error
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
FORGED = "its answer cannot come from a function"
FATAL = ("endless", "crash", "memory")  # after these, a later answer may belong to an earlier question


class Failed(Exception):
    """A file that failed to answer: the kind of failure, and a sentence."""

    def __init__(self, name: str, sentence: str):
        super().__init__(sentence)
        self.name, self.sentence = name, sentence


def call(name: str, function: Callable[..., Any], given: Sequence[Any]) -> list[np.ndarray]:
    """Call a function and return its results as arrays. Raises Failed if they are no numbers, or if it writes into
    its arguments."""
    copies = [x.copy() if isinstance(x, np.ndarray) else x for x in given]
    with np.errstate(all="ignore"):
        returned = function(*copies)
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
    if isinstance(error, Failed):
        return error
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    number, code = (frames[-1].lineno, frames[-1].line) if frames else (None, "")
    words = " ".join(str(error).split())[:WORDS]
    wrong = error if isinstance(error, SyntaxError) and error.filename == file else None
    if wrong:
        number, code, words = wrong.lineno, wrong.text, wrong.msg
    where = f"line {number}" if number else function or "the file"
    where += f" ({code.strip()[:100]})" if code and code.strip() else ""
    if wrong:
        return Failed("syntax_error", f"{where} is no Python: {words}")
    if isinstance(error, NotImplementedError):
        return Failed("not_filled_in", f"{function or 'the file'} is not filled in yet")
    if isinstance(error, MemoryError):
        return Failed("memory", f"{where} asks for more memory than there is for an exercise")
    if isinstance(error, SystemExit):
        return Failed("crash", f"{where} ends the program; a function must return")
    if isinstance(error, ImportError) and str(error.name).startswith("infonce_ref"):
        words = "an exercise is written without infonce_ref, in NumPy"
    kind = "raises" if function else "fails_when_it_is_run"
    return Failed(kind, f"{where} raises {type(error).__name__}{': ' if words else ''}{words}")


# --- the caller's side -----------------------------------------------------------------------------------------


class Learner:
    """A file whose functions can be called; a context manager that ends its process."""

    def __init__(self, path: Path, names: Sequence[str], inside: Sequence[str] = ()):
        self.path, self.names, self.inside, self.left = path, names, inside, IN_ALL
        self.printed = ""
        self.limits: dict[str, bool] = {}
        self.ended: Failed | None = None

    def __enter__(self) -> "Learner":
        text = read_file(self.path)
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # an empty environment, except for what Windows needs to start a process, and NumPy
        empty = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
        empty |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        command = [*self.inside, sys.executable, "-I", "-B", __file__, str(int(2 * SECONDS) + 1)]
        try:
            self.process: Any = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=empty | {"PYTHONUTF8": "1"},
                cwd=self.folder.name,
                start_new_session=True,
            )
        except OSError as error:
            self.folder.cleanup()
            raise ValueError(f"the file was not run: {command[0]}: {error.strerror}") from None
        self.questions: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self.answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._pass_on, daemon=True).start()
        self.reader = threading.Thread(target=self._keep_printed, daemon=True)
        self.reader.start()
        try:
            self._start()
            given = {"text": text, "file": str(self.path.absolute()), "names": self.names}
            self._exchange(given, 2 * SECONDS, "it does not end when it is run")
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self) -> None:
        """Wait until Python runs. Raises ValueError if it does not, which is not the file's fault."""
        try:
            self.limits = self._exchange({}, IN_ALL, "it does not start")["limits"]
        except Failed as error:
            what = f"{' '.join(self.inside) or sys.executable}: {error.sentence}"
            raise ValueError(f"the file was not run: {what}\n{self.printed}".strip()) from None

    def __exit__(self, *_: Any) -> None:
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.wait()
        self.questions.put(b"")
        self.reader.join(1.0)  # a process that the file started may keep the pipe open for ever
        self.folder.cleanup()

    def __call__(self, function: str, arguments: Sequence[Any]) -> list[np.ndarray]:
        """Call a function of the file and return its result. Raises Failed if it is not made of numbers; after a
        failure of FATAL, every call raises it."""
        given = [x.tolist() if isinstance(x, np.ndarray) else x for x in arguments]
        said = self._exchange({"function": function, "given": given}, SECONDS, f"{function} does not end")
        try:
            return [np.asarray(x, dtype=np.float64) for x in said["arrays"]]
        except Exception:
            raise self._end("crash", FORGED) from None

    def _end(self, name: str, sentence: str) -> Failed:
        self.ended = Failed(name, sentence)
        return self.ended

    def _exchange(self, question: dict[str, Any], seconds: float, endless: str) -> dict[str, Any]:
        """Ask the process a question, and return its answer. Raises Failed."""
        if self.ended:
            raise self.ended
        limit = f"{seconds:g} seconds"
        if seconds > self.left:
            seconds, limit = max(0.0, self.left), f"the {IN_ALL:g} seconds of the whole file"
        asked = time.monotonic()
        self.questions.put(json.dumps(question).encode() + b"\n")
        try:
            line = self.answers.get(timeout=seconds)
        except queue.Empty:
            words = f"{endless}, or not in {limit}: is there a loop without an end?"
            raise self._end("endless", words) from None
        self.left -= time.monotonic() - asked
        if len(line) == ANSWER:
            words = f"its answer has more than {ANSWER} bytes; return the numbers that belong there"
            raise self._end("crash", words)
        if not line.endswith(b"\n"):
            raise self._end("crash", self._describe_end())
        try:
            said = dict(json.loads(line))
            kind = said.get("failed")
            failed = Failed(kind, shorten(said["words"])) if kind in KINDS else None
        except Exception:  # the file may have written anything
            raise self._end("crash", FORGED) from None
        if failed:
            self.ended = failed if failed.name in FATAL else None
            raise failed
        return said

    def _describe_end(self) -> str:
        """Say why the pipe has ended: the process ended, or it closed the pipe."""
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return FORGED
        if code < 0 and code in (-signal.SIGKILL, -signal.SIGXCPU):
            return "its process was ended by the system, for its time or its memory"
        return f"its process ended {f'by signal {-code}' if code < 0 else f'with status {code}'} before it answered"

    def _pass_on(self) -> None:
        """Write each question, and read a line: in a thread, as a process may neither read nor answer."""
        with contextlib.suppress(OSError), self.process.stdin as there, self.process.stdout as here:
            for question in iter(self.questions.get, b""):
                with contextlib.suppress(OSError):
                    there.write(question)
                    there.flush()
                self.answers.put(here.readline(ANSWER))

    def _keep_printed(self) -> None:
        """Keep the beginning of what the file prints; drop the rest, so that the file never blocks."""
        kept = b""
        with self.process.stderr as here:
            while block := here.read1():
                kept = (kept + block)[:PRINTED]
                self.printed = kept.decode("utf-8", "replace")


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
    """Text that comes from the file: not too long, and without what UTF-8 cannot encode."""
    return str(words)[: 2 * WORDS].encode("utf-8", "backslashreplace").decode("utf-8")


# --- the process -----------------------------------------------------------------------------------------------

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
ROOMS = ("os", "shutil", "signal", "socket", "subprocess", "resource")  # of Python's audit events
HARMLESS = ("os.listdir", "os.scandir", "os.putenv", "os.unsetenv")


def refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """Refuse what no exercise needs: other processes, signals, the network, changed files."""
    writes = event == "open" and len(arguments) > 2 and (arguments[2] or 0) & WRITING
    if writes or (event.partition(".")[0] in ROOMS and event not in HARMLESS):
        what = "write a file" if writes else f"use {event}"
        raise PermissionError(f"the file tries to {what}; an exercise needs no more than NumPy")


def limit() -> dict[str, bool]:
    """Limit this process; return which limits hold."""
    seconds, size = ("CPU", int(IN_ALL) + 1), ("FSIZE", 0)
    limits = {"memory": ("AS", MEMORY), "processor time": seconds, "no written file": size}
    held = dict.fromkeys(limits, False)
    with contextlib.suppress(ImportError):  # Windows has none
        import resource

        for name, (which, value) in limits.items():
            with contextlib.suppress(OSError, ValueError):
                resource.setrlimit(getattr(resource, f"RLIMIT_{which}"), (value, value))
                held[name] = which != "AS" or sys.platform != "darwin"  # macOS does not enforce it
    return held


def run(text: str, file: str, names: Sequence[str]) -> dict[str, Any]:
    """Run the file; return its names. Raises Failed if a function is missing."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"__name__": "exercise", "__file__": file}
    exec(compile(text, file, "exec"), space)
    if missing := [name for name in names if not callable(space.get(name))]:
        words = " and none called ".join(missing)
        raise Failed("missing_function", f"there is no function {words}; keep the names as they were given")
    return space


def answer(question: dict[str, Any], space: dict[str, Any]) -> dict[str, Any]:
    """The answer to a question: a file to run first, then a function to call."""
    name = question.get("function", "")
    try:
        if not name:
            space |= run(**question)
            return {}
        given = [np.asarray(x) if isinstance(x, list) else x for x in question["given"]]
        return {"arrays": [x.tolist() for x in call(name, space[name], given)]}
    except BaseException as error:  # a file may raise anything, even SystemExit
        failed = describe(error, space.get("__file__") or question["file"], name)
        return {"failed": failed.name, "words": failed.sentence}


def main() -> None:
    """Answer each line of JSON with one."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the file prints
    questions.readline()
    print(json.dumps({"limits": limit()}), file=answers, flush=True)
    sys.modules["infonce_ref"] = None  # type: ignore[assignment]
    sys.addaudithook(refuse)
    space: dict[str, Any] = {}
    for line in questions:
        if hasattr(signal, "alarm"):  # if the process that asks is killed, this one ends too
            signal.alarm(int(sys.argv[1]))
        said = answer(json.loads(line), space)
        print(json.dumps(said), file=answers, flush=True)


if __name__ == "__main__":
    main()
