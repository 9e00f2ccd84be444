"""Memoise the checks of proofs: they are expensive and depend on their arguments alone."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

KNOWN: dict[tuple[str, tuple], Any] = {}  # (the check's name, its arguments) → its result


def memoise(check: Callable) -> Callable:
    """Run the check once for equal arguments."""

    @wraps(check)
    def recall(*arguments: Any) -> Any:
        key = f"{check.__module__}.{check.__qualname__}", arguments
        if key not in KNOWN:
            KNOWN[key] = check(*arguments)
        return KNOWN[key]

    return recall


@contextmanager
def note() -> Iterator[dict[tuple[str, tuple], Any]]:
    """Yield a dictionary that has, at the end of the block, what the block added to KNOWN: to keep it in a file, or
    for another process.
    """
    before, added = set(KNOWN), dict[tuple[str, tuple], Any]()
    yield added
    added.update((key, KNOWN[key]) for key in KNOWN.keys() - before)
