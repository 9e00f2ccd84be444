"""Memoise the checks of proofs: they are expensive and depend on their arguments alone."""

from collections.abc import Callable
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
