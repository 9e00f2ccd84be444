"""Spare the checks of proofs, which are expensive: memoise them, or build what is on record without them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

KNOWN: dict[tuple[str, tuple], Any] = {}  # (the check's name, its arguments) → its result
_recorded = False


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
def recorded() -> Iterator[None]:
    """Build evidence without proving it. The caller compares what it builds with a record of what was proved."""
    global KNOWN, _recorded
    before = KNOWN
    KNOWN, _recorded = {}, True
    try:
        yield
    finally:
        KNOWN, _recorded = before, False


def is_recorded() -> bool:
    """Whether evidence is built without proof."""
    return _recorded
