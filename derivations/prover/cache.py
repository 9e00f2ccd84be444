"""Memoise the checks of proofs: they are expensive and depend on their arguments alone."""

import pickle
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
    for another process. Without what pickle changes: an array would lose its sign, a/a become 1.
    """
    before, added = set(KNOWN), dict[tuple[str, tuple], Any]()
    yield added
    new = {key: KNOWN[key] for key in KNOWN.keys() - before}
    added.update((key, x) for key, x in new.items() if pickle.loads(pickle.dumps((key, x))) == (key, x))
