"""Runs a learner's file, as a script in a process of its own; see `sandbox`.

A line of JSON asks for a call, a line of JSON answers. Nothing is unpickled on either side. The limits stop
mistakes and pranks: who grades files that mean harm runs the whole command in a container.
"""

import base64
import contextlib
import json
import os
import sys
import traceback
from pathlib import Path

import numpy as np

FORBIDDEN = {  # Python's audit events, each with what a file would be doing
    "os.fork": "start a process",
    "os.forkpty": "start a process",
    "os.posix_spawn": "start a process",
    "os.exec": "start a process",
    "os.spawn": "start a process",
    "os.system": "start a process",
    "subprocess.Popen": "start a process",
    "os.kill": "end a process",
    "os.killpg": "end a process",
    "socket.connect": "use the network",
    "socket.bind": "use the network",
    "socket.getaddrinfo": "use the network",
    "os.remove": "change files",
    "os.rename": "change files",
    "os.rmdir": "change files",
    "os.mkdir": "change files",
    "os.truncate": "change files",
    "os.chmod": "change files",
    "os.link": "change files",
    "os.symlink": "change files",
    "ctypes.dlopen": "load a library",
}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def audit(event, arguments):
    """Refuses what no exercise needs."""
    if event in FORBIDDEN:
        raise PermissionError(f"the file tries to {FORBIDDEN[event]}; an exercise needs no more than NumPy")
    if event == "open" and len(arguments) > 2 and (arguments[2] or 0) & WRITING:
        raise PermissionError("the file tries to write a file; an exercise needs no more than NumPy")
    if event == "import" and str(arguments[0]).partition(".")[0] == "infonce_ref":
        raise ImportError("the file imports infonce_ref; the exercise is to write it without")


def limit(memory, seconds):
    """Where the system has such limits."""
    try:
        import resource
    except ImportError:  # Windows; the parent's clock is left
        return
    for name, value in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_CPU", seconds),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_CORE", 0),
    ):
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(getattr(resource, name), (value, value))


def told(error, file):
    """What went wrong, and the last line of the learner's own file that led there."""
    lines = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        number, code, words = error.lineno, error.text, error.msg
    else:
        number, code = (lines[-1].lineno, lines[-1].line) if lines else (None, None)
        words = " ".join(str(error).split())[:200]
    return {
        "error": type(error).__name__,
        "words": words,
        "line": number,
        "code": (code or "").strip()[:100],
    }


def packed(x):
    x = np.ascontiguousarray(x)
    return {"dtype": str(x.dtype), "shape": x.shape, "data": base64.b64encode(x.tobytes()).decode()}


def unpacked(x):
    if not isinstance(x, dict):
        return x
    return np.frombuffer(base64.b64decode(x["data"]), dtype=x["dtype"]).reshape(x["shape"]).copy()


def answer(function, arguments):
    """What the function returns, as arrays, or what is wrong with it."""
    given = [unpacked(x) for x in arguments]
    kept = [x.copy() if isinstance(x, np.ndarray) else x for x in given]
    with np.errstate(all="ignore"):
        returned = function(*given)
    if any(isinstance(x, np.ndarray) and not np.array_equal(x, y) for x, y in zip(given, kept)):
        return {"refused": "writes_into_arguments"}
    parts = list(returned) if isinstance(returned, tuple | list) else [returned]
    arrays = []
    for part in parts:
        try:
            array = np.asarray(part, dtype=np.float64)
        except (TypeError, ValueError):
            return {"refused": "no_number", "words": type(part).__name__}
        if part is None:
            return {"refused": "nothing_returned"}
        arrays.append(array)
    return {"arrays": [packed(x) for x in arrays]}


def main():
    file, memory, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # what the file prints

    def say(**words):
        print(json.dumps(words), file=answers, flush=True)

    text = Path(file).read_text(encoding="utf-8")
    limit(memory, seconds)
    sys.addaudithook(audit)
    space = {"__name__": "exercise", "__file__": file}
    try:
        exec(compile(text, file, "exec"), space)
    except BaseException as error:  # whatever a file may raise, SystemExit among it
        say(raised=told(error, file))
        return
    say(names=[name for name, value in space.items() if callable(value)])
    for line in questions:
        question = json.loads(line)
        try:
            say(**answer(space[question["function"]], question["arguments"]))
        except BaseException as error:
            say(raised=told(error, file))


if __name__ == "__main__":
    main()
