"""How a command ends early: an error becomes one line; a signal first saves the results so far."""

import contextlib
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from typing import Any


def explain_error(error: BaseException, extra: str) -> tuple[int, str]:
    """The exit status and the message for an error of the user or the system. Other errors are raised again.

    extra: the optional dependencies that the command needs.
    """
    match error:
        case ModuleNotFoundError():
            absent, _, _ = str(error.name).partition(".")
            if error.name in ("infonce_ref.derivations", "infonce_ref.figures"):
                return 2, f"{error}: this copy is not whole; add the missing files, or install another copy"
            if absent != "infonce_ref":
                comes = f'; it comes with pip install "infonce_ref[{extra}]"' if extra else ""
                return 2, f"{absent} is not installed{comes}"
        case OSError():
            place = f"{error.filename}: " if error.filename else ""
            return 2, f"{place}{error.strerror or error}"
        case ValueError():
            return 2, str(error)
        case BrokenExecutor():
            return 2, "the system ended a process of the command, perhaps for its memory; nothing was checked"
        case MemoryError():
            return 2, "not enough memory for that many rows; give fewer"
        case KeyboardInterrupt():
            return 128 + getattr(error, "signal", signal.SIGINT), str(error) or "interrupted"
    raise error


class Terminated(KeyboardInterrupt):
    """SIGTERM or SIGHUP. Both end a command as Ctrl-C does: what was done so far is saved first."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}")
        self.signal = number


@contextlib.contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Raise KeyboardInterrupt at the first Ctrl-C, Terminated at the first SIGTERM or SIGHUP, unless they have a
    handler already (as under nohup).

    Later signals, such as a second Ctrl-C, are ignored while the command saves its results.
    """
    names = ("SIGINT", "SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    before = {number: signal.getsignal(number) for name in names if (number := getattr(signal, name, None))}
    taken = [n for n, handler in before.items() if handler in (signal.SIG_DFL, signal.default_int_handler)]

    def end(number: int, _: Any) -> None:
        for each in taken:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt if number == signal.SIGINT else Terminated(number)

    try:
        for number in taken:
            signal.signal(number, end)
        yield
    finally:
        for number in taken:
            signal.signal(number, before[number])
