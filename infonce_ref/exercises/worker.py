"""Run a learner's file; a script that `sandbox` starts in a process of its own.

The first line of JSON is the file itself; then a line asks for a call, and a line answers. Nothing is unpickled on
either side. `isolation` sets the operating system's limits. Python's audit hook adds the reason for a refusal; on
systems without limits it is the only protection.
"""

import base64
import importlib.util
import json
import linecache
import os
import sys
import traceback

import numpy as np

ACTIONS = {  # in words, each with Python's audit events
    "start a process": "os.fork os.forkpty os.posix_spawn os.exec os.spawn os.system subprocess.Popen",
    "end a process": "os.kill os.killpg signal.pidfd_send_signal",
    "use the network": "socket.__new__ socket.getaddrinfo",
    "change a limit": "resource.setrlimit resource.prlimit",
    "change files": "os.remove os.rename os.rmdir os.mkdir os.truncate os.chmod os.link os.symlink",
    "load a library": "ctypes.dlopen",
}
FORBIDDEN = {event: action for action, events in ACTIONS.items() for event in events.split()}
NUMBERS = ["float16", "float32", "float64"]
NUMBERS += [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
ALLOWED = {*sys.stdlib_module_names, *(name.partition(".")[0] for name in sys.modules)}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def audit(event, arguments):
    """Refuse the audit events of actions that no exercise needs."""
    if event in FORBIDDEN:
        raise PermissionError(f"the file tries to {FORBIDDEN[event]}; an exercise needs no more than NumPy")
    if event == "open" and len(arguments) > 2 and (arguments[2] or 0) & WRITING:
        raise PermissionError("the file tries to write a file; an exercise needs no more than NumPy")
    if event == "import" and (name := str(arguments[0]).partition(".")[0]) not in ALLOWED:
        raise ImportError(f"the file imports {name}; it may import NumPy and Python's own modules alone")


def describe_error(error, file):
    """The error, and the last line of the learner's own file that led to it."""
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


def pack(x):
    x = np.asarray(x, order="C")  # ascontiguousarray would turn a number into an array of one entry
    return {"dtype": str(x.dtype), "shape": x.shape, "data": base64.b64encode(x.tobytes()).decode()}


def unpack(x):
    """The array that `pack` turned into JSON; a number unchanged. Raises ValueError, TypeError or KeyError for
    anything else, as a file may forge its answer."""
    if not isinstance(x, dict):
        return x
    if x["dtype"] not in NUMBERS:
        raise ValueError(f"{x['dtype']} holds no numbers")
    return (
        np.frombuffer(base64.b64decode(x["data"], validate=True), dtype=x["dtype"]).reshape(x["shape"]).copy()
    )


def answer(function, arguments):
    """The function's result, as arrays, or its error."""
    given = [unpack(x) for x in arguments]
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
    return {"arrays": [pack(x) for x in arrays]}


def isolate(memory, seconds):
    """Set the operating system's limits, by running isolation.py; return the names of those that hold."""
    beside = os.path.join(os.path.dirname(__file__), "isolation.py")
    spec = importlib.util.spec_from_file_location("isolation", beside)
    assert spec is not None
    assert spec.loader is not None
    isolation = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(isolation)
    return isolation.isolate(memory, seconds)


def main():
    memory, seconds = int(sys.argv[1]), int(sys.argv[2])
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # the file's output

    def say(**words):
        print(json.dumps(words), file=answers, flush=True)

    given = json.loads(questions.readline())
    text, file = given["text"], given["file"]
    # afterwards this file can no longer be read
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    say(limits=isolate(memory, seconds))
    sys.addaudithook(audit)
    space = {"__name__": "exercise", "__file__": file}
    try:
        exec(compile(text, file, "exec"), space)
    except BaseException as error:  # a file may raise anything, even SystemExit
        say(raised=describe_error(error, file))
        return
    say(names=[name for name, value in space.items() if callable(value)])
    for line in questions:
        question = json.loads(line)
        try:
            say(**answer(space[question["function"]], question["arguments"]))
        except BaseException as error:
            say(raised=describe_error(error, file))


if __name__ == "__main__":
    main()
